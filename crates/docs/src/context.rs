//! A node and what matters around it within a budget: who is near, in which form each is shown, and what was left out
//! (policy `neighborhood@1`). It knows no tool; the same snapshot and request give the same answer.

mod form;
mod plan;
mod rank;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

pub use form::{ESTIMATOR, Form, cost};
pub use plan::{ContextError, ContextPlan, ContextProvider, ProviderId, SnapshotView};
pub use rank::{Candidate, Step};

use crate::model::NodeIx;
use crate::search::Query;
use crate::snapshot::Snapshot;
use form::{Shown, shown, shown_within};

/// The name of the policy.
pub const POLICY: &str = "neighborhood@1";
/// Least tokens of a budget.
pub const BUDGET_MIN: usize = 200;
/// Most tokens of a budget.
pub const BUDGET_MAX: usize = 20_000;
/// Tokens without a word about it.
pub const BUDGET: usize = 4_000;
/// Nodes that were left out and are named.
const OMITTED_NAMED: usize = 20;
/// Of a budget, the hundredths that are kept for what is left out.
const RESERVE_PERCENT: usize = 5;

/// What is asked.
#[derive(Clone, Debug)]
pub struct ContextRequest<'a> {
    /// The node.
    pub start: NodeIx,
    /// Tokens by [`ESTIMATOR`], from [`BUDGET_MIN`] to [`BUDGET_MAX`].
    pub budget_tokens: usize,
    /// Nodes that these words mean are near as well.
    pub query: Option<&'a Query>,
    /// Places of relations in the contract; all without it.
    pub relations: Option<&'a [u32]>,
    /// Most steps, 1 to 4.
    pub depth: usize,
}

/// A node as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct FormItem {
    /// The node.
    pub node: NodeIx,
    /// How much of it is shown.
    pub form: Form,
    /// What it costs.
    pub tokens: usize,
    /// How near it is: 1 for the start, six decimals.
    pub score: f64,
    /// The way from the start, without it.
    pub via: Vec<Step>,
    /// Its free text in that form.
    pub doc: Map<String, Value>,
}

/// What was left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Omitted {
    /// How many nodes.
    pub count: usize,
    /// What they would cost as cards.
    pub tokens: usize,
    /// The nearest of them with their scores.
    pub top: Vec<(NodeIx, f64)>,
}

/// A node and what matters around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// The start, then by score, then id bytes.
    pub items: Vec<FormItem>,
    /// Places in [`Snapshot::edges`] of the edges among them.
    pub edges_between: Vec<usize>,
    /// What was left out.
    pub omitted: Omitted,
    /// What the items and the names of those left out cost; never above the budget.
    pub tokens_used: usize,
    /// Whose policy it was.
    pub policy: String,
}

/// The smallest form of the start does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the smallest form of the node needs a budget of {needed} tokens")]
pub struct BudgetTooSmall {
    /// A budget that is enough for it.
    pub needed: usize,
}

impl Snapshot {
    /// A node and what matters around it.
    ///
    /// # Errors
    /// [`BudgetTooSmall`] when not even the card of the start fits.
    pub fn context(&self, request: &ContextRequest<'_>) -> Result<Context, BudgetTooSmall> {
        let mut filling = Filling::begin(self, request)?;
        let (must, may): (Vec<Candidate>, Vec<Candidate>) =
            self.candidates(request).into_iter().partition(|one| one.is_mandatory);
        let summaries: Vec<Shown> = must.iter().map(|one| self.shown(one.node, Form::Summary)).collect();
        // Those that the contract wants are all there as summaries, or by their names alone and nothing else is.
        let fits = summaries.iter().map(|one| one.tokens).sum::<usize>() <= filling.share;
        for (one, summary) in must.into_iter().zip(summaries) {
            let shown = if fits { summary } else { self.shown(one.node, Form::Name) };
            filling.offer(one, shown);
        }
        filling.is_full |= !fits;
        for one in may {
            let card = self.shown(one.node, Form::Card);
            filling.offer(one, card);
        }
        filling.upgrade();
        Ok(filling.finish(POLICY.to_owned()))
    }

    /// The same by the plan of a provider: it says which nodes and how much of each; what does not fit is shown smaller or
    /// left out, and the start is always there.
    ///
    /// # Errors
    /// As [`Snapshot::context`].
    pub fn planned_context(
        &self,
        request: &ContextRequest<'_>,
        provider: &ProviderId,
        plan: &ContextPlan,
    ) -> Result<Context, BudgetTooSmall> {
        let mut known: BTreeMap<NodeIx, Candidate> =
            self.candidates(request).into_iter().map(|one| (one.node, one)).collect();
        let mut filling = Filling::begin(self, request)?;
        let mut seen = BTreeSet::from([request.start]);
        for (id, form) in &plan.items {
            // Ids of other projects are no business of this one.
            let crate::snapshot::LookUp::Found(node) = self.look_up(id) else { continue };
            if !seen.insert(node) {
                continue;
            }
            let far = Candidate { node, score: 0.0, via: Vec::new(), is_mandatory: false };
            let one = known.remove(&node).unwrap_or(far);
            let smaller = [Form::Full, Form::Summary, Form::Card, Form::Name];
            let fitting = smaller
                .into_iter()
                .filter(|smaller| smaller >= form)
                .map(|form| self.shown(node, form))
                .find(|shown| shown.tokens <= filling.share);
            match fitting {
                Some(shown) => filling.add(one, shown),
                None => filling.leave_out(&one, self.shown(node, Form::Card).tokens),
            }
        }
        Ok(filling.finish(provider.as_str().to_owned()))
    }
}

