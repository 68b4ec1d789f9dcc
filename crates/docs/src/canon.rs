//! JSON in the canonical form of RFC 8785, which every hash of structured data is taken over (spec C4). It does not
//! know what is hashed.

use std::fmt::Write as _;

use serde_json::Value;

/// The canonical text of `value`: no blanks, keys sorted by UTF-16 code units, shortest numbers.
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    push_value(&mut out, value);
    out
}

/// Appends the canonical text of `value`.
pub fn push_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => push_number(out, number),
        Value::String(text) => push_string(out, text),
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                push_value(out, item);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
            sorted.sort_by(|(left, _), (right, _)| left.encode_utf16().cmp(right.encode_utf16()));
            out.push('{');
            for (place, (key, member)) in sorted.into_iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                push_string(out, key);
                out.push(':');
                push_value(out, member);
            }
            out.push('}');
        }
    }
}

/// Appends `text` as a JSON string: only `"`, `\` and the control characters are escaped.
pub fn push_string(out: &mut String, text: &str) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            0x08 => "\\b",
            b'\t' => "\\t",
            b'\n' => "\\n",
            0x0C => "\\f",
            b'\r' => "\\r",
            0x00..=0x1F => "",
            _ => continue,
        };
        out.push_str(&text[plain..at]);
        plain = at + 1;
        if escape.is_empty() {
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

/// Integers of 64 bits are written exactly, so that two of them never share a text; everything else as ECMAScript
/// writes a double.
fn push_number(out: &mut String, number: &serde_json::Number) {
    if number.is_i64() || number.is_u64() {
        let _ = write!(out, "{number}");
    } else {
        push_double(out, number.as_f64().unwrap_or(0.0));
    }
}

/// The text of `Number::toString` of ECMAScript. JSON holds no infinity and no NaN.
fn push_double(out: &mut String, double: f64) {
    if double == 0.0 {
        out.push('0');
        return;
    }
    if double < 0.0 {
        out.push('-');
    }
    // Rust finds the same number of digits, `d.ddde±x`. Of two equally near texts ECMAScript takes the even one, as
    // rounding to that many digits does; that is not always the one that the shortest form came out with.
    let magnitude = double.abs();
    let shortest = format!("{magnitude:e}");
    let decimals = shortest.bytes().take_while(|byte| *byte != b'e').count().saturating_sub(2);
    let rounded = format!("{magnitude:.decimals$e}");
    let is_same = rounded.parse::<f64>().is_ok_and(|back| back.to_bits() == magnitude.to_bits());
    let scientific = if is_same { rounded } else { shortest };
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let zeros = |many: i32| "0".repeat(usize::try_from(many).unwrap_or(0));
    if count <= point && point <= 21 {
        out.push_str(&digits);
        out.push_str(&zeros(point - count));
    } else if 0 < point && point <= 21 {
        let (whole, rest) = digits.split_at(usize::try_from(point).unwrap_or(0));
        let _ = write!(out, "{whole}.{rest}");
    } else if -6 < point && point <= 0 {
        let _ = write!(out, "0.{}{digits}", zeros(-point));
    } else {
        let (first, rest) = digits.split_at(1);
        let sign = if point > 0 { '+' } else { '-' };
        let _ = write!(
            out,
            "{first}{}{rest}e{sign}{}",
            if rest.is_empty() { "" } else { "." },
            (point - 1).abs()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn double(double: f64) -> String {
        let mut out = String::new();
        push_double(&mut out, double);
        out
    }

    #[test]
    fn doubles_are_written_as_in_appendix_b_of_the_rfc() {
        let samples: [(u64, &str); 21] = [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xC340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"),
            (0x44B5_2D02_C7E1_4AF6, "1e+23"),
            (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
            (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
            (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"),
            (0x444B_1AE4_D6E2_EF50, "1e+21"),
            (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"),
            (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
            (0x41B3_DE43_5555_5553, "333333333.3333332"),
            (0x41B3_DE43_5555_5555, "333333333.3333333"),
            (0x41B3_DE43_5555_5557, "333333333.33333343"),
            (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
            (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
        ];
        for (bits, text) in samples {
            assert_eq!(double(f64::from_bits(bits)), text, "{bits:x}");
        }
    }

    #[test]
    fn keys_are_sorted_by_utf_16_and_strings_escaped_as_little_as_possible() {
        let value = serde_json::json!({
            "\u{20ac}": "Euro Sign",
            "\r": "Carriage Return",
            "\u{fb33}": "Hebrew Letter Dalet With Dagesh",
            "1": "One",
            "\u{1f600}": "Emoji: Grinning Face",
            "\u{80}": "Control",
            "\u{f6}": "Latin Small Letter O With Diaeresis",
        });
        let expected = "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\"\u{f6}\":\"Latin Small \
                        Letter O With Diaeresis\",\"\u{20ac}\":\"Euro Sign\",\"\u{1f600}\":\"Emoji: Grinning Face\",\
                        \"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}";
        assert_eq!(canonical(&value), expected);
        let text = Value::from("\u{20ac}$\u{f}\u{a}A'\u{42}\u{22}\u{5c}\\\"/\u{7f}");
        assert_eq!(canonical(&text), "\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\u{7f}\"");
    }

    #[test]
    fn integers_stay_exact() {
        let value = serde_json::json!([i64::MAX, i64::MIN, u64::MAX, 56.0, null, true, false, [], {}]);
        assert_eq!(
            canonical(&value),
            "[9223372036854775807,-9223372036854775808,18446744073709551615,56,null,true,false,[],{}]"
        );
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::hash_map(any::<String>(), inner, 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_double_reads_back_to_the_last_bit(bits in any::<u64>()) {
            let number = f64::from_bits(bits);
            prop_assume!(number.is_finite() && number.to_bits() != (-0.0_f64).to_bits());
            prop_assert_eq!(double(number).parse::<f64>().expect("a number").to_bits(), bits);
        }

        #[test]
        fn what_was_written_reads_back_and_is_written_the_same(value in any_json()) {
            let text = canonical(&value);
            let read: Value = serde_json::from_str(&text).expect("canonical JSON is JSON");
            prop_assert_eq!(&read, &value);
            prop_assert_eq!(canonical(&read), text);
        }
    }
}
