"""Canaries are put together here at run time, so that no scanner mistakes this file for a leak."""

from __future__ import annotations

import random
import string
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack.guard.secrets import redact, redact_json
from support import in_the_end

CHANCE = random.Random(7)
WORD = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def made(alphabet: str, length: int) -> str:
    return "".join(CHANCE.choices(alphabet, k=length))


def uuid() -> str:
    return "-".join(made(HEX, length) for length in (8, 4, 4, 4, 12))


UPPER32 = string.ascii_uppercase + "234567"
URL64 = WORD + "-_"
CANARIES = {
    "aws_access_key": "AK" + "IA" + made(UPPER32, 16),
    "github_token": "gh" + "p_" + made(WORD, 36),
    "github_token server": "gh" + "s_" + made(WORD, 36),
    "github_token fine": "github" + "_pat_" + made(WORD, 22) + "_" + made(WORD, 59),
    "gitlab_token": "gl" + "pat-" + made(URL64, 20),
    "slack_token": "xo"
    + "xb-"
    + made(string.digits, 12)
    + "-"
    + made(string.digits, 12)
    + "-"
    + made(WORD, 24),
    "stripe_key": "sk" + "_live_" + made(WORD, 24),
    "google_api_key": "AI" + "za" + made(URL64, 34) + "Q",
    "openai_key": "s" + "k-" + made(WORD, 48),
    "openai_key project": "s" + "k-proj-" + made(URL64, 80),
    "anthropic_key": "s" + "k-ant-" + "api03-" + made(URL64, 90),
    "huggingface_token": "h" + "f_" + made(string.ascii_letters, 34),
    "npm_token": "np" + "m_" + made(WORD, 36),
    "pypi_token": "py" + "pi-AgE" + "IcHlwaS5vcmc" + made(URL64, 120),
    "twilio_key": "S" + "K" + made(HEX, 32),
    "sendgrid_key": "S" + "G." + made(URL64, 22) + "." + made(URL64, 43),
    "jwt": "ey" + "JhbGciOiJIUzI1NiJ9" + ".ey" + "J" + made(WORD, 60) + "." + made(URL64, 43),
    "telegram_token": made("123456789", 10) + ":A" + "A" + made(URL64, 32) + "x",
    "google_secret": "GOC" + "SPX-" + made(URL64, 28),
    "azure_secret": made(WORD, 3) + "8" + "Q~" + made(WORD, 34),
    "docker_token": "dckr" + "_pat_" + made(URL64, 27),
    "databricks_token": "da" + "pi" + made(HEX, 32),
    "shopify_token": "shp" + "at_" + made(HEX, 32),
    "digitalocean_token": "do" + "p_v1_" + made(HEX, 64),
    "mailgun_key": "ke" + "y-" + made(HEX, 32),
    "grafana_token": "gl" + "sa_" + made(WORD, 32) + "_" + made(HEX, 8),
    "grafana_token cloud": "gl" + "c_" + made(WORD, 40),
    "vault_token": "hv" + "s." + made(URL64, 90),
    "terraform_token": made(WORD, 14) + ".atlas" + "v1." + made(URL64, 60),
    "linear_key": "lin" + "_api_" + made(WORD, 40),
    "notion_token": "nt" + "n_" + made(WORD, 46),
    "supabase_token": "sb" + "p_" + made(HEX, 40),
    "supabase_token secret": "sb" + "_secret_" + made(WORD, 31),
    "postman_key": "PM" + "AK-" + made(HEX, 24) + "-" + made(HEX, 34),
    "newrelic_key": "NR" + "AK-" + made(string.digits + string.ascii_uppercase, 27),
    "groq_key": "gs" + "k_" + made(WORD, 52),
    "xai_key": "xa" + "i-" + made(WORD, 80),
    "perplexity_key": "pp" + "lx-" + made(WORD, 48),
    "replicate_token": "r" + "8_" + made(WORD, 37),
    "age_key": "AGE-SECRET" + "-KEY-1" + made(string.digits + string.ascii_uppercase, 58),
    "openrouter_key": "s" + "k-or-v1-" + made(HEX, 64),
    "gitlab_token agent": "gl" + "agent-" + made(URL64, 50),
    "gitlab_token runner": "GR" + "1348941" + made(URL64, 20),
    "docker_token organisation": "dckr" + "_oat_" + made(URL64, 27),
    "atlassian_token": "AT" + "ATT3xFfGF0" + made(URL64, 170) + "=" + made(HEX, 8).upper(),
    "atlassian_token bitbucket": "AT" + "BB" + made(WORD, 32),
    "hubspot_token": "pa" + "t-na1-" + uuid(),
    "figma_token": "fi" + "gd_" + made(URL64, 40),
    "dropbox_token": "sl" + ".B" + made(URL64, 135),
    "sentry_token": "sn" + "tryu_" + made(HEX, 64),
    "tailscale_key": "ts" + "key-auth-" + made(WORD, 11) + "CNTRL-" + made(WORD, 32),
    "doppler_token": "dp" + ".pt." + made(WORD, 43),
    "pulumi_token": "pu" + "l-" + made(HEX, 40),
    "onepassword_token": "op" + "s_eyJ" + made(URL64, 200),
    "planetscale_token": "ps" + "cale_tkn_" + made(URL64, 43),
    "rubygems_key": "ruby" + "gems_" + made(HEX, 48),
    "crates_token": "ci" + "o" + made(WORD, 32),
    "nuget_key": "oy" + "2" + made(string.ascii_lowercase + string.digits, 43),
    "heroku_key": "HR" + "KU-" + uuid(),
    "netlify_token": "nf" + "p_" + made(WORD, 36),
    "vercel_token": "vercel" + "_blob_rw_" + made(WORD, 16) + "_" + made(WORD, 30),
    "fly_token": "fm" + "2_" + made(WORD + "+/", 150),
    "square_token": "sq" + "0csp-" + made(URL64, 43),
    "braintree_token": "access" + "_token$production$" + made(HEX, 16) + "$" + made(HEX, 32),
    "brevo_key": "xkey" + "sib-" + made(HEX, 64) + "-" + made(WORD, 16),
    "mailchimp_key": made(HEX, 32) + "-u" + "s12",
    "contentful_token": "CF" + "PAT-" + made(URL64, 43),
    "sonar_token": "sq" + "u_" + made(HEX, 40),
    "circleci_token": "CCI" + "PAT_" + made(WORD, 22) + "_" + made(HEX, 40),
    "jfrog_key": "AK" + "Cp" + made(WORD, 69),
    "sourcegraph_token": "sg" + "p_" + made(HEX, 16) + "_" + made(HEX, 40),
    "google_refresh_token": "1" + "//0" + made(URL64, 100),
    "aws_bedrock_key": "AB" + "SK" + made(WORD, 128),
    "langsmith_key": "ls" + "v2_pt_" + made(HEX, 32) + "_" + made(HEX, 10),
    "langfuse_key": "s" + "k-lf-" + uuid(),
    "tavily_key": "tv" + "ly-dev-" + made(WORD, 32),
    "pinecone_key": "pc" + "sk_" + made(WORD, 6) + "_" + made(WORD, 63),
    "firecrawl_key": "f" + "c-" + made(HEX, 32),
    "cerebras_key": "cs" + "k-" + made(string.ascii_lowercase + string.digits, 48),
    "together_key": "tg" + "p_v1_" + made(URL64, 43),
    "jina_key": "ji" + "na_" + made(HEX, 32) + made(URL64, 28),
    "e2b_key": "e2" + "b_" + made(HEX, 40),
    "cursor_key": "cr" + "sr_" + made(HEX, 64),
    "google_token": "ya" + "29." + made(URL64, 120),
}
SURROUNDINGS = [
    "{}",
    'key = "{}"\n',
    "before {} after",
    "export X={}\n",
    "- {}",
    "({})",
    "curl -H 'X: {}' https://a.b",
]
SURROUNDINGS += ['{{"k": "{}"}}', "日本 {} ü"]