impl Snapshot {
    fn shown(&self, node: NodeIx, form: Form) -> Shown {
        shown(&self.contract, self.node(node), form)
    }
}

/// A context while it is filled.
struct Filling<'s> {
    snapshot: &'s Snapshot,
    /// Tokens that items may cost.
    usable: usize,
    /// Tokens that are kept for what is left out.
    reserve: usize,
    /// Tokens that are left for others than the start. Whether a node is there depends on this share of the budget, which
    /// only grows with it, so that a larger budget never drops one; how much of it is shown is settled afterwards.
    share: usize,
    /// Whether one did not fit, so that none behind it is there.
    is_full: bool,
    items: Vec<FormItem>,
    /// What was left out, with its score and the tokens of its card.
    left: Vec<(NodeIx, f64, usize)>,
}

impl<'s> Filling<'s> {
    fn begin(snapshot: &'s Snapshot, request: &ContextRequest<'_>) -> Result<Filling<'s>, BudgetTooSmall> {
        let budget = request.budget_tokens;
        let reserve = (budget * RESERVE_PERCENT).div_ceil(100);
        let usable = budget - reserve;
        let node = snapshot.node(request.start);
        let card = snapshot.shown(request.start, Form::Card);
        if card.tokens > usable {
            return Err(BudgetTooSmall { needed: (card.tokens * 100).div_ceil(100 - RESERVE_PERCENT) });
        }
        let full = snapshot.shown(request.start, Form::Full).tokens;
        let start_share = full.min((usable / 2).max(card.tokens));
        let first = shown_within(&snapshot.contract, node, start_share).unwrap_or(card);
        let item = FormItem {
            node: request.start,
            form: first.form,
            tokens: first.tokens,
            score: 1.0,
            via: Vec::new(),
            doc: first.doc,
        };
        Ok(Filling {
            snapshot,
            usable,
            reserve,
            share: usable - start_share,
            is_full: false,
            items: vec![item],
            left: Vec::new(),
        })
    }

    /// Takes a node as it is shown, unless it or one before it does not fit.
    fn offer(&mut self, one: Candidate, shown: Shown) {
        self.is_full |= shown.tokens > self.share;
        if !self.is_full {
            self.add(one, shown);
        } else if shown.form == Form::Card {
            self.leave_out(&one, shown.tokens);
        } else {
            self.leave_out(&one, self.snapshot.shown(one.node, Form::Card).tokens);
        }
    }

    fn add(&mut self, one: Candidate, shown: Shown) {
        self.share -= shown.tokens;
        let Candidate { node, score, via, .. } = one;
        let Shown { form, tokens, doc } = shown;
        self.items.push(FormItem { node, form, tokens, score, via, doc });
    }

    fn leave_out(&mut self, one: &Candidate, card_tokens: usize) {
        self.left.push((one.node, one.score, card_tokens));
    }

    /// Shows more of what is there, by score for each further token, as long as something fits.
    fn upgrade(&mut self) {
        let mut room = self.usable - self.items.iter().map(|item| item.tokens).sum::<usize>();
        let mut open: Vec<(usize, Shown)> = Vec::new();
        for at in 1..self.items.len() {
            open.extend(self.next_form(at).map(|next| (at, next)));
        }
        loop {
            open.retain(|(at, next)| next.tokens.saturating_sub(self.items[*at].tokens) <= room);
            let worth = |(at, next): &(usize, Shown)| {
                let item = &self.items[*at];
                item.score / (next.tokens.saturating_sub(item.tokens).max(1)) as f64
            };
            let best = (0..open.len()).max_by(|left, right| {
                let (one, other) = (&open[*left], &open[*right]);
                let earlier = self.items[other.0].node.cmp(&self.items[one.0].node);
                worth(one).total_cmp(&worth(other)).then(earlier)
            });
            let Some(best) = best else { return };
            let (at, next) = open.swap_remove(best);
            let item = &mut self.items[at];
            room -= next.tokens.saturating_sub(item.tokens);
            (item.form, item.tokens, item.doc) = (next.form, next.tokens, next.doc);
            open.extend(self.next_form(at).map(|next| (at, next)));
        }
    }

    fn next_form(&self, at: usize) -> Option<Shown> {
        let item = &self.items[at];
        let next = match item.form {
            Form::Name | Form::Card => Form::Summary,
            Form::Summary => Form::Full,
            Form::Full => return None,
        };
        Some(self.snapshot.shown(item.node, next))
    }

    fn finish(mut self, policy: String) -> Context {
        self.items[1..].sort_by(|left, right| {
            right.score.total_cmp(&left.score).then_with(|| left.node.cmp(&right.node))
        });
        self.left.sort_by(|left, right| right.1.total_cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
        let mut omitted = Omitted { count: self.left.len(), ..Omitted::default() };
        omitted.tokens = self.left.iter().map(|(_, _, card_tokens)| card_tokens).sum();
        let mut named = 0;
        for (node, score, _) in self.left.iter().take(OMITTED_NAMED) {
            let tokens = self.snapshot.shown(*node, Form::Name).tokens;
            if named + tokens > self.reserve {
                break;
            }
            named += tokens;
            omitted.top.push((*node, *score));
        }
        let among: BTreeSet<NodeIx> = self.items.iter().map(|item| item.node).collect();
        let scope = crate::walk::EdgeScope { relations: None, mentions: true };
        Context {
            edges_between: self.snapshot.edges_between(&among, &scope),
            tokens_used: named + self.items.iter().map(|item| item.tokens).sum::<usize>(),
            items: self.items,
            omitted,
            policy,
        }
    }
}
