"""`openclsp mcp`, driven by the client of the official SDK: every tool, its schemas, and what it refuses."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

import jsonschema
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from openclsp.cli.agents.mcp_server import make_server
from openclsp.cli.agents.tool_definitions import tool_definitions
from openclsp.cli.agents.workspace_tools import WorkspaceTools
from openclsp.cli.build_arguments import BuildArguments

FAULTY = "kernel void k(global int *g) {\n    local int *l = g;\n}\n"
GENERIC = "void f(int *p) { *p = 1; }\nkernel void k(global int *g, local int *l) { f(g); f(l); }\n"
NOTHING = BuildArguments(None, (), (), (), (), None)
CL2 = NOTHING._replace(std="CL2.0")


class Tools:
    """Calls tools and validates what they return."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.client.call_tool(name, arguments)
        assert not answer.is_error, answer.content
        (definition,) = (each for each in tool_definitions() if each.name == name)
        jsonschema.Draft202012Validator(definition.result).validate(answer.structured_content)
        assert json.loads(answer.content[0].text) == answer.structured_content
        return dict(answer.structured_content or {})

    async def refused(self, name: str, **arguments: Any) -> str:
        answer = await self.client.call_tool(name, arguments)
        assert answer.is_error
        return str(answer.content[0].text)


@asynccontextmanager
async def serving(given: BuildArguments = CL2, *, writing: bool = False) -> AsyncIterator[Tools]:
    """The tools of the working folder; a context in the test, because a fixture would end in another task."""
    async with Client(make_server(WorkspaceTools(".", given, writing=writing), writing=writing)) as client:
        yield Tools(client)


async def test_tools_are_described(folder):
    async with serving() as tools, serving(NOTHING, writing=True) as writing_tools:
        listed = (await tools.client.list_tools()).tools
        assert [each.name for each in listed] == [
            "check",
            "hover",
            "flow",
            "layout",
            "expand",
            "explain",
            "try_fix",
        ]
        for each in listed:
            jsonschema.Draft202012Validator.check_schema(each.input_schema)
            jsonschema.Draft202012Validator.check_schema(each.output_schema)
            assert each.annotations.read_only_hint
        writing = (await writing_tools.client.list_tools()).tools
        assert [each.name for each in writing if not each.annotations.read_only_hint] == ["try_fix"]


async def test_check_hover_flow_and_explain(write):
    async with serving() as tools:
        write("sub/k.cl", FAULTY)
        write("g.cl", GENERIC)
        report = await tools.call("check", select=["pointer-conversion"])
        found = [each for file in report["files"] for each in file["diagnostics"]]
        assert [each["code"] for each in found] == ["pointer-conversion"]
        report = await tools.call("check", paths=["sub"], maximum=0, fixes=False)
        assert report["leftOut"][0]["count"] == 1
        assert (await tools.call("hover", path="g.cl", line=1, column=13))["spaces"][1] == "generic"
        flow = await tools.call("flow", path="g.cl", line=1, column=13)
        assert flow["flow"]["spaces"] == ["global", "local"]
        write("s.cl", "#define N 4\nstruct s { char tag; float4 v; };\nconstant int n = N;\n")
        layout = await tools.call("layout", path="s.cl", line=2, column=8)
        assert layout["layouts"][0]["size"] == 32
        expanded = await tools.call("expand", path="s.cl", line=3, column=18)
        assert expanded["steps"][-1]["text"] == "4"
        page = (await tools.call("explain", code="pointer-conversion"))["page"]
        assert page.startswith("# pointer-conversion: ")
        assert "pointer-conversion" in (await tools.call("explain"))["names"]


async def test_try_fix_applies_what_check_offers(write):
    async with serving(NOTHING, writing=True) as writing_tools:
        path = write("sub/k.cl", FAULTY)
        report = await writing_tools.call("check")
        (found,) = report["files"][0]["diagnostics"]
        for fix in found["fixes"]:
            tried = await writing_tools.call("try_fix", edits=fix["edits"])
            assert [each["diagnostic"]["code"] for each in tried["fixed"]] == ["pointer-conversion"]
            assert (tried["added"], tried["remaining"], tried["written"]) == ([], 0, [])
        assert path.read_text() == FAULTY
        tried = await writing_tools.call("try_fix", edits=found["fixes"][0]["edits"], write=True)
        assert tried["written"] == ["sub/k.cl"]
        assert "global int *l" in path.read_text()


