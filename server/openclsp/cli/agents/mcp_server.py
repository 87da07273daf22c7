"""`openclsp mcp`: serves the tools over standard input and output, with the Model Context Protocol."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

import anyio
import jsonschema
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from openclsp import __version__
from openclsp.cli.agents.tool_definitions import ToolDefinition, tool_definitions
from openclsp.cli.agents.workspace_tools import WorkspaceTools
from openclsp.cli.build_arguments import BuildArguments
from openclsp.cli.command_error import CommandError

_INSTRUCTIONS = (
    "Checks OpenCL C kernels: address spaces, types and language versions. Call check, read a diagnostic's page with "
    "explain, and test edits with try_fix before you write them. Lines and columns count from 1."
)


def serve_tools(folder: str, given: BuildArguments, *, writing: bool) -> None:
    """Serves the tools for `folder` until the client closes standard input.

    `writing`: whether tools may write files. Raises CommandError for a missing folder.
    """
    if not os.path.isdir(folder):
        raise CommandError(f"{folder} is not a folder")
    os.chdir(folder)
    server = make_server(WorkspaceTools(folder=os.curdir, given=given, writing=writing), writing=writing)

    async def run() -> None:
        async with stdio_server() as (reading, answering):
            await server.run(reading, answering, server.create_initialization_options())

    anyio.run(run)


def make_server(tools: WorkspaceTools, *, writing: bool) -> Server[object]:
    """Creates the server with its tools; the caller runs it on a transport.

    `writing`: whether tools may write files.
    """
    definitions = {each.name: each for each in tool_definitions()}
    # Analyses share caches, so only one runs at a time; the event loop answers other messages meanwhile.
    one_at_a_time = anyio.Lock()

    async def list_tools(_context: object, _page: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_describe(each, writing) for each in definitions.values()])

    async def call_tool(_context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        async with one_at_a_time:
            try:
                answer = await anyio.to_thread.run_sync(_call, tools, definitions, params)
            except CommandError as error:
                return types.CallToolResult(content=[_text(str(error))], is_error=True)
        return types.CallToolResult(content=[_text(json.dumps(answer))], structured_content=dict(answer))

    return Server(
        "openclsp",
        version=__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _call(
    tools: WorkspaceTools, definitions: Mapping[str, ToolDefinition], params: types.CallToolRequestParams
) -> Mapping[str, object]:
    definition = definitions.get(params.name)
    if definition is None:
        raise CommandError(f"there is no tool '{params.name}': {', '.join(definitions)}")
    arguments = params.arguments or {}
    problem = jsonschema.exceptions.best_match(
        jsonschema.Draft202012Validator(definition.arguments).iter_errors(arguments)
    )
    if problem is not None:
        raise CommandError(f"{problem.json_path}: {problem.message}")
    try:
        return tools.call(params.name, arguments)
    except CommandError:
        raise
    except Exception as error:
        raise CommandError(f"internal error: {type(error).__name__}: {error}") from error


def _describe(definition: ToolDefinition, writing: bool) -> types.Tool:
    writes = definition.may_write and writing
    return types.Tool(
        name=definition.name,
        description=definition.description,
        input_schema=dict(definition.arguments),
        output_schema=dict(definition.result),
        annotations=types.ToolAnnotations(
            read_only_hint=not writes, destructive_hint=writes, idempotent_hint=True, open_world_hint=False
        ),
    )


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
