"""Each framework's own objects and calls, with the real package; a framework that is not installed is
skipped.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from daypack.adapters.shared import Project
from daypack.errors import InputError, MissingExtra
from daypack.tokens import counter
from daypack.types import Tokenizer
from support import copy_of_pay, daypack, environment

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "how are refunds retried?"
# How frameworks are made is theirs: they warn of each other, and leave sockets and loops to the garbage
# collector.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]


def adapter(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    for setting in ("HAYSTACK_TELEMETRY_ENABLED", "LANGSMITH_TRACING", "ANONYMIZED_TELEMETRY"):
        monkeypatch.setenv(setting, "False")
    pytest.importorskip(package, reason=f"{package} is not installed; `pip install '.[{name}]'` does it")
    return importlib.import_module(f"daypack.adapters.{name.replace('-', '_')}")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_of_pay(tmp_path_factory.mktemp("adapters"))
    (folder / "pyproject.toml").touch()
    daypack("add", ".", cwd=folder)
    return folder


@pytest.fixture(autouse=True)
def _words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAYPACK_EMBEDDER", "hashing")


def counted(texts: list[str]) -> int:
    return sum(map(counter(Tokenizer.O200K), texts))


def packed(folder: Path, budget: int) -> str:
    project = Project(folder)
    try:
        return project.pack(QUESTION, budget=budget).text
    finally:
        project.close()


def leads_back(citation: str, text: str, folder: Path) -> bool:
    return text in daypack("get", citation, cwd=folder).stdout


def test_langchain_gets_documents_that_fit_and_can_be_cited(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = adapter("langchain", "langchain_core", monkeypatch).DaypackRetriever
    retriever = made(folder=str(project), budget=500)
    found = retriever.invoke(QUESTION)
    assert "src/pay/retry.py" in {one.metadata["source"] for one in found}
    assert 0 < counted([one.page_content for one in found]) <= 500
    assert all(leads_back(one.metadata["citation"], one.page_content, project) for one in found)
    narrowed = made(folder=str(project), options={"source": "docs/**"}).invoke(QUESTION)
    assert narrowed
    assert all(one.metadata["source"].startswith("docs/") for one in narrowed)


def test_langchain_may_ask_from_many_threads_and_in_chains(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    retriever = adapter("langchain", "langchain_core", monkeypatch).DaypackRetriever(
        folder=str(project), budget=300
    )
    alone = retriever.invoke(QUESTION)
    assert retriever.batch([QUESTION] * 6) == [alone] * 6
    chain = retriever | (lambda found: [one.metadata["citation"] for one in found])
    assert chain.invoke(QUESTION) == [one.id for one in alone]


def test_llama_index_gets_nodes_that_fit_and_can_be_cited(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = adapter("llama-index", "llama_index.core", monkeypatch).DaypackRetriever
    found = made(str(project), budget=500).retrieve(QUESTION)
    assert "src/pay/retry.py" in {one.node.metadata["source"] for one in found}
    assert 0 < counted([one.node.text for one in found]) <= 500
    assert all(leads_back(one.node.metadata["citation"], one.node.text, project) for one in found)
    assert found[0].node.get_content(metadata_mode="llm").startswith(f"citation: {found[0].node.node_id}")


def test_nodes_of_any_retriever_are_fitted_to_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    module = adapter("llama-index", "llama_index.core", monkeypatch)
    from llama_index.core.schema import NodeWithScore, TextNode

    filler = "\n\n".join(
        f"Of the {number}th of May there is nothing to tell but rain." for number in range(40)
    )
    texts = [
        "The lighthouse is painted every third spring, by two people from the village.",
        f"{filler}\n\nThe keeper of the lighthouse is called Ines, and she keeps bees.\n\n{filler}",
        "The lighthouse is painted every third spring, by two people from the village.",
        "Trains to the north leave at noon.",
    ]
    nodes = [
        NodeWithScore(node=TextNode(id_=f"n{number}", text=text, metadata={"page": number}), score=0.5)
        for number, text in enumerate(texts)
    ]
    fitted = module.FitToBudget(budget=150).postprocess_nodes(nodes, query_str="who keeps the lighthouse?")
    shown = [one.node.text for one in fitted]
    assert counted(shown) <= 150
    assert any("Ines" in text for text in shown), "what is asked for stands deep in a long node"
    assert shown.count(texts[0]) <= 1, "what says the same comes once"
    assert all(one.node.text in texts[one.node.metadata["page"]] for one in fitted), (
        "texts are verbatim, and keep their metadata"
    )
    whole = module.FitToBudget(budget=4000).postprocess_nodes(
        nodes[:1], query_str="who paints the lighthouse?"
    )
    assert [one.node for one in whole] == [nodes[0].node]
    with pytest.raises(InputError, match="query_str"):
        module.FitToBudget().postprocess_nodes(nodes)


def test_haystack_runs_it_in_a_pipeline_that_can_be_saved(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = adapter("haystack", "haystack", monkeypatch).DaypackRetriever
    from haystack import Pipeline

    pipeline = Pipeline()
    pipeline.add_component("daypack", made(str(project), budget=500))
    found = Pipeline.loads(pipeline.dumps(), allowed_modules=["daypack.adapters.haystack"]).run(
        {"daypack": {"query": QUESTION}}
    )["daypack"]
    assert found["text"] == packed(project, 500)
    assert "src/pay/retry.py" in {one.meta["source"] for one in found["documents"]}
    assert all(leads_back(one.id, one.content, project) for one in found["documents"])
    less = pipeline.run({"daypack": {"query": QUESTION, "budget": 120}})["daypack"]["text"]
    assert 0 < counted([less]) <= 120


def test_llm_takes_packs_as_fragments_and_verbs_as_tools(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = adapter("llm", "llm", monkeypatch)
    import llm
    from llm.plugins import load_plugins, pm

    load_plugins()  # finds it by its entry point where this version of the package is installed
    if not pm.is_registered(module):
        pm.register(module)
    monkeypatch.chdir(project)
    module._tools.cache_clear()
    load = llm.get_fragment_loaders()["daypack"]
    text = load(f"500:{QUESTION}")
    assert str(text) == packed(project, 500)
    assert text.source == f"daypack:500:{QUESTION}"
    assert len(load(QUESTION)) > len(text)
    tools = llm.get_tools()
    assert {"daypack_pack", "daypack_search", "daypack_get", "daypack_status"} <= set(tools)
    assert "daypack_forget" not in tools
    assert "[1 " in tools["daypack_pack"].implementation(query=QUESTION, budget=300)
    with pytest.raises(InputError, match="budget"):
        tools["daypack_pack"].implementation(query=QUESTION, budget=-1)


def test_llm_finds_the_plug_in_by_its_entry_point() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "entry-points"
    ]["llm"]
    assert declared == {"daypack": "daypack.adapters.llm"}


@pytest.mark.parametrize(
    ("heading", "name", "package"),
    [
        ("LangChain", "langchain", "langchain_core"),
        ("LlamaIndex", "llama-index", "llama_index.core"),
        ("Haystack", "haystack", "haystack"),
    ],
)
def test_the_page_on_frameworks_runs(
    heading: str, name: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter(name, package, monkeypatch)
    monkeypatch.syspath_prepend(ROOT / "scripts")
    page = (ROOT / "docs" / "how-to" / "frameworks.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert "```python" in section
    assert importlib.import_module("docs").run_blocks(section) == section


def test_several_threads_share_one_store(project: Path) -> None:
    shared = Project(project)
    with ThreadPoolExecutor(4) as threads:
        found = {pack.text for pack in threads.map(lambda _: shared.pack(QUESTION, budget=300), range(8))}
    shared.close()
    assert len(found) == 1


@pytest.mark.parametrize("name", ["langchain", "llama_index", "llm", "haystack"])
def test_a_framework_that_is_missing_is_named_with_its_extra(name: str, tmp_path: Path) -> None:
    hides = f"import sys; sys.modules.update(dict.fromkeys(('langchain_core', 'llama_index', 'llm', 'haystack')))\nimport daypack.adapters.{name}"
    done = subprocess.run(
        [sys.executable, "-c", hides],
        env=environment(PATH=os.environ["PATH"]),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    extra = name.replace("_", "-")
    assert f"daypack.errors.{MissingExtra.__name__}" in done.stderr
    assert f"pip install '.[{extra}]'` in a clone of Daypack" in done.stderr
