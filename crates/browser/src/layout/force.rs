//! Force: arrows pull, cards push each other away, and in the end each stands in a cell of a grid. It begins from a spiral
//! that the snapshot's name turns, runs a fixed number of rounds and uses only operations that every machine rounds alike.

use std::collections::{HashSet, VecDeque};

use docs::Hash;

use super::{Arc, Card};

const ROUNDS: usize = 140;
/// The turn of the golden angle: cosine and sine.
const TURN: (f64, f64) = (-0.737_368_878_078_32, 0.675_490_294_261_523_6);

/// The middle of every card.
pub(super) fn place(count: usize, arcs: &[Arc], seeds: &[usize], card: Card, seed: &str) -> Vec<(i32, i32)> {
    let order = outwards(count, arcs, seeds);
    let mut at = spiral(count, &order, seed);
    settle(&mut at, arcs, seeds.first().copied());
    on_grid(&at, &order, card)
}

/// Every card, those near to the seeds first.
fn outwards(count: usize, arcs: &[Arc], seeds: &[usize]) -> Vec<usize> {
    let mut around = vec![Vec::new(); count];
    for arc in arcs {
        around[arc.from].push(arc.to);
        around[arc.to].push(arc.from);
    }
    let (mut seen, mut order) = (vec![false; count], Vec::with_capacity(count));
    let mut queue: VecDeque<usize> = VecDeque::new();
    for start in seeds.iter().copied().filter(|seed| *seed < count).chain(0..count) {
        if !std::mem::replace(&mut seen[start], true) {
            queue.push_back(start);
        }
        while let Some(card) = queue.pop_front() {
            order.push(card);
            for other in &around[card] {
                if !std::mem::replace(&mut seen[*other], true) {
                    queue.push_back(*other);
                }
            }
        }
    }
    order
}

/// A spiral of about one card a unit of area, in the order of `order`, turned by the digest of `seed`.
fn spiral(count: usize, order: &[usize], seed: &str) -> Vec<(f64, f64)> {
    let digest = Hash::of(&[b"graph-browser@1 layout\n", seed.as_bytes()]);
    let [first, second, ..] = *digest.as_bytes();
    let (mut x, mut y) = (f64::from(first) - 127.5, f64::from(second) - 127.5);
    let length = (x * x + y * y).sqrt().max(0.5);
    (x, y) = (x / length, y / length);
    let mut at = vec![(0.0, 0.0); count];
    for (step, card) in order.iter().enumerate() {
        let radius = (step as f64).sqrt() * 0.8;
        at[*card] = (x * radius, y * radius);
        (x, y) = (x * TURN.0 - y * TURN.1, x * TURN.1 + y * TURN.0);
    }
    at
}

/// Lets arrows pull and cards push until the steps are small.
fn settle(at: &mut [(f64, f64)], arcs: &[Arc], center: Option<usize>) {
    let count = at.len();
    let mut push = vec![(0.0, 0.0); count];
    let mut heat = 1.0 + (count as f64).sqrt() / 4.0;
    let cooling = 0.97;
    for _ in 0..ROUNDS {
        push.fill((0.0, 0.0));
        for one in 0..count {
            for other in one + 1..count {
                let (dx, dy) = (at[one].0 - at[other].0, at[one].1 - at[other].1);
                let square = (dx * dx + dy * dy).max(0.01);
                // As strong as 1.4 units of distance want it.
                let (fx, fy) = (dx / square * 1.96, dy / square * 1.96);
                push[one] = (push[one].0 + fx, push[one].1 + fy);
                push[other] = (push[other].0 - fx, push[other].1 - fy);
            }
        }
        for arc in arcs {
            let (dx, dy) = (at[arc.from].0 - at[arc.to].0, at[arc.from].1 - at[arc.to].1);
            let distance = (dx * dx + dy * dy).sqrt() / 1.4;
            let (fx, fy) = (dx * distance, dy * distance);
            push[arc.from] = (push[arc.from].0 - fx, push[arc.from].1 - fy);
            push[arc.to] = (push[arc.to].0 + fx, push[arc.to].1 + fy);
        }
        for card in 0..count {
            // What nothing pulls does not drift away.
            let (x, y) = (push[card].0 - at[card].0 * 0.12, push[card].1 - at[card].1 * 0.12);
            let length = (x * x + y * y).sqrt();
            if length > 0.0 && center != Some(card) {
                let step = length.min(heat) / length;
                at[card] = (at[card].0 + x * step, at[card].1 + y * step);
            }
        }
        heat *= cooling;
    }
}

/// Sets each card on the free cell nearest to it, the first of `order` first.
fn on_grid(at: &[(f64, f64)], order: &[usize], card: Card) -> Vec<(i32, i32)> {
    let mut taken: HashSet<(i32, i32)> = HashSet::with_capacity(at.len());
    let mut places = vec![(0, 0); at.len()];
    // Cards are wider than high, and so is a screen: the picture is stretched along.
    let (step_x, step_y) = (card.width + card.gap_y * 2, card.height + card.gap_y * 2);
    for one in order {
        let (x, y) = (at[*one].0 * 0.75, at[*one].1 * 1.3);
        let cell = nearest_free(&taken, x, y);
        taken.insert(cell);
        places[*one] = (cell.0 * step_x, cell.1 * step_y);
    }
    places
}

fn nearest_free(taken: &HashSet<(i32, i32)>, x: f64, y: f64) -> (i32, i32) {
    let home = (x.round() as i32, y.round() as i32);
    let distance = |cell: (i32, i32)| {
        let (dx, dy) = (f64::from(cell.0) - x, f64::from(cell.1) - y);
        // A cell is about three times as wide as high.
        dx * dx * 6.0 + dy * dy
    };
    let mut best: Option<(f64, (i32, i32))> = None;
    for ring in 0..=i32::try_from(taken.len()).unwrap_or(i32::MAX) {
        // No cell of this ring or further out can be nearer.
        let least = (f64::from(ring) - 0.5).max(0.0);
        if best.is_some_and(|(far, _)| far < least * least) {
            break;
        }
        for cell in ring_around(home, ring) {
            if taken.contains(&cell) {
                continue;
            }
            let far = distance(cell);
            if best.is_none_or(|(known, at)| (far, cell) < (known, at)) {
                best = Some((far, cell));
            }
        }
    }
    best.map_or(home, |(_, cell)| cell)
}

/// The cells whose larger distance along an axis is `ring`.
fn ring_around((x, y): (i32, i32), ring: i32) -> impl Iterator<Item = (i32, i32)> {
    (-ring..=ring).flat_map(move |dy| {
        let step = if dy.abs() == ring { 1 } else { (ring * 2).max(1) };
        (-ring..=ring).step_by(usize::try_from(step).unwrap_or(1)).map(move |dx| (x + dx, y + dy))
    })
}
