"""Speaks to `behavior mcp` with the official client. Run by `mcp.rs`, which says where the program is."""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

RULE = {"trigger": "bash", "condition": 'runs "docker"', "action": "block", "message": "Not now."}


def plain(result) -> dict:
    """The result in the names of the protocol, whatever the version of the client calls them."""
    return result.model_dump(by_alias=True, mode="json")


async def main() -> None:
    server = StdioServerParameters(
        command=sys.argv[1], args=["mcp", "--agent", "claude-code"], env=dict(os.environ)
    )
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:

        async def call(tool: str, **arguments) -> dict:
            return plain(await session.call_tool(tool, arguments))

        await session.initialize()
        names = [tool.name for tool in (await session.list_tools()).tools]
        assert "preflight" in names, names

        result = await call("update_constitution", rule=RULE)
        assert not result["isError"], result
        assert result["structuredContent"]["entries"] == [RULE], result
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"], result

        result = await call("update_constitution", rule={"triger": "bash"})
        assert result["isError"] and "diagnostics" in result["structuredContent"], result

        result = await call("preflight", calls=[{"tool": "Bash", "params": {"command": "docker x"}}])
        decision = result["structuredContent"]["decisions"][0]
        assert decision["verdict"] == "deny", result
        assert any(one["rule"] == "constitution:0" for one in decision["findings"]), result

        result = await call("session_status")
        assert result["structuredContent"]["session"] == "s1", result

        resources = [str(one.uri) for one in (await session.list_resources()).resources]
        assert "behavior://rules" in resources, resources
        text = plain(await session.read_resource("behavior://rules"))["contents"][0]["text"]
        assert "constitution:0" in text, text


asyncio.run(main())
print("all is well")
