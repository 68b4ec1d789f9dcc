//! Layers: every arrow leads from left to right. A card stands as near to its neighbours as that allows, and a layer of
//! many cards is folded into several columns. It uses whole numbers and exact means alone.

use super::{Arc, Card};

/// Cards in one column before a layer is folded.
const COLUMN_MAX: usize = 12;
/// How often the layers are gone through, there and back, to untangle the arrows.
const SWEEPS: usize = 12;

/// The layer of every card, from 0; `None` when some arrow leads back to where it began.
pub(super) fn order(count: usize, arcs: &[Arc]) -> Option<Vec<usize>> {
    let (mut waiting, next) = (incoming(count, arcs), neighbours(count, arcs, |arc| (arc.from, arc.to)));
    let mut ready: Vec<usize> = (0..count).filter(|card| waiting[*card] == 0).collect();
    let (mut layer, mut sorted) = (vec![0; count], Vec::with_capacity(count));
    while let Some(card) = ready.pop() {
        sorted.push(card);
        for other in &next[card] {
            layer[*other] = layer[*other].max(layer[card] + 1);
            waiting[*other] -= 1;
            if waiting[*other] == 0 {
                ready.push(*other);
            }
        }
    }
    if sorted.len() < count {
        return None;
    }
    tighten(&mut layer, &sorted, &next, &neighbours(count, arcs, |arc| (arc.to, arc.from)));
    Some(layer)
}

fn incoming(count: usize, arcs: &[Arc]) -> Vec<usize> {
    let mut incoming = vec![0; count];
    arcs.iter().for_each(|arc| incoming[arc.to] += 1);
    incoming
}

fn neighbours(count: usize, arcs: &[Arc], ends: impl Fn(&Arc) -> (usize, usize)) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); count];
    for (of, other) in arcs.iter().map(ends) {
        neighbours[of].push(other);
    }
    neighbours
}

/// Moves each card to where its arrows are shortest: the longest way from the left puts a card with few arrows far from
/// what it leads to.
fn tighten(layer: &mut [usize], sorted: &[usize], next: &[Vec<usize>], before: &[Vec<usize>]) {
    for _ in 0..4 {
        for card in sorted.iter().rev().chain(sorted) {
            let low = before[*card].iter().map(|other| layer[*other] + 1).max();
            let high = next[*card].iter().map(|other| layer[*other].saturating_sub(1)).min();
            layer[*card] = match (low, high) {
                (Some(low), Some(high)) if before[*card].len() >= next[*card].len() => low.min(high),
                (_, Some(high)) => high,
                (Some(low), None) => low,
                (None, None) => 0,
            };
        }
    }
    let least = layer.iter().copied().min().unwrap_or(0);
    layer.iter_mut().for_each(|layer| *layer -= least);
}

/// The middle of every card.
pub(super) fn place(layer: &[usize], arcs: &[Arc], card: Card) -> Vec<(i32, i32)> {
    let count = layer.len();
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)];
    (0..count).for_each(|card| layers[layer[card]].push(card));
    let both = {
        let mut both = neighbours(count, arcs, |arc| (arc.from, arc.to));
        let back = neighbours(count, arcs, |arc| (arc.to, arc.from));
        both.iter_mut().zip(back).for_each(|(one, other)| one.extend(other));
        both
    };
    let (step_x, step_y) = (card.width + card.gap_x, card.height + card.gap_y);
    // A folded layer has less room between its own columns: no arrow of its cards needs to end there.
    let fold_x = card.width + card.gap_y;
    let mut places = vec![(0, 0); count];
    let mut left = 0;
    for layer in &layers {
        let columns = columns(layer.len());
        for (at, one) in layer.iter().enumerate() {
            places[*one].0 = left + i32_of(at % columns) * fold_x;
        }
        left += i32_of(columns - 1) * fold_x + step_x;
    }
    untangle(&mut layers, &both, &mut places, step_y, fold_x);
    places
}