@pytest.mark.parametrize("name", CANARIES)
@pytest.mark.parametrize("around", SURROUNDINGS)
def test_a_token_of_a_known_form_is_gone_wherever_it_stands(name: str, around: str) -> None:
    canary = CANARIES[name]
    result = redact(around.format(canary))
    assert canary not in result.text
    assert canary[-12:] not in result.text
    assert result.kinds == {name.partition(" ")[0]: 1}
    assert f"[REDACTED:{name.partition(' ')[0]}:" in result.text


WEBHOOKS = {
    "slack_webhook": (
        "https://hooks.slack.com/services/",
        "T" + made(WORD, 10) + "/B" + made(WORD, 10) + "/" + made(WORD, 24),
    ),
    "slack_webhook of a workflow": (
        "https://hooks.slack.com/workflows/",
        "T" + made(WORD, 10) + "/A" + made(WORD, 10) + "/" + made("123456789", 18) + "/" + made(WORD, 24),
    ),
    "slack_webhook of a trigger": (
        "https://hooks.slack.com/triggers/",
        "T" + made(WORD, 10) + "/" + made("123456789", 13) + "/" + made(HEX, 32),
    ),
    "teams_webhook": (
        "https://acme.webhook.office.com/webhookb2/",
        f"{uuid()}@{uuid()}/IncomingWebhook/{made(HEX, 32)}/{uuid()}",
    ),
    "discord_webhook": ("https://discord.com/api/webhooks/", made("123456789", 19) + "/" + made(URL64, 68)),
}


