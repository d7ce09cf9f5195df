"""The frameworks' own checks of retrievers and tools, and what all adapters promise alike."""

from __future__ import annotations

import asyncio
import copy
import gc
import importlib
import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from daypack.adapters.fitting import fitted, with_kept
from daypack.adapters.shared import Project
from daypack.adapters.tools import Tools
from daypack.errors import InputError, NotFound
from daypack.tokens import counter
from daypack.types import Span, Tokenizer
from support import TESTS, copy_of_pay, daypack

QUESTION = "how are refunds retried?"
AGENTS = TESTS.parent / "examples" / "agents"
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]


@pytest.fixture(autouse=True)
def _words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAYPACK_EMBEDDER", "hashing")
    for setting in ("HAYSTACK_TELEMETRY_ENABLED", "LANGSMITH_TRACING", "ANONYMIZED_TELEMETRY"):
        monkeypatch.setenv(setting, "False")


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    """Leave no connection of a framework to the garbage collector of a later test."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_of_pay(tmp_path_factory.mktemp("contracts"))
    (folder / "pyproject.toml").touch()
    daypack("add", ".", cwd=folder)
    return folder


def made(name: str, package: str, kind: str = "DaypackRetriever") -> Any:
    pytest.importorskip(package)
    return getattr(importlib.import_module(f"daypack.adapters.{name}"), kind)


RETRIEVERS = {"langchain": "langchain_core", "llama_index": "llama_index.core", "haystack": "haystack"}


def texts_of(name: str, retriever: Any) -> list[str]:
    match name:
        case "langchain":
            return [one.page_content for one in retriever.invoke(QUESTION)]
        case "llama_index":
            return [one.node.text for one in retriever.retrieve(QUESTION)]
    return [one.content for one in retriever.run(query=QUESTION)["documents"]]


# ---------------------------------------------------------------- every adapter


@pytest.mark.parametrize("name", RETRIEVERS)
def test_a_folder_that_is_not_there_is_refused_and_not_made(name: str, tmp_path: Path) -> None:
    missing = tmp_path / "none"
    with pytest.raises(InputError, match="does not exist"):
        made(name, RETRIEVERS[name])(folder=str(missing))
    assert not missing.exists()


@pytest.mark.parametrize("name", RETRIEVERS)
def test_a_folder_that_went_is_not_made_again(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    retriever = made(name, RETRIEVERS[name])(folder=str(folder))
    folder.rmdir()
    with pytest.raises(InputError, match="does not exist"):
        texts_of(name, retriever)
    assert not folder.exists()


@pytest.mark.parametrize("name", RETRIEVERS)
def test_k_and_budget_both_hold(name: str, project: Path) -> None:
    kind = made(name, RETRIEVERS[name])
    all_of_them = texts_of(name, kind(folder=str(project), budget=2000))
    assert len(all_of_them) > 2
    assert texts_of(name, kind(folder=str(project), budget=2000, k=2)) == all_of_them[:2]
    small = texts_of(name, kind(folder=str(project), budget=200, k=50))
    assert 0 < sum(map(counter(Tokenizer.O200K), small)) <= 200
    with pytest.raises((InputError, ValueError), match="k"):
        kind(folder=str(project), k=0)


@pytest.mark.parametrize("name", RETRIEVERS)
def test_unknown_arguments_are_refused(name: str, project: Path) -> None:
    kind = made(name, RETRIEVERS[name])
    with pytest.raises((TypeError, ValueError)):
        kind(folder=str(project), budgett=3)
    with pytest.raises(InputError, match="did you mean source"):
        kind(folder=str(project), options={"sourc": "docs/**"})
    with pytest.raises(InputError, match="choose from after, "):
        kind(folder=str(project), options={"zz": 1})


@pytest.mark.parametrize("name", RETRIEVERS)
@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda it: pickle.loads(pickle.dumps(it))])
def test_copies_and_pickles_answer_alike(name: str, copied: Callable[[Any], Any], project: Path) -> None:
    retriever = made(name, RETRIEVERS[name])(folder=str(project), budget=500)
    before = texts_of(name, retriever)
    assert texts_of(name, copied(retriever)) == before == texts_of(name, retriever)


def test_a_project_is_the_same_in_another_working_folder(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    here = Project(".")
    monkeypatch.chdir(tmp_path)
    assert here.pack(QUESTION, budget=300).excerpts
    here.close()
    assert not (tmp_path / ".daypack").exists()


# ---------------------------------------------------------------- fitting


def test_texts_are_fitted_alike_each_time_and_leave_nothing_for_the_next_call() -> None:
    texts = [f"The keeper of lighthouse {number} keeps bees." for number in range(30)]
    first = fitted(texts, "who keeps lighthouse 7?", budget=120)
    assert sum(counter(Tokenizer.O200K)(part.text) for _, part in first) <= 120
    assert 7 in [number for number, _ in first]
    assert [part.text for _, part in fitted(["Trains leave at noon."], "who leaves?", budget=120)] == [
        "Trains leave at noon."
    ]
    assert fitted(["Trains leave at noon."], "who keeps lighthouse 7?", budget=120) == []
    again = fitted(texts, "who keeps lighthouse 7?", budget=120)
    assert [(number, part.text) for number, part in again] == [(number, part.text) for number, part in first]
    assert fitted([], "anything", budget=120) == []


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"start_line": 32, "end_line": 42}, {"start_line": 36, "end_line": 38}),
        ({"start_line": 32, "end_line": 40}, {"text_start_line": 5, "text_end_line": 7}),
        ({"start_line": "32", "end_line": "42"}, {"text_start_line": 5, "text_end_line": 7}),
        ({"page": 3}, {"text_start_line": 5, "text_end_line": 7}),
        ({"start_index": 1000}, {"start_index": 1024, "text_start_line": 5, "text_end_line": 7}),
    ],
)
def test_lines_of_a_text_that_is_cut_are_those_of_its_file(
    given: dict[str, Any], told: dict[str, Any]
) -> None:
    answer = "The keeper of the lighthouse\nis Ines,\nwho keeps bees."
    rain = "\n".join(["Rain."] * 4)
    text = f"{rain}\n{answer}\n{rain}"
    (_, whole), *_ = fitted([text], "who keeps the lighthouse?", budget=500)
    start = text.index(answer)
    part = whole._replace(citation=whole.citation._replace(span=Span(start, start + len(answer), 5, 7)))
    found = with_kept(given, text, part)
    assert found == {**given, **told, "variant": "full", "tokens": part.tokens}


def test_a_document_of_the_retriever_that_is_fitted_tells_its_lines_in_the_file(project: Path) -> None:
    retriever = made("langchain", "langchain_core")(folder=str(project), options={"source": "src/**"})
    fit = made("langchain", "langchain_core", "FitToBudget")(budget=100)
    given = retriever.invoke(QUESTION)
    cut = [
        one
        for document in given
        for one in fit.compress_documents([document], QUESTION)
        if one.page_content != document.page_content
    ]
    assert any(one.metadata["start_line"] > 1 for one in cut)
    for one in cut:
        first, last = one.metadata["start_line"], one.metadata["end_line"]
        lines = (project / one.metadata["source"]).read_text(encoding="utf-8").split("\n")[first - 1 : last]
        assert one.page_content.strip() in "\n".join(lines)


def test_a_question_is_needed_to_fit_texts_and_a_failure_leaves_the_next_call_whole() -> None:
    with pytest.raises(InputError, match="question"):
        fitted(["a"], " ", budget=10)
    with pytest.raises(InputError, match="budget"):
        fitted(["a text"], "text", budget=-1)
    assert len(fitted(["a text"], "text", budget=100)) == 1


def test_langchain_documents_are_fitted_to_a_budget() -> None:
    kind = made("langchain", "langchain_core", "FitToBudget")
    from langchain_core.documents import Document

    filler = "\n\n".join(
        f"Of the {number}th of May there is nothing to tell but rain." for number in range(40)
    )
    documents = [
        Document(page_content=f"{filler}\n\nThe keeper of the lighthouse is called Ines.\n\n{filler}", metadata={"page": 1}),
        Document(page_content="Trains to the north leave at noon.", metadata={"page": 2}),
    ]  # fmt: skip
    found = kind(budget=120).compress_documents(documents, "who keeps the lighthouse?")
    assert sum(counter(Tokenizer.O200K)(one.page_content) for one in found) <= 120
    assert "Ines" in found[0].page_content
    assert found[0].metadata["page"] == 1
    assert found[0].metadata["text_start_line"] > 1
    assert [*kind().compress_documents(documents[1:], "trains?")] == documents[1:]
    with pytest.raises(ValueError, match="budgett"):
        kind(budgett=3)


# ---------------------------------------------------------------- LangChain's standard tests

if importlib.util.find_spec("langchain_tests") is not None:
    from langchain_tests.integration_tests import RetrieversIntegrationTests, ToolsIntegrationTests
    from langchain_tests.unit_tests import ToolsUnitTests

    from daypack.adapters import langchain

    class TestRetriever(RetrieversIntegrationTests):
        @pytest.fixture(autouse=True)
        def _folder(self, project: Path, _words: None) -> None:
            self.folder = str(project)

        @property
        def retriever_constructor(self) -> Any:
            return langchain.DaypackRetriever

        @property
        def retriever_constructor_params(self) -> dict[str, Any]:
            return {"folder": self.folder, "budget": 2000}

        @property
        def retriever_query_example(self) -> str:
            return QUESTION

    class _Tool:
        @pytest.fixture(autouse=True)
        def _folder(self, project: Path, _words: None) -> None:
            self.folder = str(project)

        @property
        def tool_constructor(self) -> Any:
            return langchain.DaypackTool

        @property
        def tool_constructor_params(self) -> dict[str, Any]:
            return {"folder": self.folder, "verb": "search"}

        @property
        def tool_invoke_params_example(self) -> dict[str, Any]:
            return {"queries": [QUESTION], "limit": 3}

    class TestToolUnits(_Tool, ToolsUnitTests):
        pass

    class TestTools(_Tool, ToolsIntegrationTests):
        pass


def test_langchain_tools_answer_errors_as_text_a_model_can_act_on(project: Path) -> None:
    pytest.importorskip("langchain_core")
    tools = importlib.import_module("daypack.adapters.langchain").tools(str(project))
    assert [one.name for one in tools] == ["daypack_pack", "daypack_search", "daypack_get", "daypack_status"]
    called = {"name": "daypack_get", "args": {"reference": "docs/none.md"}, "id": "1", "type": "tool_call"}
    message = tools[2].invoke(called)
    assert message.status == "error"
    assert "none.md" in message.content
    assert "`daypack_search` shows what can be read" in message.content
    pack = tools[0]
    assert (
        pack.invoke({"q": "refund"})
        == "daypack_pack has no argument 'q'; it takes query, budget, format, in, source, page, after, history"
    )
    assert pack.invoke({}) == "daypack_pack needs query"
    assert "src/pay" in pack.invoke(QUESTION), "a text is the question"
    assert "in" in pack.args
    assert "[docs" in pack.invoke({"query": QUESTION, "in": ["files"], "source": ["docs/**"]})
    with pytest.raises(InputError, match="not a tool"):
        made("langchain", "langchain_core", "DaypackTool")("forget")


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda it: pickle.loads(pickle.dumps(it))])
def test_langchain_tools_can_be_copied_and_pickled(
    copied: Callable[[Any], Any], project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = made("langchain", "langchain_core", "DaypackTool")
    monkeypatch.chdir(project)
    tool = kind("get", description="Read a file.")
    read = tool.invoke({"reference": "docs/refunds.md"})
    again = copied(tool)
    monkeypatch.chdir(tmp_path)
    assert again.invoke({"reference": "docs/refunds.md"}) == read
    assert (again.verb, again.name, again.description) == ("get", "daypack_get", "Read a file.")


@pytest.mark.parametrize("changed", ["assigned", "copied"])
def test_a_changed_folder_counts_from_the_next_question_on(
    changed: str, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "notes.md").write_text("Refunds are retried by hand.\n")
    (tmp_path / "pyproject.toml").touch()
    for name in ("DaypackRetriever", "DaypackTool"):
        one = made("langchain", "langchain_core", name)(folder=str(project))
        asked = QUESTION if name == "DaypackRetriever" else {"query": QUESTION}
        assert "by hand" not in str(one.invoke(asked))
        if changed == "assigned":
            one.folder = str(tmp_path)
        else:
            one = one.model_copy(update={"folder": str(tmp_path)})
        assert "by hand" in str(one.invoke(asked))


def test_langchain_asks_with_k_and_budget_in_either_way(project: Path) -> None:
    retriever = made("langchain", "langchain_core")(folder=str(project), budget=2000)
    assert len(found := retriever.invoke(QUESTION, k=1)) == 1
    assert asyncio.run(retriever.ainvoke(QUESTION, k=1)) == found
    assert len(asyncio.run(retriever.ainvoke(QUESTION))) > 1


# ---------------------------------------------------------------- LlamaIndex and Haystack


def test_llama_index_tools_and_memory(project: Path) -> None:
    pytest.importorskip("llama_index.core")
    module = importlib.import_module("daypack.adapters.llama_index")
    from llama_index.core.llms import ChatMessage
    from llama_index.core.memory import Memory
    from llama_index.core.retrievers import BaseRetriever

    assert issubclass(module.DaypackRetriever, BaseRetriever)
    tools = {one.metadata.name: one for one in module.tools(str(project))}
    assert "[1 " in tools["daypack_pack"].call(query=QUESTION, budget=300).content
    assert "budget" in tools["daypack_pack"].metadata.fn_schema.model_json_schema()["properties"]
    daypack("remember", "release/cadence", "we release on Thursdays", cwd=project)
    block = module.DaypackMemoryBlock(folder=str(project), session="chat")
    memory = Memory.from_defaults(
        session_id="chat",
        token_limit=60,
        chat_history_token_ratio=0.5,
        token_flush_size=10,
        memory_blocks=[block],
    )

    async def talked() -> list[ChatMessage]:
        for number in range(6):
            await memory.aput(
                ChatMessage(role="user", content=f"We decided that step {number} of the release is manual.")
            )
        await memory.aput(ChatMessage(role="user", content="when do we release?"))
        return await memory.aget()

    assert "Thursdays" in "\n".join(str(one.content) for one in asyncio.run(talked()))
    assert "manual" in daypack("session", "timeline", "--session", "all", cwd=project, status=None).stdout


def test_haystack_restores_a_component_from_its_data(project: Path) -> None:
    kind = made("haystack", "haystack")
    from haystack.core.serialization import component_from_dict, component_to_dict

    one = kind(str(project), budget=300, k=2, options={"source": "docs/**"})
    data = component_to_dict(one, "daypack")
    assert json.loads(json.dumps(data)) == data
    again = component_from_dict(kind, data, "daypack")
    assert again.run(query=QUESTION) == one.run(query=QUESTION)
    assert len(again.run(query=QUESTION)["documents"]) <= 2
    assert {*again.__haystack_input__._sockets_dict} == {"query", "budget", "k"}


# ---------------------------------------------------------------- agents with stub models


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, AGENTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tools_for_any_framework(project: Path) -> None:
    tools = Tools(project)
    assert [*tools.schemas()] == ["pack", "search", "get", "status"]
    assert "[1 " in tools.call("pack", {"query": QUESTION, "budget": 300})
    with pytest.raises(InputError, match="did you mean budget"):
        tools.call("pack", {"query": QUESTION, "budgett": 300})
    with pytest.raises(InputError, match="not a tool"):
        tools.call("forget", {"key": "a"})
    asked = {"query": QUESTION, "budget": 300}
    assert tools.call("pack", json.dumps(asked)) == tools.call("pack", asked)
    assert json.loads(tools.call("status"))["records"] > 0
    with pytest.raises(NotFound, match="`search` shows what can be read"):
        tools.call("get", {"reference": "docs/none.md"})
    with pytest.raises(NotFound, match="`daypack_search` shows what can be read"):
        Tools(project, prefix="daypack_").call("get", {"reference": "docs/none.md"})
    for wrong, said in ((None, "pack needs query"), ("refund", "not JSON|line 1"), ([1], "give an object")):
        with pytest.raises(InputError, match=said):
            tools.call("pack", wrong)  # type: ignore[arg-type]


def test_the_example_of_pydantic_ai(project: Path) -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    def answered(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            assert {one.name for one in info.function_tools} >= {"daypack_pack", "daypack_get"}
            return ModelResponse(parts=[ToolCallPart("daypack_pack", {"q": QUESTION})])
        if len(messages) == 3:
            assert "Error: daypack_pack has no argument 'q'" in str(messages[-1].parts[0].content)
            return ModelResponse(parts=[ToolCallPart("daypack_pack", {"query": QUESTION, "budget": 300})])
        return ModelResponse(parts=[TextPart(str(messages[-1].parts[0].content))])

    agent = example("with_pydantic_ai").make_agent(FunctionModel(answered), str(project))
    assert "src/pay/retry.py" in asyncio.run(agent.run("why?")).output


def test_the_example_of_openai_agents(project: Path) -> None:
    pytest.importorskip("agents", reason="openai-agents is not installed")
    from agents import Model, ModelResponse, Runner, Usage, set_tracing_disabled
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    set_tracing_disabled(True)

    class Stub(Model):  # type: ignore[misc, unused-ignore]
        async def get_response(
            self, system_instructions: Any, input: Any, *_: Any, **__: Any
        ) -> ModelResponse:
            outputs = [
                one["output"]
                for one in input
                if isinstance(one, dict) and one.get("type") == "function_call_output"
            ]
            if len(outputs) < 2:
                assert not outputs or "Error: daypack_pack has no argument 'q'" in outputs[0]
                arguments = json.dumps({"query": QUESTION, "budget": 300} if outputs else {"q": QUESTION})
                call = ResponseFunctionToolCall(
                    name="daypack_pack", arguments=arguments, call_id=str(len(outputs)), type="function_call"
                )
                return ModelResponse(output=[call], usage=Usage(), response_id=None)
            said = ResponseOutputText(text=outputs[1], type="output_text", annotations=[])
            message = ResponseOutputMessage(
                id="1", content=[said], role="assistant", status="completed", type="message"
            )
            return ModelResponse(output=[message], usage=Usage(), response_id=None)

        def stream_response(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    agent = example("with_openai_agents").make_agent(Stub(), str(project))
    assert "src/pay/retry.py" in asyncio.run(Runner.run(agent, "why?")).final_output


def test_the_example_of_the_claude_agent_sdk(project: Path) -> None:
    pytest.importorskip("claude_agent_sdk")
    module = example("with_claude_agent_sdk")
    tools = {one.name: one for one in module.make_tools(str(project))}
    answer = asyncio.run(tools["pack"].handler({"query": QUESTION, "budget": 300}))
    assert "src/pay/retry.py" in answer["content"][0]["text"]
    assert asyncio.run(tools["get"].handler({"reference": "docs/none.md"}))["is_error"]
    options = module.make_options(str(project))
    assert "mcp__daypack__pack" in options.allowed_tools


def test_the_claude_agent_sdk_runs_a_turn_with_the_tools_of_the_example(project: Path) -> None:
    pytest.importorskip("claude_agent_sdk")
    from claude_agent_sdk import ResultMessage, Transport, query

    class Program(Transport):  # type: ignore[misc, unused-ignore]
        """Takes the place of the program that asks the model: calls one tool, and answers with its text."""

        calls = (
            ("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "stub", "version": "1"}}),
            ("tools/call", {"name": "pack", "arguments": {"query": QUESTION, "budget": 300}}),
        )  # fmt: skip

        async def connect(self) -> None:
            self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
            self.made = 0

        def call(self) -> None:
            method, params = self.calls[self.made]
            message = {"jsonrpc": "2.0", "id": self.made, "method": method, "params": params}
            request = {"subtype": "mcp_message", "server_name": "daypack", "message": message}
            self.said.put_nowait(
                {"type": "control_request", "request_id": str(self.made), "request": request}
            )
            self.made += 1

        async def write(self, data: str) -> None:
            got = json.loads(data)
            if got["type"] == "control_request":
                response = {"subtype": "success", "request_id": got["request_id"], "response": {}}
                self.said.put_nowait({"type": "control_response", "response": response})
            elif got["type"] == "user" or self.made < len(self.calls):
                self.call()
            else:
                result = got["response"]["response"]["mcp_response"]["result"]
                facts = {"subtype": "success", "duration_ms": 1, "duration_api_ms": 1, "is_error": False, "num_turns": 1, "session_id": "s"}  # fmt: skip
                self.said.put_nowait({"type": "result", **facts, "result": result["content"][0]["text"]})

        async def read_messages(self) -> Any:
            while True:
                message = await self.said.get()
                yield message
                if message["type"] == "result":
                    return

        async def close(self) -> None:
            pass

        def is_ready(self) -> bool:
            return True

        async def end_input(self) -> None:
            pass

    async def turn() -> str:
        options = example("with_claude_agent_sdk").make_options(str(project))
        async for message in query(prompt="why?", options=options, transport=Program()):
            if isinstance(message, ResultMessage):
                return str(message.result)
        raise AssertionError("the turn ended without a result")

    assert "src/pay/retry.py" in asyncio.run(asyncio.wait_for(turn(), 60))


# ---------------------------------------------------------------- llm


def test_llm_sends_a_fragment_to_a_model(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("llm")
    import llm
    from click.testing import CliRunner
    from llm.cli import cli
    from llm.plugins import load_plugins, pm

    class Parrot(llm.Model):  # type: ignore[misc, name-defined, unused-ignore]
        model_id = "parrot"

        def execute(self, prompt: Any, stream: bool, response: Any, conversation: Any = None) -> Any:
            yield f"heard: {prompt.prompt}"

    class Plugin:
        __name__ = "Parrots"

        @llm.hookimpl
        def register_models(self, register: Any) -> None:
            register(Parrot())

    load_plugins()
    module = importlib.import_module("daypack.adapters.llm")
    if not pm.is_registered(module):
        pm.register(module)
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path))
    monkeypatch.chdir(project)
    module._tools.cache_clear()
    plugin = Plugin()
    pm.register(plugin)
    try:
        done = CliRunner().invoke(
            cli, ["-m", "parrot", "--no-stream", "-f", f"daypack:400:{QUESTION}", "Which first?"], catch_exceptions=False
        )  # fmt: skip
    finally:
        pm.unregister(plugin)
    assert done.exit_code == 0, done.output
    assert Project(project).pack(QUESTION, budget=400).text in done.output
    assert "Which first?" in done.output