/// Orders each layer by where the neighbours of its cards are, and puts every card as near to them as its own neighbours
/// above and below let it.
fn untangle(
    layers: &mut [Vec<usize>],
    both: &[Vec<usize>],
    places: &mut [(i32, i32)],
    step_y: i32,
    fold_x: i32,
) {
    let starts: Vec<i32> =
        layers.iter().map(|layer| layer.iter().map(|card| places[*card].0).min().unwrap_or(0)).collect();
    for (layer, start) in layers.iter().zip(&starts) {
        stack(layer, places, step_y, *start, fold_x, None);
    }
    let last = layers.len().saturating_sub(1);
    for sweep in 0..SWEEPS {
        for step in 0..=last {
            let at = if sweep % 2 == 0 { step } else { last - step };
            let layer = &mut layers[at];
            let wanted: Vec<(i64, usize)> =
                layer.iter().map(|card| (wish(*card, both, places), *card)).collect();
            let mut order: Vec<(i64, usize)> = wanted;
            order.sort_unstable();
            *layer = order.iter().map(|(_, card)| *card).collect();
            let wishes: Vec<i64> = order.iter().map(|(wish, _)| *wish).collect();
            stack(layer, places, step_y, starts[at], fold_x, Some(&wishes));
        }
    }
}

/// The mean height of the neighbours of a card; its own where it has none.
fn wish(card: usize, both: &[Vec<usize>], places: &[(i32, i32)]) -> i64 {
    let around = &both[card];
    if around.is_empty() {
        return i64::from(places[card].1);
    }
    let sum: i64 = around.iter().map(|other| i64::from(places[*other].1)).sum();
    sum.div_euclid(i64::try_from(around.len()).unwrap_or(1))
}

/// Stacks the cards of a layer in their order, row by row; with wishes, each row as near to its own as the rows around it
/// let it.
fn stack(
    layer: &[usize],
    places: &mut [(i32, i32)],
    step_y: i32,
    left: i32,
    fold_x: i32,
    wishes: Option<&[i64]>,
) {
    let columns = columns(layer.len());
    let rows = layer.len().div_ceil(columns);
    let step = i64::from(step_y);
    let heights: Vec<i64> = match wishes {
        // A folded layer stays a block around the middle of what its cards want.
        Some(wishes) if columns > 1 => {
            let mean = wishes.iter().sum::<i64>().div_euclid(i64::try_from(wishes.len()).unwrap_or(1));
            block(rows, step).into_iter().map(|height| height + mean).collect()
        }
        Some(wishes) => nearest(wishes, step),
        None => block(rows, step),
    };
    for (at, card) in layer.iter().enumerate() {
        let height = i32::try_from(heights[at / columns]).unwrap_or(0);
        places[*card] = (left + i32_of(at % columns) * fold_x, height);
    }
}

/// `rows` heights around 0.
fn block(rows: usize, step: i64) -> Vec<i64> {
    let rows = i64::try_from(rows).unwrap_or(0);
    (0..rows).map(|row| row * step - (rows - 1) * step / 2).collect()
}

/// The heights nearest to `wishes`, in their order and `step` apart: neighbours that are too near share a block whose
/// middle is the mean of what they want.
fn nearest(wishes: &[i64], step: i64) -> Vec<i64> {
    // Each block: sum of the wishes of its first row, rows.
    let mut blocks: Vec<(i64, i64)> = Vec::new();
    for wish in wishes {
        blocks.push((*wish, 1));
        while let [.., (above, rows_above), (below, rows_below)] = blocks[..] {
            let (top_above, top_below) = (above.div_euclid(rows_above), below.div_euclid(rows_below));
            if top_above + rows_above * step <= top_below {
                break;
            }
            blocks.truncate(blocks.len() - 2);
            blocks.push((above + below - rows_below * rows_above * step, rows_above + rows_below));
        }
    }
    let mut heights = Vec::with_capacity(wishes.len());
    for (sum, rows) in blocks {
        let top = sum.div_euclid(rows);
        heights.extend((0..rows).map(|row| top + row * step));
    }
    heights
}

/// Columns of a layer. Cards are wider than high, so a folded layer is about as high as wide.
fn columns(cards: usize) -> usize {
    cards.div_ceil(COLUMN_MAX.max((cards * 2).isqrt())).max(1)
}

fn i32_of(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
