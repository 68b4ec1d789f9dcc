//! Integers, decimals, days and points in time: from the text that an author wrote to the canonical form that is
//! hashed and compared (spec C4). It does not know where the text stood.

use std::cmp::Ordering;

/// A 64-bit integer of the YAML core schema: decimal, `0o` or `0x`.
pub fn integer(text: &str) -> Option<i64> {
    let radix = |digits: &str, radix| {
        let is_digits = digits.chars().all(|one| one.is_digit(radix));
        if is_digits { i64::from_str_radix(digits, radix).ok() } else { None }
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    text.parse().ok()
}

/// A decimal without exponent, trailing zeros and negative zero. An exponent is written out as far as 308 places.
pub fn number(text: &str) -> Option<String> {
    let (is_negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            (mantissa, exponent.parse::<i32>().ok().filter(|one| one.abs() <= 308)?)
        }
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let mut digits = format!("{whole}{fraction}");
    let mut point = i32::try_from(whole.len()).ok()? + exponent;
    if point < 0 {
        digits.insert_str(0, &"0".repeat(usize::try_from(-point).ok()?));
        point = 0;
    }
    let place = usize::try_from(point).ok()?;
    if digits.len() < place {
        digits.push_str(&"0".repeat(place - digits.len()));
    }
    let (whole, fraction) = digits.split_at(place);
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let mut out = String::new();
    if is_negative && !(whole.is_empty() && fraction.is_empty()) {
        out.push('-');
    }
    out.push_str(if whole.is_empty() { "0" } else { whole });
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    Some(out)
}

/// Compares two canonical decimals by their value.
pub fn compare_numbers(left: &str, right: &str) -> Ordering {
    let (left_sign, left) = left.strip_prefix('-').map_or((1, left), |rest| (-1, rest));
    let (right_sign, right) = right.strip_prefix('-').map_or((1, right), |rest| (-1, rest));
    if left_sign != right_sign {
        return left_sign.cmp(&right_sign);
    }
    let (left_whole, left_fraction) = left.split_once('.').unwrap_or((left, ""));
    let (right_whole, right_fraction) = right.split_once('.').unwrap_or((right, ""));
    let magnitude =
        (left_whole.len(), left_whole, left_fraction).cmp(&(right_whole.len(), right_whole, right_fraction));
    if left_sign < 0 { magnitude.reverse() } else { magnitude }
}

/// A day that exists, as `YYYY-MM-DD`.
pub fn date(text: &str) -> Option<String> {
    let (year, month, day) = day_parts(text)?;
    (1..=days_of(year, month)).contains(&day).then(|| text.to_owned())
}

/// A point in time of RFC 3339, in UTC with `Z`, without trailing zeros of a second.
pub fn date_time(text: &str) -> Option<String> {
    if !text.is_ascii() || text.len() < 20 {
        return None;
    }
    let (day, rest) = text.split_at(10);
    let (year, month, day) = day_parts(date(day)?.as_str())?;
    let time = rest.strip_prefix(['T', 't', ' '])?;
    let clock = time.get(..8)?.as_bytes();
    if clock[2] != b':' || clock[5] != b':' {
        return None;
    }
    let (hour, minute, second) = (digits(&time[0..2])?, digits(&time[3..5])?, digits(&time[6..8])?);
    let mut rest = &time[8..];
    let mut fraction = "";
    if let Some(after) = rest.strip_prefix('.') {
        let end = after.bytes().take_while(u8::is_ascii_digit).count();
        if end == 0 || end > 9 {
            return None;
        }
        fraction = after[..end].trim_end_matches('0');
        rest = &after[end..];
    }
    let offset = match rest {
        "Z" | "z" => 0,
        _ => {
            let sign = match rest.as_bytes().first()? {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let (hours, minutes) = rest[1..].split_once(':')?;
            let (hours, minutes) = (digits(hours)?, digits(minutes)?);
            if rest.len() != 6 || hours > 23 || minutes > 59 {
                return None;
            }
            sign * (hours * 60 + minutes)
        }
    };
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let minutes = days_since_epoch(year, month, day) * 1_440 + hour * 60 + minute - offset;
    let (year, month, day) = day_since_epoch(minutes.div_euclid(1_440));
    if !(0..=9_999).contains(&year) {
        return None;
    }
    let minute_of_day = minutes.rem_euclid(1_440);
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{second:02}{point}{fraction}Z",
        minute_of_day / 60,
        minute_of_day % 60
    ))
}

fn digits(text: &str) -> Option<i64> {
    if text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

fn day_parts(text: &str) -> Option<(i64, i64, i64)> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' || !text.is_ascii() {
        return None;
    }
    let year = digits(&text[0..2])? * 100 + digits(&text[2..4])?;
    let month = digits(&text[5..7])?;
    (1..=12).contains(&month).then_some((year, month, digits(&text[8..10])?))
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 in the Gregorian calendar, also before it was introduced.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn day_since_epoch(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096).div_euclid(365);
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_have_one_form() {
        for (text, canonical) in [
            ("1.50", "1.5"),
            ("-0", "0"),
            ("-0.000", "0"),
            ("+007.", "7"),
            (".5", "0.5"),
            ("1e3", "1000"),
            ("12.5E-3", "0.0125"),
            ("-1.25e1", "-12.5"),
        ] {
            assert_eq!(number(text).as_deref(), Some(canonical), "{text}");
        }
        for text in ["", "-", ".", "1.2.3", "0x1", "1e999", "nan", "1 ", "٣"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn integers_are_those_of_the_core_schema() {
        for (text, value) in [("-12", -12), ("+3", 3), ("0o17", 15), ("0xfF", 255), ("007", 7)] {
            assert_eq!(integer(text), Some(value), "{text}");
        }
        for text in ["", "1.0", "0x-1", "9223372036854775808", "1_000"] {
            assert_eq!(integer(text), None, "{text}");
        }
    }

    #[test]
    fn days_exist() {
        for text in ["2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31"] {
            assert_eq!(date(text).as_deref(), Some(text));
        }
        for text in
            ["2025-30-01", "2023-02-29", "1900-02-29", "2024-4-1", "2024-04-31", "2024-00-10", "2024-01-00"]
        {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[test]
    fn points_in_time_are_told_in_utc() {
        for (text, canonical) in [
            ("2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00Z"),
            ("2024-12-31 23:59:59.500-00:01", "2025-01-01T00:00:59.5Z"),
            ("2024-01-01t00:00:00.000z", "2024-01-01T00:00:00Z"),
        ] {
            assert_eq!(date_time(text).as_deref(), Some(canonical), "{text}");
        }
        for text in [
            "2024-01-01T00:00:00",
            "2024-01-01T24:00:00Z",
            "2024-01-01T00:00:60Z",
            "2024-01-01T00:00Z",
            "2024-01-01T00:00:00+1:00",
            "2024-01-01T00:00:00.Z",
            "0000-01-01T00:00:00+00:01",
            "2024-01-01T00:00:00Ж",
        ] {
            assert_eq!(date_time(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn days_count_there_and_back(days in -719_528_i64..2_932_896) {
            let (year, month, day) = day_since_epoch(days);
            prop_assert_eq!(days_since_epoch(year, month, day), days);
            prop_assert!((1..=days_of(year, month)).contains(&day));
        }

        #[test]
        fn decimals_compare_as_doubles_do(left in -10_000_i32..10_000, right in -10_000_i32..10_000) {
            let text = |value: i32| number(&format!("{value}e-2")).expect("a number");
            prop_assert_eq!(compare_numbers(&text(left), &text(right)), left.cmp(&right));
        }
    }
}
