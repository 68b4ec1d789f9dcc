//! Each row and each exemption of `project.md` 9.4.

use fault::Unwatched;

use crate::finding::{FileFacts, Policy, Stacks};
use crate::{Detector, Numbering};

/// Masks `text` as the file `path`.
fn masked(path: &str, text: &str) -> String {
    masked_in(path, Stacks::NONE, text)
}

fn masked_in(path: &str, stacks: Stacks, text: &str) -> String {
    let facts = FileFacts { path, stacks };
    let findings = Detector::shared().detect(text, &facts, &Policy::default(), &Unwatched).unwrap();
    Numbering::new().mask(text, &findings).into_text()
}

#[track_caller]
fn check(path: &str, text: &str, expected: &str) {
    assert_eq!(masked(path, text), expected, "{path}: {text}");
}

#[track_caller]
fn stays(path: &str, text: &str) {
    check(path, text, text);
}

#[test]
fn credential_uris_lose_their_password_in_any_text() {
    for scheme in [
        "postgres",
        "postgresql",
        "mysql",
        "mongodb",
        "mongodb+srv",
        "redis",
        "rediss",
        "amqp",
        "amqps",
        "http",
        "https",
    ] {
        check(
            "src/main.rs",
            &format!("let url = \"{scheme}://app:hunter2@db.internal/x\";"),
            &format!("let url = \"{scheme}://app:REDACTED[credential-uri-password#1]@db.internal/x\";"),
        );
    }
}

#[test]
fn the_password_of_a_uri_reaches_to_the_last_at_sign() {
    check("a.md", "mysql://u:p@ss:w@host:1/db", "mysql://u:REDACTED[credential-uri-password#1]@host:1/db");
    check("a.md", "redis://:s3cr@cache:6379", "redis://:REDACTED[credential-uri-password#1]@cache:6379");
    check("a.md", "https://u:admin@localhost/", "https://u:REDACTED[credential-uri-password#1]@localhost/");
    stays("a.md", "https://host/path:with@sign and https://user@host/ and see http://host:80/a@b");
}

#[test]
fn documentation_hosts_and_templates_keep_their_uri() {
    for host in ["example.com", "db.example.org:5432", "EXAMPLE.NET", "a.test", "x.example", "y.invalid"] {
        stays("a.md", &format!("https://user:hunter2@{host}/x"));
    }
    for password in
        ["${PW}", "<password>", "%PW%", "{{pw}}", "changeme", "your-password", "xxxx", "{password}", "$PASS"]
    {
        stays("a.md", &format!("postgres://user:{password}@db.internal/x"));
    }
    check(
        "a.md",
        "http://u:pw12@notexample.com/",
        "http://u:REDACTED[credential-uri-password#1]@notexample.com/",
    );
}

#[test]
fn connection_strings_lose_their_password() {
    check(
        "src/Db.cs",
        "var s = \"Server=db;Database=shop;User Id=app;Password=hunter2;Pooling=true\";",
        "var s = \"Server=db;Database=shop;User Id=app;Password=REDACTED[connection-password#1];Pooling=true\";",
    );
    check(
        "x.txt",
        "Data Source=db;Initial Catalog=x;uid=a;Pwd=p w d",
        "Data Source=db;Initial Catalog=x;uid=a;Pwd=REDACTED[connection-password#1]",
    );
    check(
        "A.java",
        "String u = \"jdbc:mysql://h/db?user=a&password=hunter2&ssl=1\";",
        "String u = \"jdbc:mysql://h/db?user=a&password=REDACTED[connection-password#1]&ssl=1\";",
    );
    check(
        "a.py",
        "connect(host=\"db\", user=\"app\", password=\"hunter2\")",
        "connect(host=\"db\", user=\"app\", password=\"REDACTED[connection-password#1]\")",
    );
    check(
        "a.py",
        "dsn = 'host=db user=app password=hunter2 dbname=x'",
        "dsn = 'host=db user=app password=REDACTED[connection-password#1] dbname=x'",
    );
}

