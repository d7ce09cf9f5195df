"""What a path says about its file."""

from __future__ import annotations

import pytest

from daypack.text.paths import is_aside_path, is_test_path, without_ending


@pytest.mark.parametrize(
    "uri",
    [
        "tests/test_retry.py",
        "test/retry.js",
        "src/pay/test_retry.py",
        "src/pay/retry_test.go",
        "web/src/refund.test.ts",
        "web/src/refund.spec.tsx",
        "app/__tests__/refund.js",
        "conftest.py",
        "pkg/testdata/order.json",
        "spec/models/order.rb",
        "src/test/java/RetryTest.java",
        "RetryTests.cs",
        "e2e/pay.ts",
        "lib/mocks/clock.py",
        "fuzz/corpus/queries/seed-1",
        "src/__snapshots__/page.ts",
        "golden/answers.md",
        "Tests/PayTests/Options.swift",
        "src/Shop.Tests/Retry.cs",
        "pay/tests.py",
        "test.c",
        "src/refunds/tests.rs",
        "codemods/src/v5/__testfixtures__/rename.input.tsx",
        "libs/core/__fixtures__/normal/lerna.json",
        "src/__mocks__/clock.ts",
        "pkg/testing/clock.go",
        "packages/pay/types/refund.test-d.ts",
        "src/refund.spec-d.ts",
        "src/test/resources/shop/src/main/java/shop/Refund.java",
        "src/main/menu.test.ts",
        "src/main/__tests__/menu.ts",
        "src/main/menu_test.go",
        "app/src/main/tests/test_menu.py",
        "t/refunds/retry.t",
        "xt/pod.t",
        "t/lib/Shop/Clock.pm",
        "t/smoke/refunds.py",
        "t/t0001-start.sh",
    ],
)
def test_this_is_the_path_of_a_test(uri: str) -> None:
    assert is_test_path(uri)


@pytest.mark.parametrize(
    "uri",
    [
        "src/contest.py",
        "src/t/format.py",
        "src/latest.py",
        "src/pay/retry.py",
        "src/attest/key.go",
        "protest/march.md",
        "src/testimony.py",
        "retest.py",
        "Greatest.java",
        "docs/test.md",
        "Protests/march.md",
        "packages/testing/src/client.ts",
        "crates/testing/src/lib.rs",
        "pay-mock/src/main/java/pay/mock/FakeBank.java",
        "src/main/java/pay/test/PaymentTest.java",
        "src/main/kotlin/testing/Clock.kt",
        "src/main/scala-2.13/testing/Clock.scala",
        "src/main/java11/pay/mock/FakeBank.java",
        "src/main/resources/fixtures/orders.json",
        "src/latest-d.ts",
        "lib/T/Clock.pm",
        "t/notes.md",
        "lib/at/Clock.pm",
    ],
)
def test_this_is_not_the_path_of_a_test(uri: str) -> None:
    assert not is_test_path(uri)


@pytest.mark.parametrize(
    "uri",
    [
        "docs/conf.py",
        "examples/quickstart.py",
        "_examples/rest/main.go",
        "src/Snippets/Docs/Retry.cs",
        "Samples/Retries/Program.cs",
        "playground/vue/main.ts",
        "apps/book/stories/berth.stories.tsx",
        "src/berth.stories.module.css",
        "scripts/release.sh",
        "vendor/github.com/x/y.go",
        "web/node_modules/left-pad/index.js",
        "third_party/zlib/inflate.c",
        "lib/third-party/zlib/inflate.c",
        "3rdparty/zlib/inflate.c",
        "include/log/fmt/bundled/core.h",
        "deps/jemalloc/src/arena.c",
        "ios/Pods/Alamofire/Source/Session.swift",
        "src/pip/_vendor/toml.py",
        "astropy/extern/six.py",
        "requests/packages/urllib3/response.py",
        "api/order_pb2.py",
        "api/order.pb.go",
        "web/types/order.d.ts",
        "web/types/order.d.cts",
        "web/types/order.d.mts",
        "setup.py",
        "shop/migrations/0001_initial.py",
        "db/migrate/20240101000000_create_orders.rb",
        "db/post_migrate/20240102000000_drop_orders.rb",
        "shop/alembic/versions/2024-01-01_9_orders.py",
    ],
)
def test_this_code_stands_aside(uri: str) -> None:
    assert is_aside_path(uri)


@pytest.mark.parametrize(
    "uri",
    [
        "src/docstring.py",
        "src/pay/retry.py",
        "docs.py",
        "src/examples.py",
        "manuscripts/one.md",
        "src/setup_store.py",
        "packages/shop/cart.py",
        "python/packages/shop/src/cart.py",
        "alembic/script/revision.py",
        "db/seeds.rb",
        "src/migrate/run.py",
        "src/mcp/tools/search.ts",
        "src/api/deps/current_user.py",
        "src/bundled_assets.py",
        "shop/snippets/models.py",
    ],
)
def test_this_code_does_not_stand_aside(uri: str) -> None:
    assert not is_aside_path(uri)


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("src/pay/retry.py", "src/pay/retry"),
        ("ledger.line/AUTHORS", "ledger.line/AUTHORS"),
        ("ledger.line/retry.py", "ledger.line/retry"),
        ("web/refund.spec.tsx", "web/refund.spec"),
        ("web/.gitignore", "web/.gitignore"),
        ("LICENSE", "LICENSE"),
        ("ledger/ledger.gemspec", "ledger/ledger.gemspec"),
        ("src/Ledger.csproj", "src/Ledger.csproj"),
    ],
)
def test_the_words_of_a_path_leave_out_the_ending_of_its_file(uri: str, words: str) -> None:
    assert without_ending(uri) == words
