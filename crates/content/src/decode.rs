//! Bytes to text: a byte-order mark chooses the encoding, everything else is strict UTF-8. It guesses nothing.

use crate::Class;

/// How many leading bytes are looked at for a NUL before anything is decoded.
const SNIFFED_BYTES: usize = 512;

/// Decodes the whole content of a file. The mark is dropped, line ends stay as they are.
///
/// # Errors
/// [`Class::Binary`] for a NUL in the first 512 bytes or anywhere in the decoded text,
/// [`Class::UnsupportedEncoding`] for bytes that are not valid in the encoding (spec `project.md` 6.9).
pub fn decode(bytes: Vec<u8>) -> Result<String, Class> {
    let text = match Mark::of(&bytes) {
        Some(Mark::Utf8) => utf8(bytes[3..].to_vec())?,
        Some(Mark::Utf16 { is_big }) => utf16(&bytes[2..], is_big)?,
        Some(Mark::Utf32 { is_big }) => utf32(&bytes[4..], is_big)?,
        None if memchr::memchr(0, &bytes[..bytes.len().min(SNIFFED_BYTES)]).is_some() => {
            return Err(Class::Binary);
        }
        None => utf8(bytes)?,
    };
    if memchr::memchr(0, text.as_bytes()).is_some() { Err(Class::Binary) } else { Ok(text) }
}

enum Mark {
    Utf8,
    Utf16 { is_big: bool },
    Utf32 { is_big: bool },
}

impl Mark {
    fn of(bytes: &[u8]) -> Option<Mark> {
        // The UTF-32 mark begins like the UTF-16 one, so it is asked first.
        match bytes {
            [0xFF, 0xFE, 0, 0, ..] => Some(Mark::Utf32 { is_big: false }),
            [0, 0, 0xFE, 0xFF, ..] => Some(Mark::Utf32 { is_big: true }),
            [0xEF, 0xBB, 0xBF, ..] => Some(Mark::Utf8),
            [0xFF, 0xFE, ..] => Some(Mark::Utf16 { is_big: false }),
            [0xFE, 0xFF, ..] => Some(Mark::Utf16 { is_big: true }),
            _ => None,
        }
    }
}

fn utf8(bytes: Vec<u8>) -> Result<String, Class> {
    // A NUL says more than a broken sequence: an executable is binary, not badly encoded.
    String::from_utf8(bytes).map_err(|error| {
        let has_nul = memchr::memchr(0, error.as_bytes()).is_some();
        if has_nul { Class::Binary } else { Class::UnsupportedEncoding }
    })
}

fn utf16(bytes: &[u8], is_big: bool) -> Result<String, Class> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Class::UnsupportedEncoding);
    }
    let units =
        pairs.iter().map(|&pair| if is_big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) });
    char::decode_utf16(units).collect::<Result<String, _>>().map_err(|_| Class::UnsupportedEncoding)
}

fn utf32(bytes: &[u8], is_big: bool) -> Result<String, Class> {
    let (quads, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(Class::UnsupportedEncoding);
    }
    quads
        .iter()
        .map(|&quad| if is_big { u32::from_be_bytes(quad) } else { u32::from_le_bytes(quad) })
        .map(|number| char::from_u32(number).ok_or(Class::UnsupportedEncoding))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(bytes: &[u8], expected: Result<&str, Class>) {
        assert_eq!(decode(bytes.to_vec()), expected.map(str::to_owned), "{bytes:x?}");
    }

    #[test]
    fn a_mark_chooses_the_encoding_and_is_dropped() {
        check(b"\xEF\xBB\xBFa\r\n", Ok("a\r\n"));
        check(b"\xFF\xFEa\0\xE9\0", Ok("aé"));
        check(b"\xFE\xFF\0a\0\xE9", Ok("aé"));
        check(b"\xFF\xFE\0\0\x00\xF6\x01\0", Ok("\u{1F600}"));
        check(b"\0\0\xFE\xFF\0\x01\xF6\0", Ok("\u{1F600}"));
        check(b"\xFF\xFE\x3D\xD8\0\xDE", Ok("\u{1F600}"));
    }

    #[test]
    fn bytes_that_are_not_text_are_told_apart() {
        check(b"a\xFFb", Err(Class::UnsupportedEncoding));
        check(b"caf\xE9", Err(Class::UnsupportedEncoding));
        check(b"\xFF\xFEa", Err(Class::UnsupportedEncoding));
        check(b"\xFF\xFE\x3D\xD8", Err(Class::UnsupportedEncoding));
        check(b"\xFF\xFE\0\0\0\0\x11\0", Err(Class::UnsupportedEncoding));
        check(b"\x7FELF\0\xFF", Err(Class::Binary));
        check(b"\xFF\xFEa\0\0\0", Err(Class::Binary));
    }

    #[test]
    fn a_nul_is_binary_wherever_it_stands() {
        for at in [0, SNIFFED_BYTES - 1, SNIFFED_BYTES, 70_000] {
            let mut bytes = vec![b'a'; 70_001];
            bytes[at] = 0;
            check(&bytes, Err(Class::Binary));
        }
    }

    #[test]
    fn an_empty_file_is_empty_text() {
        check(b"", Ok(""));
        check(b"\xEF\xBB\xBF", Ok(""));
    }

    proptest! {
        #[test]
        fn any_text_survives_each_encoding(text in "[^\0\u{FEFF}]{0,40}") {
            let wide = |is_big: bool, mark: [u8; 2]| -> Vec<u8> {
                let units = text.encode_utf16().flat_map(|unit| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() });
                mark.into_iter().chain(units).collect()
            };
            prop_assert_eq!(decode(text.clone().into_bytes()), Ok(text.clone()));
            prop_assert_eq!(decode(wide(false, [0xFF, 0xFE])), Ok(text.clone()));
            prop_assert_eq!(decode(wide(true, [0xFE, 0xFF])), Ok(text.clone()));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = decode(bytes);
        }
    }
}