#[test]
fn one_assignment_or_no_connection_key_is_no_connection_string() {
    stays("a.txt", "password=admin");
    stays("a.txt", "colour=red;password=admin");
    stays("a.py", "connect(host=host, username=username, password=password)");
    stays("a.c", "host = a; password = b;");
    for line in [
        "Server=db;Password=Zq9xSecret",
        "Password=Zq9xSecret;User Id=sa",
        "username=a;password=Zq9xSecret",
        "user id=sa; password=Zq9xSecret",
        "Database=x;Pwd=Zq9xSecret",
    ] {
        check("a.txt", line, &line.replace("Zq9xSecret", "REDACTED[connection-password#1]"));
    }
    stays("a.js", "f(function(){username=a;password=b})");
    stays("a.cs", "$\"Server={host};Database={db};Password={password};\"");
    stays("a.cs", "\"Server=\" + host + \";Database=x;Password=\" + password + \";\"");
}

#[test]
fn environment_files_lose_the_values_of_sensitive_keys() {
    for path in [".env", "app/.env.local", ".npmrc", ".envrc"] {
        check(path, "DB_PASSWORD=admin\nUSER=me\n", "DB_PASSWORD=REDACTED[environment-secret#1]\nUSER=me\n");
    }
    check(
        ".env",
        "export API_KEY='abc' # the key\n",
        "export API_KEY='REDACTED[environment-secret#1]' # the key\n",
    );
    check(".env", "API_KEY=abc # note\r\nX=1", "API_KEY=REDACTED[environment-secret#1] # note\r\nX=1");
    check(".env", "SECRET=a#b", "SECRET=REDACTED[environment-secret#1]");
    check(".env", "A_TOKEN=\"one\ntwo\"\nX=1", "A_TOKEN=\"REDACTED[environment-secret#1]\n\"\nX=1");
    check(
        ".npmrc",
        "//registry.test/:_authToken=123456",
        "//registry.test/:_authToken=REDACTED[environment-secret#1]",
    );
    check(
        ".env",
        "DB_PASSWD=1\nROOT_PWD=2\nPWD=/home\nOLDPWD=/",
        "DB_PASSWD=REDACTED[environment-secret#1]\nROOT_PWD=REDACTED[environment-secret#2]\nPWD=/home\nOLDPWD=/",
    );
    stays("env.txt", "DB_PASSWORD=admin");
}

#[test]
fn templates_in_configuration_stay() {
    for value in [
        "",
        "${DB}",
        "$(pass db)",
        "{{ db }}",
        "<db password>",
        "%DB%",
        "changeme",
        "CHANGE_ME",
        "your-password",
        "your-api-key-here",
        "insert-key-here",
        "enter-password-here",
        "replace_me",
        "todo",
        "TBD",
        "placeholder",
        "n/a",
        "null",
        "none",
        "unset",
        "xxxx",
        "****",
    ] {
        stays(".env", &format!("DB_PASSWORD={value}\n"));
        stays("application.yml", &format!("password: \"{value}\"\n"));
    }
}

#[test]
fn weak_real_values_in_configuration_are_masked() {
    for value in ["admin", "123456", "xxx", "0000", "secret", "password"] {
        check(".env", &format!("DB_PASSWORD={value}\n"), "DB_PASSWORD=REDACTED[environment-secret#1]\n");
    }
}

#[test]
fn json_settings_lose_strings_and_numbers() {
    for path in ["appsettings.json", "src/appsettings.Development.json", "prod.tfvars.json"] {
        check(
            path,
            "{\n  \"Name\": \"x\", // c\n  \"Db\": {\"Password\": \"ad\\\"min\", \"Port\": 1},\n  \"ApiKey\" : 123456,\n  \"Tokens\": true, \"secrets\": [\"a1\", \"b2\"]\n}",
            "{\n  \"Name\": \"x\", // c\n  \"Db\": {\"Password\": \"REDACTED[config-secret#1]\", \"Port\": 1},\n  \"ApiKey\" : REDACTED[config-secret#2],\n  \"Tokens\": true, \"secrets\": [\"REDACTED[config-secret#3]\", \"REDACTED[config-secret#4]\"]\n}",
        );
    }
    stays("settings.json", "{\"Password\": \"admin\"}");
    stays(
        "appsettings.json",
        "{\"Password\": null, \"ApiKey\": true, \"Secret\": {\"a\": \"b\"}, \"unclosed",
    );
}

