"""The frozen list of secrets that redaction must find, and of lines that it must leave alone.

Secrets are put together from pieces, so that no scanner mistakes this file for a leak. A row is a text with
`{}` in the place of the secret.
"""

from __future__ import annotations

import base64

PASSWORD = "Xk9d" + "Lm2PqR8"
WORDY = "Sup3r" + "S3cretPw"
MARKED = "Tr0ub" + "4dor&3xY"
LONG = "a8F3k9" + "Zq27LmX0vB5tYw"
HEX32 = "9f86d081884c7d65" + "9a2feaa0c55ad015"
STORAGE = base64.b64encode(bytes(range(7, 71))).decode()
UUID = "3f2b8c1e-7d4a-4f6b" + "-9e0c-5a1d2b3c4e5f"
BASE64 = base64.b64encode(b"sup3rs3cret-" + b"value").decode()
BASIC = base64.b64encode(b"deploy:" + b"Xk9dLm2PqR8").decode()
SHORT_BASIC = base64.b64encode(b"ci:" + b"Zx81k").decode()
KEY_DATA = base64.b64encode(b"-----BEGIN RSA " + b"PRIVATE KEY-----\n" + b"MIIEpAIBAAKCAQEA7bq" * 9).decode()
SIGNATURE = "kPz7W3vQ%2Fd" + "Y1m8RbT0xN5cJ4hUe6gLsA2oFi9%3D"
DISCORD = (
    base64.b64encode(b"1028374650" + b"91827364").decode()
    + ".Gx"
    + "3kLq.Zt7"
    + "pR2mVb9Yw4nJc6kXs8dHf1gQe5uLo0iA"
)
SEED = "legal winner thank year wave " + "sausage worth useful legal winner thank yellow"
SEED_24 = (
    "void come effort suffer camp survey warrior heavy shoot primary clutch crush "
    + "open amazing screen patrol group space point ten exist slush involve unfold"
)

