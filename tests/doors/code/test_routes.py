"""A route, as `POST /orders/{id}/pay`, stands for its handler: the literal that registers it names it, whatever the framework."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from daypack.errors import InputError, NotFound
from tests.doors.code.code_support import opened

VIEWS = "from shop.models import Order\n\n\ndef pay(request, id):\n    return Order(id)\n\n\ndef show(request, id):\n    return id\n"
MODELS = "class Order:\n    pass\n"
PROJECTS = {
    "a list of paths below a prefix": {
        "shop/urls.py": "from django.urls import include, path\n\nfrom shop import views\n\nown = [\n    path(\n        'orders/<int:id>/pay',\n        views.pay,\n        name='pay',\n    ),\n    path('orders/<int:id>', views.show),\n]\n"
        "urlpatterns = [path('api/v1/', include(own))]\n",
        "shop/views.py": VIEWS,
        "shop/models.py": MODELS,
    },
    "a decorator": {
        "shop/views.py": "from shop.models import Order\n\n\n@app.get('/api/v1/orders/{id}/pay')\ndef show(id):\n    return id\n\n\n"
        "@app.post('/api/v1/orders/{id}/pay')\ndef pay(id):\n    return Order(id)\n",
        "shop/models.py": MODELS,
    },
    "a text with the method": {
        "shop/api.go": 'package shop\n\nfunc Serve(mux *http.ServeMux) {\n\thandler := &handler{}\n\tmux.HandleFunc("GET /api/v1/orders/{id}/pay", handler.show)\n'
        '\tmux.HandleFunc("POST /api/v1/orders/{id}/pay", handler.pay)\n}\n',
        "shop/pay.go": "package shop\n\ntype handler struct{}\n\nfunc (h *handler) show(w Writer) {\n}\n\nfunc (h *handler) pay(w Writer) {\n\tNewOrder()\n}\n",
        "client/client.go": 'package client\n\nfunc Pay(id int) {\n\trequest.Post(fmt.Sprintf("/api/v1/orders/%d/pay", id), body)\n}\n',
    },
    "an annotation": {
        "src/shop/Orders.java": 'package shop;\n\n@RequestMapping("/api/v1")\nclass Orders {\n    @GetMapping("/orders/{id}/pay")\n    Order show(long id) {\n        return null;\n    }\n\n'
        '    @PostMapping("/orders/{id}/pay")\n    Order pay(long id) {\n        return new Order(id);\n    }\n}\n',
        "src/shop/Order.java": "package shop;\n\nclass Order {\n    Order(long id) {\n    }\n}\n",
    },
    "an attribute": {
        "Shop/Pay.cs": 'namespace Shop\n{\n    public class Orders\n    {\n        [HttpPost("api/v1/orders/{id}/pay")]\n        [Authorize]\n        public Order pay(int id)\n        {\n            return new Order(id);\n        }\n    }\n}\n',
        "Shop/Order.cs": "namespace Shop\n{\n    public class Order\n    {\n    }\n}\n",
    },
    "an argument behind middleware": {
        "src/routes.js": "import { pay, show } from './orders.js'\nimport { login } from './login.js'\n\nexport function routes (router) {\n  router.get('/api/v1/orders/:id/pay', login, show)\n"
        "  router.post('/api/v1/orders/:id/pay', login, pay)\n}\n",
        "src/orders.js": "export function show (req) {\n}\n\nexport function pay (req) {\n  return 1\n}\n",
        "src/login.js": "export function login (req) {\n}\n",
        "src/client.js": "export function send (id) {\n  return fetch(`/api/v1/orders/${id}/pay`).then(() => 1)\n}\n",
    },
    "a mark below a prefix": {
        "shop/orders.py": "from shop.models import Order\n\nrouter = APIRouter(prefix='/orders')\n\n\n@router.post(\n    '/{id}/pay',\n    tags=['pay'],\n)\ndef pay(id):\n    return Order(id)\n",
        "shop/app.py": "from shop import orders\n\napp.include_router(orders.router, prefix='/api/v1')\n",
        "shop/models.py": MODELS,
    },
    "the name of an action": {
        "config/routes.rb": "Rails.application.routes.draw do\n  get '/api/v1/orders/:id/pay' => 'orders#show'\n  post '/api/v1/orders/:id/pay', to: 'orders#pay'\nend\n",
        "app/controllers/orders_controller.rb": "class OrdersController\n  def show\n    1\n  end\n\n  def pay\n    Order.new\n  end\nend\n",
        "app/models/order.rb": "class Order\nend\n",
    },
    "the path of a file": {
        "web/app/(shop)/api/v1/orders/[id]/pay/route.ts": "export async function GET() {\n  return 1\n}\n\nexport async function POST() {\n  return pay()\n}\n\nfunction pay() {\n  return 2\n}\n",
        "web/app/api/v1/orders/page.tsx": "export default function Page() {\n  return null\n}\n",
    },
}  # fmt: skip
HANDLERS = {
    "a list of paths below a prefix": "shop/views.py:4",
    "a decorator": "shop/views.py:10",
    "a text with the method": "shop/pay.go:8",
    "an annotation": "src/shop/Orders.java:11",
    "an attribute": "Shop/Pay.cs:7",
    "an argument behind middleware": "src/orders.js:4",
    "a mark below a prefix": "shop/orders.py:10",
    "the name of an action": "app/controllers/orders_controller.rb:6",
    "the path of a file": "web/app/(shop)/api/v1/orders/[id]/pay/route.ts:5",
}


@pytest.mark.parametrize("project", PROJECTS)
def test_the_neighbours_of_a_route_are_those_of_its_handler(tmp_path: Path, project: str) -> None:
    with opened(tmp_path, PROJECTS[project]) as dp:
        rows = dp.code.related("POST /api/v1/orders/17/pay")
    hint = f"POST /api/v1/orders/17/pay is handled at {HANDLERS[project]}"
    assert ("info", hint) in rows.seen.hints


def test_the_change_of_a_route_begins_with_its_handler(tmp_path: Path) -> None:
    with opened(tmp_path, PROJECTS["a list of paths below a prefix"]) as dp:
        found = dp.pack("POST /api/v1/orders/<id>/pay", task="impact")
        uses = dp.pack("/api/v1/orders/<id>/pay", task="uses")
    assert found.excerpts[0].citation.uri == "shop/views.py"
    assert "def pay" in found.excerpts[0].text
    assert "shop/urls.py" in {one.citation.uri for one in found.excerpts}
    assert {one.citation.uri for one in uses.excerpts} == {"shop/urls.py"}


def test_the_answer_holds_what_the_handler_calls_and_the_requests_of_clients_and_tests(
    tmp_path: Path,
) -> None:
    files = {
        **PROJECTS["a decorator"],
        "shop/other.py": "class Machine:\n    def pay(self):\n        return self.pay_again()\n",
        "client/send.js": "export function send (id) {\n  return fetch(`/api/v1/orders/${id}/pay`, { method: 'POST' })\n}\n",
        "tests/test_pay.py": "def test_an_order_is_paid(client):\n    assert client.post('/api/v1/orders/17/pay').ok\n",
    }
    with opened(tmp_path, files) as dp:
        found = dp.pack("POST /api/v1/orders/{id}/pay", task="impact")
        tests = dp.pack("POST /api/v1/orders/{id}/pay", task="tests")
    shown = {one.citation.uri for one in found.excerpts}
    assert shown == {"shop/views.py", "shop/models.py", "client/send.js", "tests/test_pay.py"}
    assert {one.citation.uri for one in tests.excerpts} == {"tests/test_pay.py"}
    assert not tests.stats.weak_because


def test_a_route_that_nothing_else_says_keeps_to_its_handler(tmp_path: Path) -> None:
    files = {
        **PROJECTS["the path of a file"],
        "web/app/api/v1/carts/route.test.ts": "it('answers', async () => {\n  expect(await app.request('/api/v1/carts', { method: 'POST' })).toBe(1)\n})\n",
    }
    with opened(tmp_path, files) as dp:
        found = dp.pack("POST /api/v1/orders/17/pay", task="impact")
    assert {one.citation.uri for one in found.excerpts} == {"web/app/(shop)/api/v1/orders/[id]/pay/route.ts"}


def test_a_function_in_place_is_the_handler(tmp_path: Path) -> None:
    files = {
        "src/app.js": "import { Order } from './order.js'\n\nexport function serve (app) {\n  app.post('/orders/:id/pay', async (req, res) => {\n    res.send(new Order())\n  })\n}\n",
        "src/order.js": "export class Order {\n}\n",
    }
    with opened(tmp_path, files) as dp:
        rows = dp.code.related("POST /orders/17/pay")
    assert ("info", "POST /orders/17/pay is handled at src/app.js:4") in rows.seen.hints
    assert "Order" in {row.symbol.name for row in rows}


def test_a_route_with_several_handlers_says_which(tmp_path: Path) -> None:
    files = {
        "shop/urls.py": "from shop import views\n\na = [path('pay/', views.pay)]\nb = [path('pay/', views.show)]\nc = [path('orders/', include(a)), path('carts/', include(b))]\n",
        "shop/views.py": VIEWS,
    }
    with opened(tmp_path, files) as dp, pytest.raises(InputError, match=r"views\.py:4, shop/views\.py:8"):
        dp.code.related("/carts/pay/")


@pytest.mark.parametrize(
    "text", ["POST /api/v1/orders/17/refund", "PUT /api/v1/orders/17/pay", "GET /nope/pay"]
)
def test_a_route_that_no_code_registers_is_not_found(tmp_path: Path, text: str) -> None:
    with opened(tmp_path, PROJECTS["an argument behind middleware"]) as dp, pytest.raises(NotFound):
        dp.code.related(text)


@pytest.mark.parametrize(
    ("text", "handler"),
    [
        ("GET /api/v1/carts/", "shop/carts.py:6"),
        ("GET /api/v1/carts/17", "shop/carts.py:11"),
        ("GET /api/v1/carts/mine", "shop/carts.py:21"),
        ("DELETE /api/v1/carts/a@b.example", "shop/carts.py:16"),
    ],
)
def test_a_mark_without_a_word_stands_below_the_prefix_of_its_file(
    tmp_path: Path, text: str, handler: str
) -> None:
    files = {
        "shop/carts.py": "router = APIRouter(prefix='/carts')\n\n\n@router.get(\n    '/')\ndef every():\n    return []\n\n\n@router.get('/{id}')\ndef one(id):\n    return every()\n\n\n@router.delete('/{id}')\ndef drop(id):\n    return every()\n\n\n@router.get('/mine')\ndef mine():\n    return every()\n",
        "shop/app.py": "import shop.carts\n\napp.include_router(shop.carts.router, prefix='/api/v1')\n",
    }
    with opened(tmp_path, files) as dp:
        hints = dp.code.related(text).seen.hints
    assert hints[-1][1] == f"{text} is handled at {handler}"


def test_the_prefix_of_a_class_is_no_handler(tmp_path: Path) -> None:
    with opened(tmp_path, PROJECTS["an annotation"]) as dp, pytest.raises(NotFound):
        dp.code.related("DELETE /api/v1")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("GET /orderItems/17", "/orderItems/:id"),
        ("GET /orders/17", "/Orders/:id"),
        ("GET /Orders/17", "/orders/:id"),
    ],
)
def test_a_path_is_found_in_any_case(tmp_path: Path, text: str, path: str) -> None:
    files = {
        "src/app.js": f"router.get('{path}', getItem)\n\nexport function getItem (req, res) {{\n  return res\n}}\n"
    }
    with opened(tmp_path, files) as dp:
        hints = dp.code.related(text).seen.hints
    assert hints[-1][1] == f"{text} is handled at src/app.js:3"


HOSTILE = {
    "signs of escape": '"' + "\\" * 60 + " orders",
    "quotes": '"' + '\\"' * 100_000 + " orders",
    "a long word": f"orders, {'a' * 100_000}, '/orders'",
    "a long list": f"get('/orders', {'a, ' * 100_000};",
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_line_takes_no_time(tmp_path: Path, line: str) -> None:
    files = {
        "src/app.js": "router.get('/orders/:id', show)\n\nexport function show (req, res) {\n  return res\n}\n",
        "src/odd.js": f"{line}\n",
    }
    with opened(tmp_path, files) as dp:
        began = time.monotonic()
        hints = dp.code.related("GET /orders/17").seen.hints
        assert time.monotonic() - began < 5
    assert hints[-1][1] == "GET /orders/17 is handled at src/app.js:3"


def test_a_file_that_says_a_route_on_each_line_is_read_once(tmp_path: Path) -> None:
    files = {
        "client.js": "import { request } from './request.js'\n\n"
        + "request('/orders', '/orders/17')\n" * 3_000,
        "src/app.js": "router.get('/orders/:id', show)\n\nexport function show (req, res) {\n  return res\n}\n",
    }
    with opened(tmp_path, files) as dp:
        began = time.monotonic()
        hints = dp.code.related("GET /orders/17").seen.hints
        assert time.monotonic() - began < 5
    assert hints[-1][1] == "GET /orders/17 is handled at src/app.js:3"