#[test]
fn yaml_settings_lose_scalars_list_items_flow_values_and_blocks() {
    for path in [
        "application.yml",
        "application-prod.yaml",
        "docker-compose.yml",
        "docker-compose.override.yaml",
        "compose.yaml",
        "compose.prod.yml",
    ] {
        check(
            path,
            "db:\n  user: app\n  password: admin # weak\n  \"apiKey\": 'k1'\n  list:\n    - POSTGRES_PASSWORD=pw1\n    - \"X_TOKEN=t1\"\n    - secret: s1\n  flow: {user: a, password: p2, z: 1}\n  tagged: !!str x\n  clientSecret: !!str &a s2\n  other: *a\n",
            "db:\n  user: app\n  password: REDACTED[config-secret#1] # weak\n  \"apiKey\": 'REDACTED[config-secret#2]'\n  list:\n    - POSTGRES_PASSWORD=REDACTED[config-secret#3]\n    - \"X_TOKEN=REDACTED[config-secret#4]\"\n    - secret: REDACTED[config-secret#5]\n  flow: {user: a, password: REDACTED[config-secret#6], z: 1}\n  tagged: !!str x\n  clientSecret: !!str &a REDACTED[config-secret#7]\n  other: *a\n",
        );
        check(
            path,
            "secret: |\n  one\n\n  two\nnext: 1\n",
            "secret: |\n  REDACTED[config-secret#1]\n\n\nnext: 1\n",
        );
    }
    stays("values.yaml", "password: admin");
    stays(
        "compose.yaml",
        "secrets:\n  db_password:\n    file: ./x\nimage: app:1\npassword: ${DB_PASSWORD}\npassword: *shared\n",
    );
}

#[test]
fn xml_settings_lose_attributes_values_beside_keys_and_element_text() {
    check(
        "web.config",
        "<add key=\"ApiKey\" value=\"k1\"/><add value='k2' name='DbPassword'/><db password=\"p1\" user=\"u\"/><Secret> s1 </Secret>\n<setting name=\"Token\"><value>t1</value></setting><setting name=\"X\"><value>v</value></setting><add key=\"Colour\" value=\"red\"/>",
        "<add key=\"ApiKey\" value=\"REDACTED[config-secret#1]\"/><add value='REDACTED[config-secret#2]' name='DbPassword'/><db password=\"REDACTED[config-secret#3]\" user=\"u\"/><Secret> REDACTED[config-secret#4] </Secret>\n<setting name=\"Token\"><value>REDACTED[config-secret#5]</value></setting><setting name=\"X\"><value>v</value></setting><add key=\"Colour\" value=\"red\"/>",
    );
    stays("web.xml", "<db password=\"admin\"/>");
}

#[test]
fn terraform_variables_lose_literals() {
    check(
        "prod.tfvars",
        "region = \"eu\"\ndb_password = \"admin\"\nm = { user = \"u\", api_key = \"k1\" }\ntokens = 1\npin_secret = 1234\ncert_private_key = <<EOT\nline1\nline2\nEOT\nx = 1\n",
        "region = \"eu\"\ndb_password = \"REDACTED[config-secret#1]\"\nm = { user = \"u\", api_key = \"REDACTED[config-secret#2]\" }\ntokens = 1\npin_secret = REDACTED[config-secret#3]\ncert_private_key = <<EOT\nREDACTED[config-secret#4]\n\nEOT\nx = 1\n",
    );
    stays("main.tf", "db_password = \"admin\"");
}

#[test]
fn python_settings_lose_string_literals_only() {
    check(
        "app/settings.py",
        "SECRET_KEY = 'k1'\nDATABASES = {'default': {'PASSWORD': \"p1\", 'USER': 'u'}}\nAPI_KEY: str = r'k2'\nTOKEN = (\n    'a1'\n    'b2'\n)\nEMAIL_HOST_PASSWORD = os.environ['X']\nOTHER_TOKEN = get('y')\n",
        "SECRET_KEY = 'REDACTED[config-secret#1]'\nDATABASES = {'default': {'PASSWORD': \"REDACTED[config-secret#2]\", 'USER': 'u'}}\nAPI_KEY: str = r'REDACTED[config-secret#3]'\nTOKEN = (\n    'REDACTED[config-secret#4]'\n    'REDACTED[config-secret#5]'\n)\nEMAIL_HOST_PASSWORD = os.environ['X']\nOTHER_TOKEN = get('y')\n",
    );
    stays("app/other.py", "PASSWORD = 'admin'");
}

