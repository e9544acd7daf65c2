"""Leads a session of `mskb mcp` with the official client of the Model Context Protocol (the package `mcp`).

    mcp_client_test.py MSKB HOME ENVIRONMENT

ENVIRONMENT is a folder in which a virtual environment with the client is made, and kept. Ends with 77 where that fails, e.g. without a network."""

import asyncio
import os
import subprocess
import sys
import tempfile

if sys.prefix == sys.base_prefix:
    python = f"{sys.argv[3]}/bin/python"
    if subprocess.run([python, "-c", "import mcp"], stderr=subprocess.DEVNULL).returncode if os.path.exists(python) else True:
        for command in ([sys.executable, "-m", "venv", sys.argv[3]],
                        [python, "-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20", "mcp<2"]):
            if subprocess.run(command).returncode:
                print("the official client cannot be installed")
                sys.exit(77)
    os.execv(python, [python, *sys.argv])

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import McpError


def check(what, got, want):
    if got != want:
        sys.exit(f"{what}: got {got!r}, want {want!r}")


async def lead(folder):
    server = StdioServerParameters(command=sys.argv[1], args=["mcp", "--task", "silu_and_mul", "--precision", "fp32", "--device", "cpu", "--name", "agent",
                                                              "--evaluations", "3", "--out", f"{folder}/run"],
                                   env={**os.environ, "MSKB_HOME": sys.argv[2]})
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        check("server", hello.serverInfo.name, "mskb")
        check("version", hello.protocolVersion, types.LATEST_PROTOCOL_VERSION)
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        check("tools", sorted(tools), ["evaluate", "profile", "submit", "task"])
        check("schema", tools["submit"].inputSchema["required"], ["id"])

        task = (await session.call_tool("task", {})).structuredContent
        check("task", (task["task"], task["budget"]["evaluations"]), ("silu_and_mul", 3))
        original = task["reference"]["sources"][task["reference"]["main"]]

        wrong = await session.call_tool("evaluate", {"source": "extern \"C\" " + task["declaration"] + " {}\n"})
        check("wrong", (wrong.isError, wrong.structuredContent["verdict"]), (False, "incomplete"))
        right = await session.call_tool("evaluate", {"source": original, "cases": ["smoke"]})
        check("right", (right.isError, right.structuredContent["verdict"]), (False, "passed"))
        check("left", right.structuredContent["left"]["evaluations"], 1)

        for tool, arguments, words in (("evaluate", {"source": "x", "cases": ["huge"]}, "size set 'huge' is unknown"),
                                       ("evaluate", {"source": "x", "sources": {}}, "give the candidate's text as 'source'"),
                                       ("submit", {"id": "0123"}, "was not evaluated in this session")):
            refused = await session.call_tool(tool, arguments)
            check(f"{tool} {arguments}", (refused.isError, words in refused.content[0].text), (True, True))
        try:
            unknown = await session.call_tool("sing", {})
            check("unknown tool", unknown.isError, True)
        except McpError as error:
            check("unknown tool", error.error.code, types.INVALID_PARAMS)
        await session.send_ping()

        profiled = await session.call_tool("profile", {"source": original})
        check("profile", (profiled.structuredContent["profile"], profiled.structuredContent["profile_reason"] != ""), (None, True))
        spent = await session.call_tool("evaluate", {"source": original})
        check("spent", (spent.isError, "budget of 3 evaluations is spent" in spent.content[0].text), (True, True))

        done = await session.call_tool("submit", {"id": right.structuredContent["id"]})
        check("submit", done.isError, False)
        check("report", "silu_and_mul/fp32" in done.content[0].text and "agent" in done.content[0].text, True)
        after = await session.call_tool("evaluate", {"source": original})
        check("after the end", (after.isError, after.content[0].text), (True, "the session is over"))
    for name in ("run.yaml", "evaluations.jsonl", "transcripts/silu_and_mul/fp32.jsonl"):
        check(name, os.path.exists(f"{folder}/run/{name}"), True)


with tempfile.TemporaryDirectory() as folder:
    asyncio.run(lead(folder))
print("the official client leads a session")
