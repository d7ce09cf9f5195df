"""A route whose words a prefix says, that a resource declares or a chain binds, leads to its handler, whatever the framework."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from daypack.doors.code.flows import routes
from daypack.doors.code.flows.registering import MOST_DEFINING, Statement, statement_at
from daypack.errors import NotFound
from tests.doors.code.code_support import opened

USERS_JS = "const show = wrap(async (req, res) => {\n  res.send(1)\n})\n\nconst drop = wrap(async (req, res) => {\n  res.send(2)\n})\n\nmodule.exports = { show, drop }\n"
CHAIN = "const users = require('../controllers/users.controller')\n\nconst router = express.Router()\n\nrouter\n  .route('/:id')\n  .get(auth('read'), users.show)\n  .delete(auth('write'), users.drop)\n\nmodule.exports = router\n"
RAILS = (
    "Rails.application.routes.draw do\n  resources :orders, except: [:index] do\n    post 'cancel'\n    get :late, on: :collection\n"
    "    resources :lines, only: %i[show]\n  end\n  namespace :admin do\n    resources :orders\n  end\n  resource :session\n"
    "  get '/o/:id(/:title)' => 'orders#show'\nend\n"
)
ORDERS_RB = "class OrdersController\n  def show\n    1\n  end\n\n  def create\n    2\n  end\n\n  def cancel\n    3\n  end\n\n  def late\n    4\n  end\nend\n"
PROJECTS: dict[str, dict[str, str]] = {
    "rails": {
        "config/routes.rb": RAILS,
        "app/controllers/orders_controller.rb": ORDERS_RB,
        "app/controllers/lines_controller.rb": "class LinesController\n  def show\n    1\n  end\n\n  def index\n    2\n  end\nend\n",
        "app/controllers/admin/orders_controller.rb": "module Admin\n  class OrdersController\n    def show\n      1\n    end\n\n    def index\n      2\n    end\n  end\nend\n",
        "app/controllers/sessions_controller.rb": "class SessionsController\n  def create\n    1\n  end\n\n  def destroy\n    2\n  end\nend\n",
    },
    "phoenix": {
        "lib/shop_web/router.ex": 'defmodule ShopWeb.Router do\n  scope "/", ShopWeb do\n    resources "/orders", OrderController, only: [:show]\n    get "/about", PageController, :about\n  end\nend\n',
        "lib/shop_web/order_controller.ex": "defmodule ShopWeb.OrderController do\n  def show(conn, id) do\n    conn\n  end\n\n  def delete(conn, id) do\n    conn\n  end\nend\n",
        "lib/shop_web/page_controller.ex": "defmodule ShopWeb.PageController do\n  def about(conn, _) do\n    conn\n  end\nend\n",
    },
    "laravel": {
        "routes/api.php": "<?php\nRoute::prefix('api')->group(function () {\n    Route::apiResource('orders', OrderController::class);\n    Route::apiResource('orders.lines', OrderLineController::class);\n"
        "    Route::put('me', [AccountController::class, 'update']);\n});\n",
        "app/OrderController.php": "<?php\nclass OrderController {\n    public function show($id) {\n        return 1;\n    }\n\n    public function store() {\n        return 2;\n    }\n}\n",
        "app/OrderLineController.php": "<?php\nclass OrderLineController {\n    public function index($id) {\n        return 1;\n    }\n}\n",
        "app/AccountController.php": "<?php\nclass AccountController {\n    public function show() {\n        return 1;\n    }\n\n    public function update() {\n        return 2;\n    }\n}\n",
    },
    "view sets": {
        "shop/urls.py": "from rest_framework import routers\n\nfrom shop import views\n\nrouter = routers.DefaultRouter()\nrouter.register(r'orders', views.OrderViewSet)\n",
        "shop/views.py": "class OrderViewSet(ModelViewSet):\n    def retrieve(self, request, pk):\n        return 1\n\n    @action(detail=True, methods=['post'])\n    def cancel_all(self, request, pk):\n        return 2\n",
    },
    "a chain in an included module": {
        "src/routes/index.js": "const userRoute = require('./user.route')\n\nrouter.use('/users', userRoute)\n",
        "src/routes/user.route.js": CHAIN,
        "src/controllers/users.controller.js": USERS_JS,
        "src/services/users.service.js": "const show = (id) => {\n  return id\n}\n\nmodule.exports = { show }\n",
    },
    "a table of routes": {
        "src/routes/index.js": "const userRoute = require('./user.route')\n\nconst rows = [\n  {\n    path: '/users',\n    route: userRoute,\n  },\n]\n",
        "src/routes/user.route.js": CHAIN,
        "src/controllers/users.controller.js": USERS_JS,
    },
    "groups": {
        "api.go": 'package api\n\nfunc Serve(e *Echo) {\n\tusers := e.Group("/users")\n\torders := e.Group("/orders")\n\tusers.GET("/:id", showUser)\n\torders.GET("/:id", showOrder)\n}\n\n'
        "func showUser(c Context) error {\n\treturn nil\n}\n\nfunc showOrder(c Context) error {\n\treturn nil\n}\n"
    },
    "blocks": {
        "api.go": 'package api\n\nfunc Serve(r Router) {\n\tr.Route("/users", func(r Router) {\n\t\tr.Get("/{id}", showUser)\n\t})\n\tr.Route("/orders", func(r Router) {\n\t\tr.Get("/{id}", showOrder)\n\t})\n}\n\n'
        "func showUser(w Writer) {\n}\n\nfunc showOrder(w Writer) {\n}\n"
    },
    "included paths": {
        "site/urls.py": "from django.urls import include, path\n\nurlpatterns = [path('orders/', include('shop.urls'))]\n",
        "shop/urls.py": "from django.urls import path\n\nfrom shop import views\n\nurlpatterns = [\n    path('', views.every),\n    path('<int:id>/', views.one),\n]\n",
        "shop/views.py": "def every(request):\n    return 1\n\n\ndef one(request, id):\n    return 2\n",
    },
    "two routers of a file": {
        "shop/api.py": "exports = APIRouter(prefix='/orders')\nrouter = APIRouter(prefix='/orders')\n\n\n@controller(router)\nclass Orders:\n    @router.get('/{slug}')\n    def one(self, slug):\n        return 1\n\n    @router.get('')\n    def every(self):\n        return 2\n"
    },
}
CASES = [
    ("rails", "GET /orders/17", "app/controllers/orders_controller.rb:2"),
    ("rails", "POST /orders", "app/controllers/orders_controller.rb:6"),
    ("rails", "POST /orders/x7a/cancel", "app/controllers/orders_controller.rb:10"),
    ("rails", "GET /orders/late", "app/controllers/orders_controller.rb:14"),
    ("rails", "GET /orders/17/lines/5", "app/controllers/lines_controller.rb:2"),
    ("rails", "GET /admin/orders", "app/controllers/admin/orders_controller.rb:7"),
    ("rails", "DELETE /session", "app/controllers/sessions_controller.rb:6"),
    ("rails", "GET /o/17", "app/controllers/orders_controller.rb:2"),
    ("phoenix", "GET /orders/17", "lib/shop_web/order_controller.ex:2"),
    ("phoenix", "GET /about", "lib/shop_web/page_controller.ex:2"),
    ("laravel", "GET /api/orders/17", "app/OrderController.php:3"),
    ("laravel", "POST /api/orders", "app/OrderController.php:7"),
    ("laravel", "GET /api/orders/17/lines", "app/OrderLineController.php:3"),
    ("laravel", "PUT /api/me", "app/AccountController.php:7"),
    ("view sets", "GET /orders/17", "shop/views.py:2"),
    ("view sets", "POST /orders/17/cancel-all", "shop/views.py:6"),
    ("view sets", "DELETE /orders/17", "shop/views.py:1"),
    ("a chain in an included module", "GET /users/17", "src/controllers/users.controller.js:1"),
    ("a chain in an included module", "DELETE /users/ada", "src/controllers/users.controller.js:5"),
    ("a table of routes", "DELETE /users/17", "src/controllers/users.controller.js:5"),
    ("groups", "GET /users/17", "api.go:10"),
    ("groups", "GET /orders/17", "api.go:14"),
    ("blocks", "GET /users/17", "api.go:12"),
    ("blocks", "GET /orders/17", "api.go:15"),
    ("included paths", "GET /orders/", "shop/views.py:1"),
    ("included paths", "GET /orders/17/", "shop/views.py:5"),
    ("two routers of a file", "GET /orders/tea", "shop/api.py:8"),
    ("two routers of a file", "GET /orders", "shop/api.py:12"),
]


def _handler(folder: Path, files: Mapping[str, str], route: str) -> str:
    with opened(folder, files) as dp:
        return dp.code.related(route).seen.hints[-1][1]


@pytest.mark.parametrize(("project", "route", "handler"), CASES)
def test_the_route_leads_to_its_handler(tmp_path: Path, project: str, route: str, handler: str) -> None:
    assert _handler(tmp_path, PROJECTS[project], route) == f"{route} is handled at {handler}"


@pytest.mark.parametrize(
    ("project", "route"),
    [
        ("rails", "GET /orders"),
        ("rails", "GET /orders/17/lines"),
        ("rails", "GET /orders/17/cancel"),
        ("rails", "GET /session/17"),
        ("phoenix", "DELETE /orders/17"),
        ("laravel", "PUT /api/update"),
        ("a chain in an included module", "PUT /users/17"),
        ("groups", "GET /users/17/5"),
    ],
)
def test_a_request_that_is_not_declared_has_no_handler(tmp_path: Path, project: str, route: str) -> None:
    with (
        opened(tmp_path, PROJECTS[project]) as dp,
        pytest.raises(NotFound, match=f"no code registers this route: {route}"),
    ):
        dp.code.related(route)


def test_an_answer_about_a_route_that_no_code_registers_says_so(tmp_path: Path) -> None:
    with opened(tmp_path, PROJECTS["rails"]) as dp:
        found = dp.pack("PATCH /nope/17", task="impact")
    assert found.stats.weak_because == "no code registers this route"


def test_a_route_with_two_handlers_that_nothing_calls_has_no_known_use(tmp_path: Path) -> None:
    files = {
        "config/routes.rb": "get '/t/:tag' => 'tags#one'\nget '/t/:tag' => 'tags#many'\n",
        "app/controllers/tags_controller.rb": "class TagsController\n  def one\n    1\n  end\n\n  def many\n    2\n  end\nend\n",
    }
    with opened(tmp_path, files) as dp:
        assert dp.pack("GET /t/tea", task="uses").stats.weak_because == "no call or use is known"
        shown = dp.pack("GET /t/tea", task="impact")
    assert {one.citation.uri for one in shown.excerpts} == {"app/controllers/tags_controller.rb"}


def test_the_functions_among_the_values_of_a_request_handle_nothing(tmp_path: Path) -> None:
    files = {
        **PROJECTS["groups"],
        "client.js": "export function save (users) {\n  return http.get('/users/17', { ids: users.map(one => one.id) })\n}\n",
    }
    assert _handler(tmp_path, files, "GET /users/17") == "GET /users/17 is handled at api.go:10"


def test_code_on_a_page_handles_nothing(tmp_path: Path) -> None:
    files = {
        **PROJECTS["groups"],
        "docs/routes/users.md": "# Users\n",
        "README.md": "# API\n\n```js\nrouter.get('/users/:id', show)\n\nfunction show (req) {\n}\n```\n",
    }
    assert _handler(tmp_path, files, "GET /users/17") == "GET /users/17 is handled at api.go:10"


def test_a_handler_is_found_among_hundreds_of_actions_with_its_name(tmp_path: Path) -> None:
    files = {
        f"app/controllers/a{i}_controller.rb": f"class A{i}Controller\n  def show\n    {i}\n  end\nend\n"
        for i in range(MOST_DEFINING + 20)
    }
    files |= {
        "config/routes.rb": "Rails.application.routes.draw do\n  resources :zones\nend\n",
        "app/controllers/zones_controller.rb": "class ZonesController\n  def show\n    1\n  end\nend\n",
    }
    handler = "app/controllers/zones_controller.rb:2"
    assert _handler(tmp_path, files, "GET /zones/17") == f"GET /zones/17 is handled at {handler}"


def test_a_module_that_many_files_include_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        **{f"src/a{i}.js": "const users = require('./users')\nx.use('/users', users)\n" for i in range(40)},
        "src/users.js": "router.get('/:id', show)\n" * 50 + "function show (req) {\n}\n",
    }
    read: list[str] = []

    def counted(uri: str, lines: Sequence[str], number: int) -> Statement:
        read.append(uri)
        return statement_at(uri, lines, number)

    monkeypatch.setattr(routes, "statement_at", counted)
    assert _handler(tmp_path, files, "GET /users/17") == "GET /users/17 is handled at src/users.js:51"
    assert read.count("src/users.js") == 50