#[test]
fn container_files_lose_env_and_arg() {
    for path in ["Dockerfile", "docker/Dockerfile.dev", "x.dockerfile", "Containerfile"] {
        check(
            path,
            "FROM a\nENV DB_PASSWORD=admin USER=u API_KEY=\"k 1\"\nARG X_TOKEN=t1\nENV OLD_SECRET some value\nARG NPM_TOKEN\nENV A=1 \\\n    B_SECRET=s1 \\\n    C=2\nRUN PASSWORD=x cmd\n",
            "FROM a\nENV DB_PASSWORD=REDACTED[container-secret#1] USER=u API_KEY=\"REDACTED[container-secret#2]\"\nARG X_TOKEN=REDACTED[container-secret#3]\nENV OLD_SECRET REDACTED[container-secret#4]\nARG NPM_TOKEN\nENV A=1 \\\n    B_SECRET=REDACTED[container-secret#5] \\\n    C=2\nRUN PASSWORD=x cmd\n",
        );
    }
}

#[test]
fn request_files_lose_authorization_and_cookies() {
    for path in ["a.http", "b.rest"] {
        check(
            path,
            "GET /x\nAuthorization: Bearer abc\nproxy-authorization: basic dTpw\nAuthorization: Token t1\nAuthorization: Digest x\nCookie: a=1; b=2\nSet-Cookie: s=3; Path=/; a=b\nAuthorization: Bearer {{token}}\n",
            "GET /x\nAuthorization: Bearer REDACTED[authorization-bearer#1]\nproxy-authorization: basic REDACTED[authorization-basic#1]\nAuthorization: Token REDACTED[authorization-token#1]\nAuthorization: Digest x\nCookie: a=REDACTED[http-cookie#1]; b=REDACTED[http-cookie#2]\nSet-Cookie: s=REDACTED[http-cookie#3]; Path=/; a=b\nAuthorization: Bearer {{token}}\n",
        );
    }
}

#[test]
fn login_files_lose_passwords() {
    for path in [".pgpass", "pgpass.conf"] {
        check(
            path,
            "# h:p:d:u:x\nh:1:d:u:pw\na\\:b:1:d:u:p\\:w\n",
            "# h:p:d:u:x\nh:1:d:u:REDACTED[pgpass-password#1]\na\\:b:1:d:u:REDACTED[pgpass-password#2]\n",
        );
    }
    for path in [".netrc", "_netrc"] {
        check(
            path,
            "machine h login password password pw1\ndefault\n  login a\n  password \"p w\"\n",
            "machine h login password password REDACTED[netrc-password#1]\ndefault\n  login a\n  password \"REDACTED[netrc-password#2]\"\n",
        );
    }
}

#[test]
fn stack_extras_reach_the_files() {
    check("appsettings.json", "{\"JwtKeyMaterial\": \"x1\"}", "{\"JwtKeyMaterial\": \"x1\"}");
    let masked = masked_in("appsettings.json", Stacks::DOTNET, "{\"JwtKeyMaterial\": \"x1\"}");
    assert_eq!(masked, "{\"JwtKeyMaterial\": \"REDACTED[config-secret#1]\"}");
}

#[test]
fn manifests_of_kubernetes_secrets_lose_every_value() {
    check(
        "deploy/db.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  user: YWRtaW4=\n  host: \"ZGI=\" # b\nstringData:\n  tls.key: |\n    one\n    two\n  url: ${URL}\ntype: Opaque\n---\nkind: ConfigMap\ndata:\n  user: plain\n",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  user: REDACTED[config-secret#1]\n  host: \"REDACTED[config-secret#2]\" # b\nstringData:\n  tls.key: |\n    REDACTED[config-secret#3]\n\n  url: ${URL}\ntype: Opaque\n---\nkind: ConfigMap\ndata:\n  user: plain\n",
    );
    check(
        "list.yml",
        "items:\n- kind: 'Secret'\n  data:\n    user: YWRtaW4=\n  type: Opaque\n",
        "items:\n- kind: 'Secret'\n  data:\n    user: REDACTED[config-secret#1]\n  type: Opaque\n",
    );
    stays("list.yml", "kind: SecretStore\ndata:\n  user: plain\n");
    stays("readme.md", "kind: Secret\ndata:\n  user: plain\n");
}
