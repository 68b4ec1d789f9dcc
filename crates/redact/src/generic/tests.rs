//! What the generic tier masks in ordinary code and what it leaves.

use fault::Unwatched;

use crate::finding::{FileFacts, Policy};
use crate::sample::{Dice, expand};
use crate::{Detector, Numbering};

fn masked(path: &str, text: &str) -> String {
    let facts = FileFacts { path, ..FileFacts::default() };
    let findings = Detector::shared().detect(text, &facts, &Policy::default(), &Unwatched).unwrap();
    Numbering::new().mask(text, &findings).into_text()
}

/// The part between `⟦` and `⟧` is masked by the generic tier, and nothing else is.
#[track_caller]
fn check(path: &str, marked: &str) {
    let start = marked.find('⟦').unwrap();
    let end = marked.find('⟧').unwrap();
    let text = marked.replace(['⟦', '⟧'], "");
    let lead = &marked[..start];
    let tail = &marked[end + '⟧'.len_utf8()..];
    let out = masked(path, &text);
    let inside = out.strip_prefix(lead).and_then(|rest| rest.strip_suffix(tail)).unwrap_or(&out);
    assert!(["REDACTED[generic-secret#1]", "REDACTED[generic-api-key#1]"].contains(&inside), "{path}: {out}");
}

#[track_caller]
fn stays(path: &str, text: &str) {
    assert_eq!(masked(path, text), text, "{path}");
}

#[test]
fn passwords_in_source_are_masked() {
    for line in [
        "password = \"⟦hunter2x⟧\"",
        "let password: &str = \"⟦P@ssw0rd!⟧\";",
        "const DB_PASSWORD: &'static str = \"⟦kT9v2mQx⟧\";",
        "String password = \"⟦Sommer2019!⟧\";",
        "var password string = \"⟦s3cr3t⟧\"",
        "password := \"⟦vX83kd92a⟧\"",
        "'password' => '⟦Geh31m!8⟧',",
        ":password => '⟦Geh31m!8⟧'",
        "{\"password\": \"⟦qw3rTz81⟧\"}",
        "define('DB_PASSWORD', '⟦qw3rTz81⟧');",
        "config[\"password\"] = \"⟦qw3rTz81⟧\"",
        "client.setPassword(\"⟦qw3rTz81k9⟧\")",
        "<password>⟦qw3rTz81⟧</password>",
        "<db password=\"⟦qw3rTz81⟧\"/>",
        "if (password == \"⟦qw3rTz81k9⟧\") {",
        "password=os.getenv(\"PASSWORD\", \"⟦qw3rTz81k9⟧\")",
        "char password[] = \"⟦qw3rTz81⟧\";",
        "ALTER USER x IDENTIFIED BY '⟦qw3rTz81⟧';",
        "s = \"{\\\"password\\\": \\\"⟦qw3rTz81⟧\\\"}\"",
        // No language puts these letters together.
        "password = \"⟦xkqzvd⟧\"",
        "\"client_secret\": \"⟦qzvdkxwjpt⟧\",",
        // Letters replaced by what looks like them.
        "assert settings.get(\"password\") == \"⟦Passw0rd⟧\"",
        "hash_password(\"⟦Password2468⟧\")",
    ] {
        check("src/main.rs", line);
    }
}

#[test]
fn random_values_of_secrets_tokens_and_keys_are_masked() {
    let mut missed = Vec::new();
    let mut total = 0;
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        for shape in [
            "{alnum:16}",
            "{alnum:32}",
            "{lowernum:24}",
            "{hex:32}",
            "{hex:64}",
            "{base64:43}=",
            "{base64url:40}",
            "{uppernum:20}",
        ] {
            for carrier in [
                "API_KEY = \"{}\"",
                "let token = \"{}\";",
                "\"client_secret\": \"{}\",",
                "secretKey: '{}'",
                "auth_token=\"{}\"",
                "headers[\"X-Api-Key\"] = \"{}\"",
            ] {
                let value = expand(shape, &mut dice);
                let text = carrier.replace("{}", &value);
                total += 1;
                if masked("src/a.py", &text).contains(&value) {
                    missed.push(text);
                }
            }
        }
    }
    assert!(
        missed.len() * 50 < total,
        "{} of {total} missed: {:#?}",
        missed.len(),
        &missed[..missed.len().min(20)]
    );
}