@pytest.mark.parametrize("kind", WEBHOOKS)
@pytest.mark.parametrize("before", ["", "POST ", "a line of its own\n" * 20])
def test_a_webhook_is_known_by_its_address_and_loses_what_is_secret(kind: str, before: str) -> None:
    address, secret = WEBHOOKS[kind]
    result = redact(f"{before}{address}{secret} is where it goes")
    assert result.kinds == {kind.partition(" ")[0]: 1}
    assert secret[-12:] not in result.text
    assert result.text.startswith(f"{before}{address}[REDACTED:")


def key_block(lines: int = 12, kind: str = "RSA ") -> str:
    body = "\n".join(made(WORD + "+/", 64) for _ in range(lines))
    return f"-----BEGIN {kind}PRIVATE" + f" KEY-----\n{body}\n-----END {kind}PRIVATE" + " KEY-----"


@pytest.mark.parametrize("kind", ["RSA ", "", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_goes_as_a_whole_and_leaves_its_lines(kind: str) -> None:
    block = key_block(kind=kind)
    result = redact(f"first\n{block}\nlast\n")
    assert result.kinds == {"private_key": 1}
    assert result.text.splitlines()[-1] == "last"
    assert result.text.count("\n") == block.count("\n") + 3
    assert not any(line in result.text for line in block.splitlines())


def test_a_private_key_on_one_line_of_json_goes() -> None:
    block = key_block().replace("\n", "\\n")
    result = redact(f'{{"private_key": "{block}\\n", "id": 3}}')
    assert result.text.endswith('\\n", "id": 3}')
    assert result.kinds == {"private_key": 1}


def test_a_private_key_that_is_cut_off_goes_as_far_as_it_reaches() -> None:
    block = key_block().rpartition("\n")[0]
    result = redact(f"{block}\n\nThis is prose again.\n")
    assert result.text.endswith("\n\nThis is prose again.\n")
    assert result.text.count("\n") == block.count("\n") + 3
    assert not any(line in result.text for line in block.splitlines())


@pytest.mark.parametrize("cut", [1, 10, 63, 64, 65, 200, 700])
@pytest.mark.parametrize(("old", "new"), [("", ""), ("\n", "\n> "), ("\n", "\r\n"), ("\n", "\\n")])
def test_a_private_key_whose_beginning_was_cut_off_goes_to_its_end(cut: int, old: str, new: str) -> None:
    body = key_block().partition("\n")[2]
    part = body[cut:]
    text = f"{part.replace(old, new)}\nlast\n"
    result = redact(text)
    assert result.kinds == {"private_key": 1}
    assert not any(line in result.text for line in part.splitlines() if len(line) > 12)
    assert result.text.index("[REDACTED:private_key:") <= 4
    assert result.text.endswith("\nlast\n")
    assert redact(f"some prose\n{text}").text.startswith("some prose\n")


def test_the_mere_mention_of_a_private_key_stays() -> None:
    text = 'if line.startswith("-----BEGIN ' + 'PRIVATE KEY-----"):\n    return parse(line)\n'
    assert redact(text).text == text


PASSWORD = "Tr0ub" + "4dor&3x"
LONG = made(WORD, 32) + "7Qa9"
NAMED = {
    f'password = "{PASSWORD}"': PASSWORD,
    f"DB_PASSWORD={PASSWORD.replace('&', '%')}": PASSWORD[-4:],
    f"  password: {PASSWORD.replace('&', '!')}\n": PASSWORD[:6],
    f'{{"password": "{PASSWORD}"}}': PASSWORD,
    f'os.environ["API_TOKEN"] = "{LONG}"': LONG,
    f"const apiKey = '{LONG}';": LONG,
    f'api-key: "{LONG}"': LONG,
    f'password: str = "{PASSWORD}"': PASSWORD,
    f"Server=db;User=sa;Password={PASSWORD.replace('&', '!')};Encrypt=yes": PASSWORD[:6],
    f"AccountKey={made(WORD + '+/', 84)}Zq==;EndpointSuffix=core": "Zq==",
    f"Authorization: Bearer {LONG}": LONG,
    f"git clone https://{(token := made(HEX, 40))}@github.com/a/b": token,
    f"postgres://app:{PASSWORD}@db.internal:5432/app": PASSWORD,
    "redis://:s3cr3tpw@cache": "s3cr3tpw",
    f"aws_secret_access_key = {(secret := made(WORD + '+/', 38) + 'a7')}": secret,
    f"{CANARIES['aws_access_key']},{(beside := made(WORD + '/', 38) + 'Z9')}\n": beside,
    f"token := `x`; secret = '{made(HEX, 30)}4f'": "4f'",
}


@pytest.mark.parametrize("text", NAMED)
def test_a_value_that_its_name_gives_away_is_gone(text: str) -> None:
    result = redact(text)
    assert NAMED[text] not in result.text
    assert result.count >= 1


SESSION = "IQoJb3JpZ2luX2Vj" + made(WORD + "+/", 400)
LONG_PLACES = [
    '"SessionToken": "{}"',
    "secret: {}\n",
    "aws_session_token = {}\n",
    "AWS_SESSION_TOKEN={}",
    "AWS_SESSION_TOKEN={} aws s3 ls",
    'export AWS_SESSION_TOKEN="{}"\n',
    "x-amz-security-token: {}\r\n",
    "the token: {} is of today",
    "const token = '{}';",
    "https://b.s3.amazonaws.com/k?X-Amz-Security-Token={}&X-Amz-Date=1",
    "grant_type=refresh_token&refresh_token={}&client_id=a",
    "deploy --token {} --yes",
    "<token>{}</token>",
]


@pytest.mark.parametrize("around", LONG_PLACES)
def test_a_secret_as_long_as_the_session_token_of_a_cloud_is_gone_to_its_end(around: str) -> None:
    result = redact(around.format(SESSION))
    kind = "secret" if around.startswith("secret") else "token"
    assert result.text == around.format(f"[REDACTED:{kind}]")


def test_a_long_value_of_json_is_gone_by_its_name() -> None:
    assert redact_json({"SessionToken": SESSION}) == ({"SessionToken": "[REDACTED:token]"}, 1)


def test_a_short_secret_gets_no_hash_that_it_could_be_guessed_from() -> None:
    assert redact(f'password = "{PASSWORD}"').text == 'password = "[REDACTED:password]"'


def test_equal_tokens_get_equal_marks_and_others_differ() -> None:
    one, two = CANARIES["github_token"], CANARIES["github_token server"]
    first, second, third = redact(f"{one} {two} {one}").text.split()
    assert first == third
    assert first != second


@pytest.mark.parametrize(
    "text",
    [
        'password = "changeme"',
        'password = "your-password-here"',
        "API_KEY=${API_KEY}",
        "token: <your token>",
        'secret = "{{ vault.secret }}"',
        "password = os.environ['PASSWORD']",
        "token = self._next_token(stream, lookahead=2)",
        "postgres://user:password@localhost/db",
        "https://${USER}:${PASSWORD}@host/",
        "aws_access_key_id = AKIA" + "IOSFODNN7EXAMPLE",
        'key = "primary_key_2"',
        "api_key: str | None = None",
        "tokens = tokenizer.encode(text)[:512]",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
        "class TaskTokenizerConfiguration2Factory: pass",
        '"token_type": "urn:ietf:params:oauth:token-type:access_token"',
        "PASSWORD_HASHERS = ['django.contrib.auth.hashers.PBKDF2PasswordHasher']",
    ],
)
def test_code_and_placeholders_stay_as_they_are(text: str) -> None:
    assert redact(text).text == text


PIECES = st.one_of(
    st.sampled_from([*CANARIES.values(), *NAMED, key_block(2), "-----BEGIN " + "PRIVATE KEY-----"]),
    st.sampled_from(["\n", "\r\n", " ", ":", "=", '"', "'", "@"]),
    st.sampled_from(
        [
            "password=",
            "token: ",
            "secret = '",
            "://",
            "AKIA",
            "sk-ant-",
            "key",
            "[REDACTED:",
            "]",
            "Q~",
            ":AA",
        ]
    ),
    st.text(max_size=12),
    st.text(alphabet=URL64, min_size=8, max_size=48),
)


@settings(max_examples=250)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_redacting_twice_is_redacting_once_and_lines_stay(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text
    assert redact(once.text).count == 0
    for mark in "\n\r\x0b\x0c\u2028":
        assert once.text.count(mark) == text.count(mark)


def test_clean_text_comes_back_as_the_same_object() -> None:
    text = "def f(x):\n    return x\n" * 100
    assert redact(text).text is text


@pytest.mark.parametrize(
    "text",
    [
        "://" * 60_000 + "@",
        "password" * 25_000,
        'password="' * 20_000,
        "-----BEGIN " * 18_000,
        ("-----BEGIN " + "PRIVATE KEY-----\n") * 7_000,
        ("-----END " + "PRIVATE KEY-----\n") * 7_000,
        ("A" * 64 + "\n") * 3_000 + ("-----END " + "PRIVATE KEY-----") * 3_000,
        "A" * 200_000,
        "eyJ" * 70_000,
        "eyJaaaaaaaaaaaaa." * 12_000,
        "sk-ant-" * 28_000,
        "secret=" + "a1B" * 60_000,
        "a1b2c3d4e5f6a7b8c9d0a1b2c3d4," * 7_000,
        "1" * 200_000 + ":AA",
        "://a:" * 40_000 + "@",
        "kind: Secret\n" * 15_000,
        "kind: Secret\ndata:\n" + "  a: b\n" * 30_000,
        "mysql -pa " * 20_000,
        "mysql -pa1b2" + " -pa1b2c3" * 20_000,
        "Cookie: " + "a=b; " * 40_000,
        "machine a login b password c1d2 " * 6_000,
        "4111 1111 1111 " * 13_000,
        "4" * 200_000,
        "abandon ability " * 12_000,
        "PASS=" * 40_000,
        "x.PASSWORD=" + "aB1" * 60_000,
        "&token=" + ("a1B2c3D4e5F6g7" * 22 + "&token=") * 600,
        "token=a1B2c3D4e5F6g7H8i9" * 8_000,
        ('token="' + "a1B2c3D4e5F6g7" * 22) * 600,
        "a" * 200_000 + "=",
    ],
    ids=lambda text: text[:16],
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    with in_the_end():
        redact(text)


@pytest.mark.slow
def test_the_standard_library_is_left_alone() -> None:
    lines = touched = 0
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        text = path.read_bytes().decode("utf-8", "replace")
        after = redact(text).text
        lines += text.count("\n")
        touched += (
            sum(one != two for one, two in zip(text.split("\n"), after.split("\n"), strict=True))
            if after != text
            else 0
        )
    assert lines > 50_000
    assert touched <= lines / 1000
