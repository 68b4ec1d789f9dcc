//! Generates samples: formats x carriers x mutations, the same for the same seed. It does not judge what is found.

use redact::RULES;
use redact::sample::{Dice, expand};

use super::score::Sample;

/// How a bare token is carried: a file and the text around `@@`.
const CARRIERS: &[(&str, &str)] = &[
    ("src/settings.py", "TOKEN = \"@@\"\n"),
    ("src/client.js", "const client = connect({ auth: '@@', retries: 3 });\n"),
    ("src/main.rs", "    let value = \"@@\".to_owned();\n"),
    ("src/main.go", "\tvalue := `@@`\n"),
    ("src/Client.java", "    private static final String VALUE = \"@@\";\n"),
    ("conf/service.yaml", "service:\n  token: @@\n"),
    ("conf/service.json", "{\n  \"auth\": {\"value\": \"@@\"}\n}\n"),
    ("conf/service.toml", "[service]\nvalue = \"@@\"\n"),
    ("conf/app.properties", "service.value=@@\n"),
    ("deploy.sh", "export VALUE=@@\n"),
    ("run.sh", "curl -H \"Authorization: Bearer @@\" https://api.internal/v1/items\n"),
    ("docs/setup.md", "Use the value `@@` when you are asked.\n"),
    ("src/page.html", "<div data-value=\"@@\"></div>\n"),
    ("logs/today.log", "2026-11-30T10:00:00Z INFO login with @@ ok\n"),
    ("data/rows.csv", "7,service,@@,active\n"),
    ("src/quoted.json", "{\"text\": \"line\\nvalue=\\\"@@\\\"\\n\"}\n"),
];

/// Files whose shape says where a password stands.
const STRUCTURED: &[(&str, &str)] = &[
    (".env", "HOST=db\nDB_PASSWORD=@@\n"),
    (".env.production", "export API_SECRET=\"@@\" # rotate\n"),
    ("Dockerfile", "FROM alpine\nENV APP_SECRET=@@\n"),
    ("docker-compose.yml", "services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: @@\n"),
    ("appsettings.json", "{\"Mail\": {\"Password\": \"@@\"}}\n"),
    ("prod.tfvars", "db_password = \"@@\"\n"),
    ("web.config", "<add key=\"MailPassword\" value=\"@@\" />\n"),
    ("app/settings.py", "EMAIL_HOST_PASSWORD = '@@'\n"),
    (".netrc", "machine api.internal login app password @@\n"),
    (".pgpass", "db:5432:app:app:@@\n"),
    ("src/db.py", "URL = \"postgres://app:@@@db.internal/app\"\n"),
    ("src/Db.cs", "var c = \"Server=db;Database=app;User Id=app;Password=@@;\";\n"),
    ("deploy/secret.yaml", "kind: Secret\ndata:\n  user: @@\n"),
];

/// Shapes of passwords that people and generators choose.
const PASSWORDS: &[&str] = &[
    "{lower:6}{digit:3}",
    "{upper:1}{lower:7}{digit:2}!",
    "{alnum:16}",
    "{alnum:24}",
    "{lowernum:12}",
    "{base64url:32}",
    "{hex:32}",
];

const KEYS: &[&str] = &["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "];

/// What happens to a whole text besides.
const MUTATIONS: usize = 6;

/// All positives, and the misses of the rules as negatives.
pub(crate) fn generate(seed: u64, per_template: usize) -> Vec<Sample> {
    let mut dice = Dice::new(seed);
    let mut samples = Vec::new();
    let mut turn = 0;
    for rule in RULES.iter() {
        for template in rule.samples {
            for _ in 0..per_template {
                let start = dice.next_u64();
                let text = expand(template, &mut Dice::new(start));
                let Some(value) = drawn(template, &text, start) else { continue };
                let bare =
                    text.bytes().all(|b| b.is_ascii_graphic() && !b"\"'`<>,;:={}()[]&|\\".contains(&b));
                let (path, text) = match (bare, rule.paths.first()) {
                    (true, None) => {
                        let (path, carrier) = CARRIERS[turn % CARRIERS.len()];
                        (path.to_owned(), carrier.replace("@@", &text))
                    }
                    (_, Some(end)) if end.starts_with('.') => (format!("conf/a{end}"), text + "\n"),
                    (_, Some(end)) => (format!("conf/{end}"), text + "\n"),
                    (false, None) => ("src/notes.txt".to_owned(), text + "\n"),
                };
                let text = mutate(turn / CARRIERS.len(), rule.paths.is_empty(), text);
                samples.push(Sample { set: "provider formats", path, text, values: vec![value] });
                turn += 1;
            }
        }
        // A miss that gives its value to a telling name is a generic assignment; only what stands alone is a look-alike.
        for template in rule
            .misses
            .iter()
            .filter(|miss| !expand(miss, &mut Dice::new(0)).contains([' ', '=', ':', '"', '\'', '<']))
        {
            let text = expand(template, &mut dice) + "\n";
            samples.push(Sample {
                set: "look-alikes",
                path: "src/notes.txt".to_owned(),
                text,
                values: Vec::new(),
            });
        }
    }
    for (path, carrier) in STRUCTURED {
        for shape in PASSWORDS {
            let value = expand(shape, &mut dice);
            let text = carrier.replacen("@@", &value, 1);
            samples.push(Sample {
                set: "structured files",
                path: (*path).to_owned(),
                text,
                values: vec![value],
            });
        }
    }
    for (turn, kind) in KEYS.iter().cycle().take(KEYS.len() * 8).enumerate() {
        samples.push(key(kind, turn, &mut dice));
    }
    samples
}