#[test]
fn settings_and_scripts_need_no_quotes() {
    check("conf/app.properties", "db.password=⟦qw3rTz81⟧");
    check("deploy.sh", "export API_TOKEN=⟦x8Kd02mQpL4nZt7V⟧");
    check("values.yaml", "  apiKey: ⟦x8Kd02mQpL4nZt7V⟧ # key");
    check("run.sh", "tool --password ⟦qw3rTz81⟧ --verbose");
    check("notes.md", "Password: ⟦qw3rTz81⟧");
    check("notes.md", "password: ⟦averyveryl@ngsentence⟧");
    stays("notes.md", "password: user@mail.example.net");
    check("src/a.js", "fetch(`/x?access_token=⟦x8Kd02mQpL4nZt7V⟧&a=1`)");
    stays("src/a.js", "password = qw3rTz81;");
}

#[test]
fn headers_with_credentials_are_masked() {
    check("src/a.py", "\"Authorization\": \"Bearer ⟦x8Kd02mQpL4nZt7Vw1⟧\"");
    check("src/a.sh", "-H 'Authorization: Basic ⟦Ym90Omh1bnRlcjI4Nzc=⟧'");
    stays("src/a.py", "\"Authorization\": \"Bearer \" + token");
    stays("src/a.md", "a basic understanding of bearer authentication");
}

#[test]
fn code_about_secrets_stays() {
    for line in [
        "let token = self.next_token();",
        "password = user.password",
        "token: TokenKind::Identifier,",
        "password: str = Field(...)",
        "password = \"password\"",
        "password = \"identity\"",
        "hash_password(\"sha256\")",
        "password: \"Password\"",
        "pass = \"pass\"",
        "token = \"identifier\"",
        "token == \"get_user_token\"",
        "api_key = \"api-key\"",
        "const SECRET: &str = \"my-secret-name\";",
        "\"password\": \"Passwort vergessen?\"",
        "input type=\"password\" autocomplete=\"current-password\" id=\"x1\"",
        "secret_name = \"prod/db-credentials-v2\"",
        "access_token_url = 'https://accounts.test/o/oauth2/token'",
        "key = \"a8f5f167f44f4964e6c998dee827110c\"",
        "KeyId = \"1374ef38-d34e-4d5f-b2c9-4e0daee38855\"",
        "api_key = \"1374ef38-d34e-4d5f-b2c9-4e0daee38855\"",
        "integrity_token = \"sha512-q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJ\"",
        "password_hash = \"5f4dcc3b5aa765d61d8327deb882cf99\"",
        "token = \"${GITHUB_TOKEN}\"",
        "password = f\"{user}123!\"",
        "api_key: \"<your-api-key-12345>\"",
        "secret = \"12345678901234567890\"",
        "private_key = \"000102030405060708090a0b0c0d0e0f\"",
        "SECRET_KEY = \"abcdefghijklmnopqrstuvwxyz0123456789\"",
        "auth_token = \"EXAMPLE9q8w7e6r5t4z3u2i1\"",
        "password = \"scram-sha-256\"",
        "password_encryption = md5",
        "ssh_key = \"AAAAC3NzaC1lZDI1NTE5AAAAIKq3vJ8mP2xR7tW9yB4nL6sD1fG5hK0jZ8cV2bN4mQ7e\"",
        "public_key = \"x8Kd02mQpL4nZt7Vx8Kd02mQpL4nZt7V\"",
        "nextToken: \"x8Kd02mQpL4nZt7Vx8Kd02mQpL4nZt7V\"",
        "password = getpass.getpass('Password: ')",
        "token_pattern = r\"([0-9A-Fa-f]{8})\"",
        "passwordInput = document.getElementById('password-input-2')",
    ] {
        stays("src/main.rs", line);
    }
}

#[test]
fn hexadecimal_keys_of_tests_are_test_vectors() {
    check("src/a.rs", "secret_key = \"⟦8f3a91c07b5de2466f1d0a83c97e54b2⟧\"");
    stays("tests/vectors.rs", "secret_key = \"8f3a91c07b5de2466f1d0a83c97e54b2\"");
}