# (kind, text, secret)
ROWS: tuple[tuple[str, str, str], ...] = (
    # environment files, shells, Docker
    ("env", "DB_PASSWORD={}", WORDY),
    ("env", "HOST=db\nPOSTGRES_PASSWORD={}\nPORT=5432\n", "hunt" + "er2x9"),
    ("env", "export MYSQL_ROOT_PASSWORD={}\n", "r00t" + "pw!"),
    ("env", "export API_TOKEN={}  # of the shop", "tok9x8" + "y7z6w5v4"),
    ("env", "JWT_SECRET={}", "9f8sd7" + "f6s9d8f7"),
    ("env", "SMTP_PASS={}", "Gh7k" + "Lp2q"),
    ("env", "ENCRYPTION_KEY={}", HEX32),
    ("env", "APP_KEY=base64:{}", "Zm9vYmFyYmF6cXV4" + "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg="),
    ("env", "set DB_PASSWORD={}\r\n", PASSWORD),
    ("env", 'DB_PASSWORD="{}"', "hunt" + "er2x9"),
    ("env", "ADMIN_PASSWORD={}", "8473" + "6251"),
    ("env", "# DB_PASSWORD={}", PASSWORD),
    ("env", "AWS_SESSION_TOKEN={}", "IQoJb3JpZ2luX2VjE" + "Pr8a7Kd0Lq3"),
    ("env", "PGPASSWORD={} psql -h db -U app", "hunt" + "er2x9"),
    ("dockerfile", "FROM debian\nENV DB_PASSWORD={}\n", PASSWORD),
    ("dockerfile", "ENV DB_PASSWORD {}\n", PASSWORD),
    ("dockerfile", "ARG NPM_TOKEN={}\n", LONG),
    ("compose", "    environment:\n      - POSTGRES_PASSWORD={}\n", "hunt" + "er2x9"),
    ("compose", "    environment:\n      POSTGRES_PASSWORD: {}\n", WORDY),
    ("docker", "docker run -e MYSQL_ROOT_PASSWORD={} -d mysql:8", "my-s3" + "cr3t"),
    # sentences
    ("sentence", "The WiFi password is {}.", MARKED),
    ("sentence", "The password of the staging server was {}, ask Ben.", PASSWORD),
    ("sentence", "the admin password for build.acme.io is now `{}`", MARKED),
    ("sentence", "Das Passwort im Büro lautet {}", MARKED),
    ("sentence", "my password: {} please use it", "Xk29!" + "qqLzP0"),
    ("sentence", "the password: {}, please", "Xk29" + "qqLzP0"),
    ("sentence", "DB_PASSWORD: {} please", "Xk29" + "qqLzP0"),
    ("sentence", "api_key: {} please", "Xk29!" + "qqLzP0Xk29qqLzP0"),
    ("sentence", "my API key: {} for the shop", LONG),
    ("sentence", "token: {} is for staging", "8f3a9b2c" + "7d1e4f6a8b9c"),
    ("sentence", "the host is db, the password: {}. Ask Ben.", PASSWORD),
    ("sentence", "log in (password: {}) and deploy", MARKED),
    ("sentence", "my password: `{}` please", PASSWORD),
    ("sentence", "**Password:** {} until May", PASSWORD),
    # YAML, properties, INI, XML
    ("yaml", "password: {}", PASSWORD),
    ("yaml", "db:\n  user: app\n  password: {}\n  port: 5432\n", MARKED),
    ("yaml", "  password: '{}'\n", MARKED),
    ("yaml", "secretKey: {}\n", LONG),
    ("yaml", "access_token: {}\n", LONG),
    ("yaml", "users:\n  - password: {}\n", PASSWORD),
    ("yaml", "client_secret: {}\n", "q8W~x" + "3kL0pZ"),
    ("yaml", "secret_key_base: {}\n", HEX32 * 4),
    ("yaml", "password: {} # rotate in May\n", "p@ss" + "w0rd!9"),
    ("properties", "spring.datasource.password={}", "Wint3r" + "IsC0ming"),
    ("properties", "spring.datasource.password: {}\n", "Wint3r" + "IsC0ming"),
    ("properties", "jdbc.password = {}\n", MARKED),
    ("properties", "db.pass={}\n", "Gh7k" + "Lp2q"),
    ("properties", "signing.keyPassword={}\n", PASSWORD),
    ("ini", "[client]\nuser=root\npassword={}\n", "hunt" + "er2x9z"),
    ("ini", "password = {}\n", PASSWORD),
    ("ini", "host1 ansible_user=app ansible_ssh_pass={}\n", "Gh7k" + "Lp2q"),
    ("xml", "<server><id>a</id><password>{}</password></server>", PASSWORD),
    ("xml", '<property name="hibernate.connection.password" value="{}"/>', PASSWORD),
    ("npmrc", "//registry.npmjs.org/:_authToken={}\n", UUID),
    ("npmrc", "//npm.example.net/:_password={}\n", BASE64),
    ("redis", "requirepass {}\n", PASSWORD),
    ("wpa", '    psk="{}"\n', "k1tchen" + "T4ble"),
    # Kubernetes, Docker, netrc, pgpass
    ("kubernetes", "apiVersion: v1\nkind: Secret\ndata:\n  password: {}\n", BASE64),
    ("kubernetes", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  db-user: {}\n", BASE64),
    ("kubernetes", "kind: Secret\nstringData:\n  config: {}\ntype: Opaque\n", "hunt" + "er2x9"),
    ("kubernetes", "stringData:\n  dsn: {}\nkind: Secret\n", "hunt" + "er2x9"),
    ("kubernetes", "    client-key-data: {}\n", KEY_DATA),
    ("docker", '{{"auths": {{"ghcr.io": {{"auth": "{}"}}}}}}', BASIC),
    ("docker", "docker login -u ci -p {} ghcr.io", PASSWORD),
    ("netrc", "machine api.acme.io login deploy password {}", "hunt" + "er2"),
    ("netrc", "machine api.acme.io\n  login deploy\n  password {}\n", PASSWORD),
    ("pgpass", "db.internal:5432:shop:app:{}\n", "hunt" + "er2x"),
    # command lines
    ("flag", "app login --user me --password {}", "hunt" + "er2"),
    ("flag", "app login --password={} --verbose", PASSWORD),
    ("flag", "app --db-password '{}' run", PASSWORD),
    ("flag", "deploy --token {} --yes", LONG),
    ("flag", "deploy --api-key {}", LONG),
    ("flag", "wget --http-password={} https://acme.io/a", PASSWORD),
    ("mysql", "mysql -u root -p{} shop", "hunt" + "er2"),
    ("mysql", "mysqldump -h db -uroot -p'{}' shop > dump.sql", MARKED),
    ("sshpass", "sshpass -p {} ssh app@host", "hunt" + "er2"),
    ("curl", "curl -u admin:{} https://acme.io/api", "hunt" + "er2"),
    ("redis", "redis-cli -h cache -a {} ping", PASSWORD),
    ("openssl", "openssl rsa -in k.pem -passin pass:{}", "hunt" + "er2x"),
    ("sql", "CREATE USER app WITH PASSWORD '{}';", PASSWORD),
    ("sql", "CREATE USER 'app'@'%' IDENTIFIED BY '{}';", PASSWORD),
    # HTTP
    ("cookie", "Cookie: sessionid={}", "k3jx8" + "f0a9q2mz7"),
    ("cookie", "Cookie: theme=dark; sessionid={}; lang=en", "k3jx8" + "f0a9q2mz7"),
    ("cookie", "Set-Cookie: session={}; HttpOnly; Path=/", LONG),
    ("cookie", "curl -H 'Cookie: auth_token={}' https://acme.io", LONG),
    ("header", "Authorization: Basic {}", SHORT_BASIC),
    ("header", "authorization: Bearer {}", LONG),
    ("header", "X-Api-Key: {}", LONG),
    ("header", "PRIVATE-TOKEN: {}", LONG),
    ("url", "https://acme.blob.core.windows.net/c/f?sv=2022-11-02&sig={}", SIGNATURE),
    ("url", "https://b.s3.amazonaws.com/k?X-Amz-Date=1&X-Amz-Signature={}", HEX32 * 2),
    ("url", "GET https://api.acme.io/v1?access_token={}&page=2", LONG),
    ("url", 'curl "https://api.acme.io/v1?page=2&api_key={}"', LONG),
    ("url", "jdbc:mysql://db/shop?user=app&password={}&useSSL=false", PASSWORD),
    ("url", "Endpoint=sb://a.net/;SharedAccessKeyName=Root;SharedAccessKey={}", BASE64 + "Ab3="),
    (
        "url",
        "DefaultEndpointsProtocol=https;AccountName=a;AccountKey={};EndpointSuffix=core.windows.net",
        STORAGE,
    ),
    ("env", 'AZURE_STORAGE_CONNECTION_STRING="AccountName=a;AccountKey={}"', STORAGE),
    ("url", "AccountName=a;AccountKey={};EndpointSuffix=core.windows.net", "/" + STORAGE[1:]),
    ("url", "Server=a;Password={};Encrypt=yes", "Zx97u" + "DeoyqCjq=="),
    ("env", "DB_PASSWORD={}", "Zx97u" + "DeoyqCjq=="),
    # strings of JSON and code
    ("json", '{{"user": "app", "password": "{}"}}', "hunt" + "er22x"),
    ("json", '{{"db":{{"password":"{}"}}}}', MARKED),
    ("json", '{{"clientSecret": "{}"}}', LONG),
    ("terraform", 'password = "{}"\n', WORDY),
    # forms of their own
    ("discord", "client.login('{}')", DISCORD),
    ("discord", "bot: {}", DISCORD),
    ("seed", "mnemonic: {}", SEED),
    ("seed", "the words\n{}\nand more", SEED),
    ("seed", 'wallet("{}")', SEED_24),
    ("card", "paid with {} today", "4539 1488 " + "0343 6467"),
    ("card", "card: {}", "5425-2334-" + "3010-9903"),
    ("card", '"number": {}', "45391488" + "03436467"),
    ("card", "amex {} 09/28", "378282" + "246310005"),
)

CLEAN: tuple[str, ...] = (
    "password_regex = '^(?=.*[A-Z])(?=.*[0-9]).{8,}$'",
    "password: str",
    "password: string;",
    "    password: Optional[str] = None,",
    'password = os.environ["PASSWORD"]',
    "password=password",
    "    password=self.password2,",
    "token = next(tokens)",
    "DB_PASSWORD=${DB_PASSWORD}",
    "DB_PASSWORD=$1",
    "DB_PASSWORD=changeme",
    "POSTGRES_PASSWORD=postgres",
    "password: password123",
    "api_key: <your-key>",
    "API_KEY=your-api-key-here",
    "SECRET_KEY=xxxxxxxxxxxxxxxx",
    "secret: my-app-secret",
    "secretName: db-credentials-v2",
    "tokenType: Utf8Bytes",
    "token: Utf8Bytes,",
    "password: {{ .Values.password }}",
    "password: !vault |",
    "POSTGRES_PASSWORD_FILE=/run/secrets/pw1",
    "password: null",
    "password: sha256Digest",
    "token: refresh2Token",
    "secret = hashlib.sha256(x1).hexdigest()",
    'parser.add_argument("--password", help="of the user")',
    "app login --password PASSWORD",
    "pass `--token TOKEN` or --password-stdin",
    "docker run -p 8080:80 mysql:8",
    "mysql -u root -p shop",
    "mkdir -p build/a1b2 && mysql < x.sql",
    "curl -u admin https://acme.io",
    "curl -u user:pass https://acme.io",
    "Cookie: theme=dark; lang=en",
    "Set-Cookie: session=value; Path=/",
    "?sig=abc&x=1",
    '{"auth": "oauth2"}',
    '{"auth": "YWJjZGVmZ2hpamtsbW5v"}',
    "kind: SecretProviderClass\ndata:\n  a: b1c2d3e4f5\n",
    "kind: ConfigMap\ndata:\n  mode: prod1234\n",
    "the machine learns the password quickly",
    "machine api.acme.io login deploy password <password>",
    "order 4539 1488 0343 6468 of today",
    "id 1532015112830366 and 0.4532015112830366",
    "we said that they could not have come here after all of this time",
    "very very very very very very very very very very very very very long",
    "password = b'\\x89PNG\\r\\n'",
    "username=user&password=secure%20password",
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda omicron",
    "assert response.status_code == 200  # token: ok",
    '<label for="password">Password</label>',
    "<password>${db.password}</password>",
    "CREATE USER app WITH PASSWORD '${PASSWORD}'",
    "Authorization: Basic ${CREDENTIALS}",
    "Authorization: Bearer <token>",
    '"password": "The password is at least 8 characters long"',
    "The password is base64url-encoded and was SHA-256 hashed.",
    "If the password is correct2 then the password is users.password_v2",
    "password: must have twelve characters, at least 2 digits",
    "token: the unit of text, as in o200k_base or cl100k_base",
    "the secret: never use sha256 alone",
    "the token: `max_tokens_2` counts words",
    "API key: see docs/keys2.md of the shop",
    "the secret: kubernetes-v2-config is mounted",
    "secret: sealed-secrets/v0.24.1 is installed",
    "| token: cl100k_base-v2 | x",
    "private_key: Ed25519PrivateKey | Ed448PrivateKey,",
    "private_key: Ed25519PrivateKey",
    "public_key: ssh-rsa-2048",
    "pwd: /home/app/v2",
    "compass: n0rth5outh",
    "bypass=Xk9dLm2PqR8",
    "secret: /home/ann/Keys/Prod2024/Certificates",
)
