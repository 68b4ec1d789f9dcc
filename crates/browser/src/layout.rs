//! Where the cards of a picture stand. Arrows that never come back to where they began are drawn in layers from left to
//! right; anything else is pulled and pushed into shape from a fixed beginning and set on a grid. No two cards overlap, and
//! the same picture of the same snapshot is the same to the last unit on any machine. It does not know what a card says.

mod force;
mod layers;
#[cfg(test)]
mod tests;

use docs::Hash;
use serde_json::{Value, json};

/// An arrow between two cards, by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Arc {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// How large every card is, and how much room there is between two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Card {
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) gap_x: i32,
    pub(crate) gap_y: i32,
}

/// In which way a picture was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// In layers.
    Layered,
    /// By force.
    Force,
}

/// The places of all cards: the middle of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) way: Way,
    places: Vec<(i32, i32)>,
}

/// Finds a place for `count` cards. `seeds` are those that a person looks at first; `seed` names the snapshot.
pub(crate) fn place(count: usize, arcs: &[Arc], seeds: &[usize], card: Card, seed: &str) -> Layout {
    let mut arcs: Vec<Arc> = arcs.iter().copied().filter(|arc| arc.from != arc.to).collect();
    arcs.sort_unstable();
    arcs.dedup();
    match layers::order(count, &arcs) {
        // Nothing but single cards is no reason for one endless column.
        Some(order) if !arcs.is_empty() => {
            Layout { way: Way::Layered, places: layers::place(&order, &arcs, card) }
        }
        _ => Layout { way: Way::Force, places: force::place(count, &arcs, seeds, card, seed) },
    }
}

impl Layout {
    /// Where a card stands.
    pub(crate) fn at(&self, card: usize) -> (i32, i32) {
        self.places.get(card).copied().unwrap_or_default()
    }

    /// How it was made, the size of a card, the box around all of them, and a digest of every place.
    pub(crate) fn to_json(&self, card: Card) -> Value {
        let around = |pick: fn(&(i32, i32)) -> i32, size: i32| {
            let low = self.places.iter().map(pick).min().unwrap_or(0) - size / 2;
            let high = self.places.iter().map(pick).max().unwrap_or(0) + size / 2;
            (low, high)
        };
        let ((left, right), (top, bottom)) =
            (around(|place| place.0, card.width), around(|place| place.1, card.height));
        let text: String = self.places.iter().map(|(x, y)| format!("{x} {y}\n")).collect();
        json!({
            "way": match self.way { Way::Layered => "layered", Way::Force => "force" },
            "card": { "width": card.width, "height": card.height },
            "box": { "x": left, "y": top, "width": right - left, "height": bottom - top },
            "hash": Hash::of(&[text.as_bytes()]).to_string(),
        })
    }
}