/// The part of an expanded template that differs from draw to draw: its longest word, without what two draws share.
fn drawn(template: &str, text: &str, start: u64) -> Option<String> {
    let words = |text: &str| -> Vec<String> {
        let inside = |c: char| c.is_ascii_alphanumeric() || "+/_-.~".contains(c);
        text.split(|c| !inside(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let mine = words(text);
    // Of several other draws one has as many words.
    let other = (1..40)
        .map(|step| words(&expand(template, &mut Dice::new(start ^ step))))
        .find(|other| other.len() == mine.len())?;
    let cores = mine.iter().zip(&other).map(|(a, b)| {
        let head = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        let rest = &a.as_bytes()[head..];
        let tail = rest
            .iter()
            .rev()
            .zip(b.as_bytes()[head.min(b.len())..].iter().rev())
            .take_while(|(a, b)| a == b)
            .count();
        &a[head..a.len() - tail]
    });
    cores.max_by_key(|core| core.len()).filter(|core| core.len() >= 4).map(str::to_owned)
}

/// What editors, systems and bundlers do to a text.
fn mutate(kind: usize, free: bool, text: String) -> String {
    if !free {
        return text;
    }
    match kind % MUTATIONS {
        1 => text.replace('\n', "\r\n"),
        2 => format!("// {}", text.trim_start()),
        3 => format!("{}{text}", " ".repeat(24)),
        4 => format!("{};{}", "function a(b){return b+1}".repeat(200), text.trim_start()),
        5 => format!("\u{FEFF}{text}tail é世界\n"),
        _ => text,
    }
}

/// A private key in one of its carriers.
fn key(kind: &str, turn: usize, dice: &mut Dice) -> Sample {
    let lines: Vec<String> = expand("{pem:12}", dice).lines().map(str::to_owned).collect();
    let (head, tail) =
        (format!("-----BEGIN {kind}PRIVATE KEY-----"), format!("-----END {kind}PRIVATE KEY-----"));
    let joined = |mark: &str| lines.join(mark);
    let (path, text) = match turn / KEYS.len() % 5 {
        0 => ("keys/server.pem", format!("{head}\n{}\n{tail}\n", joined("\n"))),
        1 => ("conf/key.json", format!("{{\"key\": \"{head}\\n{}\\n{tail}\\n\"}}\n", joined("\\n"))),
        2 => ("conf/key.yaml", format!("key: |\n  {head}\n  {}\n  {tail}\n", joined("\n  "))),
        3 => (
            "src/key.py",
            format!(
                "KEY = (\n    \"{head}\\n\"\n    \"{}\\n\"\n    \"{tail}\\n\"\n)\n",
                joined("\\n\"\n    \"")
            ),
        ),
        _ => ("keys/cut.pem", format!("{head}\n{}\n", joined("\n"))),
    };
    Sample { set: "private keys", path: path.to_owned(), text, values: lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_samples_and_every_value_stands_in_its_text() {
        let samples = generate(5, 1);
        let again = generate(5, 1);
        assert!(samples.iter().zip(&again).all(|(a, b)| a.text == b.text) && samples.len() == again.len());
        assert!(samples.len() > 1_000, "{}", samples.len());
        for sample in &samples {
            for value in &sample.values {
                assert!(sample.text.contains(value.as_str()), "{value} in {}", sample.text);
            }
        }
    }

    #[test]
    fn what_two_draws_share_is_no_part_of_the_value() {
        let template = "key=abc_{hex:20}";
        let text = expand(template, &mut Dice::new(9));
        let value = drawn(template, &text, 9).unwrap();
        assert!(text.ends_with(&value) && (17..=20).contains(&value.len()), "{value}");
    }
}