async def test_try_fix_sees_an_edited_header_through_its_kernel(write):
    async with serving() as tools:
        write("h.clh", "static int f(global int *p) { return *p; }\n")
        write("k.cl", '#include "h.clh"\nkernel void k(global int *g) { *g = f(g); }\n')
        here = {"start": {"line": 1, "column": 14}, "end": {"line": 1, "column": 20}}
        tried = await tools.call("try_fix", edits=[{"path": "h.clh", "range": here, "text": "local"}])
        assert tried["fixed"] == []
        assert [(each["path"], each["diagnostic"]["range"]["start"]["line"]) for each in tried["added"]] == [
            ("k.cl", 2)
        ]


async def test_nothing_is_written_without_permission_or_with_new_errors(write):
    async with serving() as tools, serving(NOTHING, writing=True) as writing_tools:
        path = write("k.cl", "kernel void k(global int *g) { *g = 1; }\n")
        span = {"start": {"line": 1, "column": 15}, "end": {"line": 1, "column": 21}}
        harmless = [{"path": "k.cl", "range": span, "text": "__global"}]
        harmful = [{"path": "k.cl", "range": span, "text": "constant"}]
        assert "--write" in await tools.refused("try_fix", edits=harmless, write=True)
        assert "the edits add errors" in await writing_tools.refused("try_fix", edits=harmful, write=True)
        assert path.read_text() == "kernel void k(global int *g) { *g = 1; }\n"


async def test_files_outside_the_workspace_are_refused(write, folder, tmp_path_factory):
    async with serving() as tools:
        other = tmp_path_factory.mktemp("other")
        (other / "k.cl").write_text(FAULTY)
        os.symlink(other / "k.cl", folder / "link.cl")
        span = {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 1}}
        for path in (str(other / "k.cl"), str(other / "none.cl"), "../other0/k.cl", "link.cl", "/"):
            assert await tools.refused("check", paths=[path]) == f"{path} is outside the workspace"
            assert (
                await tools.refused("hover", path=path, line=1, column=1)
                == f"{path} is outside the workspace"
            )
            edit = {"path": path, "range": span, "text": ""}
            assert await tools.refused("try_fix", edits=[edit]) == f"{path} is outside the workspace"


async def test_nonsense_is_refused(write):
    async with serving() as tools:
        write("k.cl", FAULTY)
        inside = {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 4}}
        backwards = {"start": inside["end"], "end": inside["start"]}
        outside = {"start": {"line": 99, "column": 1}, "end": {"line": 99, "column": 1}}
        edit = {"path": "k.cl", "range": inside, "text": ""}
        for name, arguments, message in (
            ("chek", {}, "there is no tool 'chek'"),
            ("check", {"paths": "k.cl"}, "$.paths"),
            ("check", {"path": "k.cl"}, "'path' was unexpected"),
            ("check", {"paths": ["none.cl"]}, "no such file"),
            ("check", {"paths": ["a\0b"]}, "a"),
            ("check", {"select": ["pointer-csat"]}, "did you mean 'pointer-cast'?"),
            ("hover", {"path": "k.cl", "line": 0, "column": 1}, "$.line"),
            ("hover", {"path": "k.cl", "line": 1, "column": 10**30}, ""),
            ("flow", {"path": "k.cl", "line": 1, "column": 1}, "there is no generic pointer"),
            ("explain", {"code": "../page"}, "there is no rule"),
            ("try_fix", {"edits": []}, "$.edits"),
            ("try_fix", {"edits": [{**edit, "range": outside}]}, "line 99 is outside k.cl"),
            ("try_fix", {"edits": [{**edit, "range": backwards}]}, "ends before it starts"),
            ("try_fix", {"edits": [edit, edit]}, "overlap"),
            ("try_fix", {"edits": [{**edit, "path": "none.cl"}]}, "does not exist"),
        ):
            assert message in await tools.refused(name, **arguments)
        assert len((await tools.call("check"))["files"]) == 1


async def test_over_standard_input_and_output(write, folder):
    write("k.cl", GENERIC)
    program = "import sys; from openclsp.cli import main; sys.exit(main())"
    server = StdioServerParameters(
        command=sys.executable, args=["-c", program, "mcp", "--std", "CL2.0", str(folder)]
    )
    async with Client(server) as client:
        flow = await Tools(client).call("flow", path="k.cl", line=1, column=13)
        assert flow["flow"]["spaces"] == ["global", "local"]


def test_without_the_extra(openclsp, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "openclsp.cli.agents.mcp_server")
    ran = openclsp("mcp")
    assert (ran.code, ran.out) == (2, "")
    assert "install openclsp[mcp]" in ran.err


def test_the_page_documents_every_tool_and_argument():
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
    rows = dict(
        line.removeprefix("| `").split("` | ", 1) for line in page.splitlines() if line.startswith("| `")
    )
    assert set(rows) == {each.name for each in tool_definitions()}
    for each in tool_definitions():
        arguments = rows[each.name].split(" | ")[0]
        assert all(f"`{name}`" in arguments for name in each.arguments["properties"])
