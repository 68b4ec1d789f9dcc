//! No two cards overlap, arrows of layers lead to the right, and the same is the same again.

use super::*;

const CARD: Card = Card { width: 184, height: 52, gap_x: 84, gap_y: 20 };

fn arcs(pairs: &[(usize, usize)]) -> Vec<Arc> {
    pairs.iter().map(|(from, to)| Arc { from: *from, to: *to }).collect()
}

fn assert_apart(layout: &Layout, count: usize) {
    for one in 0..count {
        for other in 0..one {
            let ((x, y), (u, v)) = (layout.at(one), layout.at(other));
            let apart = (x - u).abs() >= CARD.width + CARD.gap_y || (y - v).abs() >= CARD.height + CARD.gap_y;
            assert!(apart, "{one} {other}: {:?} {:?}", layout.at(one), layout.at(other));
        }
    }
}

/// Numbers that are the same at every run.
fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    }
}

#[test]
fn layers_lead_from_left_to_right_and_nothing_overlaps() {
    for seed in 0..40 {
        let mut next = numbers(seed);
        let count = 2 + next(80);
        let pairs: Vec<(usize, usize)> = (0..1 + next(count * 2))
            .map(|_| (next(count), next(count)))
            .filter(|(from, to)| from < to)
            .chain([(0, 1)])
            .collect();
        let arcs = arcs(&pairs);
        let layout = place(count, &arcs, &[0], CARD, "s1-x");
        assert_eq!(layout.way, Way::Layered);
        assert_apart(&layout, count);
        for Arc { from, to } in arcs {
            assert!(layout.at(from).0 + CARD.width < layout.at(to).0, "{from} -> {to}");
        }
    }
}

#[test]
fn what_comes_back_to_where_it_began_is_set_by_force_and_nothing_overlaps() {
    for seed in 0..20 {
        let mut next = numbers(seed);
        let count = 3 + next(120);
        let mut pairs: Vec<(usize, usize)> =
            (0..count * 2).map(|_| (next(count), next(count))).filter(|(from, to)| from != to).collect();
        pairs.extend([(0, 1), (1, 2), (2, 0)]);
        let layout = place(count, &arcs(&pairs), &[0], CARD, "s1-x");
        assert_eq!(layout.way, Way::Force);
        assert_apart(&layout, count);
    }
}

#[test]
fn a_hub_of_300_is_a_block_and_no_endless_column() {
    let pairs: Vec<(usize, usize)> = (1..300).map(|from| (from, 0)).collect();
    let layout = place(300, &arcs(&pairs), &[0], CARD, "s1-x");
    assert_apart(&layout, 300);
    let height = layout.to_json(CARD)["box"]["height"].as_i64().unwrap();
    assert!(height < 2_500, "{height}");
}

#[test]
fn the_same_picture_of_the_same_snapshot_is_the_same_and_another_snapshot_turns_it() {
    let pairs = [(0, 1), (1, 2), (2, 0), (3, 0), (3, 4), (5, 1)];
    let hash = |seed: &str| place(7, &arcs(&pairs), &[0], CARD, seed).to_json(CARD)["hash"].clone();
    assert_eq!(hash("s1-a"), hash("s1-a"));
    assert_ne!(hash("s1-a"), hash("s1-b"));
    let mut turned = pairs;
    turned.reverse();
    let again = place(7, &arcs(&turned), &[0], CARD, "s1-a").to_json(CARD)["hash"].clone();
    assert_eq!(hash("s1-a"), again, "the order of the arrows says nothing");
}

#[test]
fn one_card_and_no_card_have_a_place() {
    assert_eq!(place(1, &[], &[0], CARD, "").at(0), (0, 0));
    assert_eq!(place(0, &[], &[], CARD, "").to_json(CARD)["way"], "force");
}

#[test]
fn the_places_are_those_of_every_machine() {
    // A cycle with tails; the digest is of places that another machine worked out.
    let pairs: Vec<(usize, usize)> = (0..40).map(|at| (at, (at * 7 + 3) % 40)).collect();
    let layout = place(40, &arcs(&pairs), &[0], CARD, "s1-fixed");
    assert_eq!(
        layout.to_json(CARD)["hash"],
        "sha256:06a168651a56a96ce04f8e4a424ddb2565c07c51bd3e825b594ebeb17ee8e61e"
    );
}
