//! Every lenient and every refused form of an argument.

use super::*;
use serde_json::json;

fn arguments(value: Value) -> Arguments {
    let names: &[&'static str] = &["n", "b", "s", "list", "word"];
    Arguments::new(value.as_object().cloned().expect("object"), names).expect("known names")
}

fn integer(value: Value) -> Result<Option<u64>, ArgTrouble> {
    arguments(json!({ "n": value })).integer("n", 1, 1_000).map_err(|fault| fault.kind)
}

const BOUNDS: ListBounds = ListBounds {
    items_max: 3,
    item_chars_max: 4,
    trouble: ArgTrouble::Pattern,
    rules: "",
    may_be_blank: false,
};

fn list(value: Value) -> Result<Vec<String>, ArgTrouble> {
    arguments(json!({ "list": value })).list("list", BOUNDS).map_err(|fault| fault.kind)
}

#[test]
fn integers_come_as_numbers_and_as_digits() {
    for value in [json!(5), json!(5.0), json!("5"), json!("005"), json!(5e0)] {
        assert_eq!(integer(value.clone()), Ok(Some(5)), "{value}");
    }
    assert_eq!(integer(json!(null)), Ok(None));
    assert_eq!(arguments(json!({})).integer("n", 1, 9), Ok(None));
}

#[test]
fn integer_bounds_hold_on_both_sides() {
    for (value, good) in [(0, false), (1, true), (1_000, true), (1_001, false)] {
        assert_eq!(integer(json!(value)).is_ok(), good, "{value}");
        assert_eq!(integer(json!(value.to_string())).is_ok(), good, "\"{value}\"");
    }
    let fault = arguments(json!({"n": 0})).integer("n", 1, 1_000).expect_err("below");
    assert_eq!(fault.text.as_str(), "'n' must be an integer from 1 to 1000");
}

#[test]
fn integers_out_of_range_and_numbers_that_are_none_are_told_apart() {
    for value in [json!(-1), json!(1e300), json!("-5"), json!("99999999999999999999")] {
        assert_eq!(integer(value.clone()), Err(ArgTrouble::Range), "{value}");
    }
    for value in [
        json!(5.5),
        json!(-0.5),
        json!("5.0"),
        json!(" 5"),
        json!("+5"),
        json!("--5"),
        json!("5 "),
        json!("1e3"),
        json!("0x10"),
        json!("٥5"),
    ] {
        assert_eq!(integer(value.clone()), Err(ArgTrouble::Inexact), "{value}");
    }
}

#[test]
fn other_types_are_no_integers_at_all() {
    for value in [json!(true), json!([]), json!({}), json!([5]), json!("abc"), json!("")] {
        assert_eq!(integer(value.clone()), Err(ArgTrouble::Invalid), "{value}");
    }
}

#[test]
fn large_integers_stay_exact() {
    let read =
        |value: Value| arguments(json!({ "n": value })).integer("n", 1, i64::MAX as u64).ok().flatten();
    assert_eq!(read(json!(9_007_199_254_740_993u64)), Some(9_007_199_254_740_993));
    assert_eq!(read(json!("9223372036854775807")), Some(i64::MAX as u64));
    assert_eq!(read(json!(i64::MAX)), Some(i64::MAX as u64));
    assert_eq!(read(json!(9_223_372_036_854_775_808u64)), None);
    assert_eq!(
        read(json!(9_007_199_254_740_994.0)),
        None,
        "a float this large no longer says which integer was sent"
    );
}

#[test]
fn booleans_come_as_booleans_and_as_two_strings() {
    let read = |value: Value| arguments(json!({ "b": value })).boolean("b").map_err(|fault| fault.kind);
    assert_eq!(read(json!(true)), Ok(Some(true)));
    assert_eq!(read(json!("false")), Ok(Some(false)));
    assert_eq!(read(json!(null)), Ok(None));
    for value in [json!("TRUE"), json!(" true"), json!(1), json!("1"), json!([]), json!("")] {
        assert_eq!(read(value.clone()), Err(ArgTrouble::Invalid), "{value}");
    }
}

#[test]
fn lists_come_as_arrays_lone_strings_and_arrays_in_a_string() {
    let of = |items: &[&str]| Ok(items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>());
    assert_eq!(list(json!(["a", "b"])), of(&["a", "b"]));
    assert_eq!(list(json!("a")), of(&["a"]));
    assert_eq!(list(json!(r#"["a","b"]"#)), of(&["a", "b"]));
    assert_eq!(list(json!("[ab]")), of(&["[ab]"]), "a glob that only looks like an array");
    assert_eq!(list(json!("[1]")), of(&["[1]"]), "not an array of strings");
    assert_eq!(list(json!([])), of(&[]));
    assert_eq!(list(json!("[]")), of(&[]));
    assert_eq!(list(json!(null)), of(&[]));
}

#[test]
fn lists_refuse_other_types_and_blank_items() {
    for value in [
        json!(5),
        json!(true),
        json!({}),
        json!(["a", 5]),
        json!([null]),
        json!([["a"]]),
        json!(["a", ""]),
        json!([" "]),
        json!(""),
    ] {
        assert_eq!(list(value.clone()), Err(ArgTrouble::Invalid), "{value}");
    }
}

#[test]
fn list_bounds_count_items_and_scalars() {
    assert!(list(json!(["a", "b", "c"])).is_ok());
    assert_eq!(list(json!(["a", "b", "c", "d"])), Err(ArgTrouble::Pattern));
    assert!(list(json!(["🦀🦀🦀🦀"])).is_ok(), "four scalars, sixteen bytes");
    assert_eq!(list(json!(["🦀🦀🦀🦀🦀"])), Err(ArgTrouble::Pattern));
}

#[test]
fn choices_are_spelled_exactly() {
    let read = |value: Value| arguments(json!({ "word": value })).choice("word", &[("one", 1), ("two", 2)]);
    assert_eq!(read(json!("two")), Ok(Some(2)));
    assert_eq!(read(json!(null)), Ok(None));
    for value in [json!("Two"), json!(""), json!(2), json!(["two"])] {
        let fault = read(value).expect_err("refused");
        assert_eq!(fault.text.as_str(), "'word' must be one of: one, two");
    }
}

#[test]
fn strings_are_strings() {
    let read = |value: Value| arguments(json!({ "s": value }));
    assert_eq!(read(json!("x")).text("s"), Ok(Some("x".to_owned())));
    assert_eq!(read(json!("")).text_or_empty("s"), Ok(None));
    assert!(read(json!(5)).text("s").is_err());
    assert!(read(json!("")).filled_text("s").is_err());
    assert_eq!(read(json!(" ")).required_text("s"), Ok(" ".to_owned()), "a space is a pattern");
    assert!(read(json!(" ")).required_word("s").is_err());
    assert!(read(json!(null)).required_text("s").is_err());
    assert!(arguments(json!({})).required_text("s").is_err());
}

#[test]
fn unknown_names_are_told_with_the_sorted_valid_ones() {
    let values = json!({"b": 1, "zz\n": 2}).as_object().cloned().expect("object");
    let fault = Arguments::new(values, &["n", "b", "a"]).expect_err("unknown");
    assert_eq!(fault.kind, ArgTrouble::Invalid);
    assert_eq!(fault.text.as_str(), "unknown argument 'zz\\n'; valid names: a, b, n");
    let values = json!({"x": null, "y": 1}).as_object().cloned().expect("object");
    let fault = Arguments::new(values, &[]).expect_err("unknown");
    assert_eq!(fault.text.as_str(), "unknown arguments 'x', 'y'; this tool takes no arguments");
}

#[test]
fn a_flood_of_unknown_names_is_cut() {
    let values = (0..100).map(|n| (format!("k{n:03}"), json!(n))).collect();
    let fault = Arguments::new(values, &[]).expect_err("unknown");
    assert!(fault.text.as_str().contains("'k007' and 92 more"), "{}", fault.text);
}

#[test]
fn texts_are_bounded_in_scalars() {
    assert!(Arguments::at_most("s", "🦀🦀", 2, ArgTrouble::Pattern).is_ok());
    let fault = Arguments::at_most("s", "🦀🦀🦀", 2, ArgTrouble::Pattern).expect_err("longer");
    assert_eq!((fault.kind, fault.text.as_str()), (ArgTrouble::Pattern, "'s' is longer than 2 characters"));
}
