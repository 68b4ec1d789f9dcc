"""Drives each server of readroom with the public Python client: drive.py BINARY DIR MODE (legacy, auto or a version).

Knows nothing of the tools: what to call and what to expect stands in ../calls.json.
"""

import json
import os
import pathlib
import re
import sys

import anyio
import jsonschema
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters

HERE = pathlib.Path(__file__).resolve().parent
MODERN = "2026-07-28"


class Mismatch(Exception):
    """An answer that is not what calls.json says."""


def expect(holds, what):
    if not holds:
        raise Mismatch(what)


def filled(value, variables):
    """`value` with $root and $pack replaced, at any depth."""
    if isinstance(value, str):
        for name, text in variables.items():
            value = value.replace(name, text)
        return value
    if isinstance(value, list):
        return [filled(item, variables) for item in value]
    if isinstance(value, dict):
        return {key: filled(item, variables) for key, item in value.items()}
    return value


async def check_tools(client, expected):
    tools = (await client.list_tools()).tools
    expect([tool.name for tool in tools] == expected, f"tools: {[tool.name for tool in tools]}")
    for tool in tools:
        expect(tool.input_schema["type"] == "object", f"{tool.name}: input schema")
        expect(tool.annotations and tool.annotations.read_only_hint is True, f"{tool.name}: annotations")
        expect(tool.title, f"{tool.name}: title")
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
    return {tool.name: tool for tool in tools}


async def check_call(client, tools, call, variables, planted):
    arguments = filled(call["arguments"], variables)
    seen = []

    async def on_progress(progress, total, message):
        seen.append(progress)

    try:
        result = await client.call_tool(
            call["tool"], arguments, progress_callback=on_progress if call.get("progress") else None
        )
    except MCPError as error:
        expect(error.code == call.get("protocolError"), f"protocol error {error.code}: {error}")
        return
    expect("protocolError" not in call, "a protocol error was expected")

    blocks = [block.text for block in result.content]
    text = "\n".join(blocks)
    for value in planted:
        expect(value not in text, "a planted value was shown")
    if "error" in call:
        expect(result.is_error, "an error result was expected")
        starts = (call["error"], '{"error":{"code":"' + call["error"] + '"')
        expect(text.startswith(starts), f"error text: {text[:200]}")
        expect(result.structured_content is None, "an error result has no structured content")
        return
    expect(not result.is_error, f"error result: {text[:300]}")
    for part in filled(call.get("contains", []), variables):
        expect(part in text, f"missing {part!r} in: {text[:1500]}")
    for part in call.get("absent", []):
        expect(part not in text, f"unwanted {part!r}")
    schema = tools[call["tool"]].output_schema
    if call.get("structured"):
        expect(json.loads(blocks[0]) == result.structured_content, "text block and structured content differ")
        jsonschema.validate(result.structured_content, schema)
    else:
        expect(schema is None and result.structured_content is None, "a text tool has no structured content")
    if call.get("progress"):
        expect(seen and all(a < b for a, b in zip(seen, seen[1:])), f"progress: {seen}")
    if call.get("capturesPack"):
        found = re.match(r"Pack stored as '([0-9a-f]{48})' \([0-9,]+ characters", text)
        expect(found, f"no pack id in: {text[:200]}")
        variables["$pack"] = found.group(1)


async def drive(binary, directory, mode):
    for table in json.loads((HERE.parent / "calls.json").read_text())["servers"]:
        await drive_server(binary, directory, mode, table)


async def drive_server(binary, directory, mode, table):
    root = (directory / "project").resolve()
    planted = (directory / "planted.txt").read_text().split()
    home = directory / "home"
    home.mkdir(exist_ok=True)
    server = StdioServerParameters(
        command=binary,
        args=[*table["command"], "--root", str(root)],
        env={"HOME": str(home), "READROOM_HOME": str(home), "PATH": os.environ["PATH"]},
        cwd=str(directory),
    )
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        version = client.protocol_version
        expect((version == MODERN) == (mode != "legacy"), f"mode {mode} negotiated {version}")
        # A pinned version is adopted without a question, so nobody has introduced the server yet.
        if mode in ("legacy", "auto"):
            expect(client.server_info and client.server_info.name == table["info"], f"server info: {client.server_info}")
        tools = await check_tools(client, table["tools"])
        variables = {"$root": str(root)}
        for call in table["calls"]:
            try:
                await check_call(client, tools, call, variables, planted)
            except Mismatch as mismatch:
                raise Mismatch(f"{call['tool']} {json.dumps(call['arguments'])}: {mismatch}") from None
    print(f"python {mode}: {table['server']}: {len(table['calls'])} calls as expected ({version})")


def mismatch_in(error):
    """The mismatch inside the groups that the client's task group wraps it in."""
    if isinstance(error, BaseExceptionGroup):
        return next((found for found in map(mismatch_in, error.exceptions) if found), None)
    return error if isinstance(error, Mismatch) else None


if __name__ == "__main__":
    try:
        anyio.run(drive, sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3])
    except BaseException as error:
        found = mismatch_in(error)
        if found is None:
            raise
        sys.exit(f"python {sys.argv[3]}: {found}")
