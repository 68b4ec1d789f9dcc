//! What kind of content a file has, as packs report it. It judges names and verdicts, it reads nothing.

/// The class of a file in a pack (spec `project.md` 5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Decoded text.
    Text,
    /// A binary extension, or a NUL in the content.
    Binary,
    /// Larger than what redaction inspects, or beyond what it can finish.
    TooLarge,
    /// Cannot be read, or is no regular file.
    Unreadable,
    /// The operating system denies access.
    AccessDenied,
    /// Was selected and is gone.
    Missing,
    /// Neither valid UTF-8 nor text with a byte-order mark.
    UnsupportedEncoding,
}

impl Class {
    /// The token in JSON and XML packs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Class::Text => "text",
            Class::Binary => "binary",
            Class::TooLarge => "too-large",
            Class::Unreadable => "unreadable",
            Class::AccessDenied => "access-denied",
            Class::Missing => "missing",
            Class::UnsupportedEncoding => "unsupported-encoding",
        }
    }

    /// Whether the file was selected but redaction could not look at it, so that its content is withheld and
    /// counted. A binary file is not: it has no text to look at.
    pub const fn is_uninspected(self) -> bool {
        !matches!(self, Class::Text | Class::Binary)
    }
}

/// Lower-case extensions whose files are binary without a look at their content: images (not SVG), video, audio,
/// archives, executables and libraries, documents, fonts and raw data.
const BINARY_EXTENSIONS: &[&str] = &[
    "7z", "a", "aac", "ai", "apk", "app", "avi", "avif", "bin", "bmp", "bz2", "class", "dat", "db", "deb",
    "dll", "dmg", "doc", "docx", "dylib", "ear", "eot", "exe", "flac", "flv", "gif", "gz", "heic", "heif",
    "icns", "ico", "img", "iso", "jar", "jpeg", "jpg", "jxl", "lib", "lz", "lz4", "lzma", "m4a", "m4v",
    "mdb", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "nupkg", "o", "obj", "odp", "ods", "odt", "ogg",
    "ogv", "opus", "otf", "pdb", "pdf", "png", "ppt", "pptx", "psd", "pyc", "pyd", "pyo", "rar", "rlib",
    "rmeta", "rpm", "snupkg", "so", "sqlite", "sqlite3", "tar", "tbz2", "tgz", "tif", "tiff", "ttc", "ttf",
    "txz", "war", "wasm", "wav", "webm", "webp", "whl", "wma", "wmv", "woff", "woff2", "xls", "xlsx", "xz",
    "zip", "zst",
];

/// Whether a file with this extension (without its dot, any case) is binary without I/O (spec `project.md` 6.9).
pub fn has_binary_extension(extension: &[u8]) -> bool {
    let Ok(extension) = std::str::from_utf8(extension) else { return false };
    let lower = extension.to_ascii_lowercase();
    BINARY_EXTENSIONS.binary_search(&lower.as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_holds_each_extension_once() {
        assert!(BINARY_EXTENSIONS.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn binary_extensions_match_in_any_case_and_svg_is_text() {
        assert!(
            has_binary_extension(b"PNG") && has_binary_extension(b"bin") && has_binary_extension(b"sqlite")
        );
        assert!(
            !has_binary_extension(b"svg") && !has_binary_extension(b"rs") && !has_binary_extension(b"\xff")
        );
    }
}
