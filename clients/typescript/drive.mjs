// Drives each server of readroom with the public TypeScript client: node drive.mjs BINARY DIR MODE (auto or legacy).
//
// Knows nothing of the tools: what to call and what to expect stands in ../calls.json. Packages are found from the
// folder named by CLIENT_MODULES, because they are installed outside of the sources.

import { readFileSync, mkdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";

const modules = createRequire(join(process.env.CLIENT_MODULES ?? dirname(fileURLToPath(import.meta.url)), "package.json"));
const { Client, ProtocolError } = modules("@modelcontextprotocol/client");
const { StdioClientTransport } = modules("@modelcontextprotocol/client/stdio");

class Mismatch extends Error {}

function expect(holds, what) {
  if (!holds) throw new Mismatch(what);
}

/** `value` with $root and $pack replaced, at any depth. */
function filled(value, variables) {
  if (typeof value === "string") {
    return Object.entries(variables).reduce((text, [name, with_]) => text.replaceAll(name, with_), value);
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, variables));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, variables)]));
  }
  return value;
}

async function checkTools(client, expected) {
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  expect(isDeepStrictEqual(names, expected), `tools: ${names}`);
  for (const tool of tools) {
    expect(tool.inputSchema.type === "object", `${tool.name}: input schema`);
    expect(tool.annotations?.readOnlyHint === true, `${tool.name}: annotations`);
  }
  return new Map(tools.map((tool) => [tool.name, tool]));
}

async function checkCall(client, tools, call, variables, planted) {
  const seen = [];
  const options = call.progress ? { onprogress: ({ progress }) => seen.push(progress) } : undefined;
  let result;
  try {
    result = await client.callTool({ name: call.tool, arguments: filled(call.arguments, variables) }, options);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    expect(error.code === call.protocolError, `protocol error ${error.code}: ${error.message}`);
    return;
  }
  expect(call.protocolError === undefined, "a protocol error was expected");

  const blocks = result.content.map((block) => block.text);
  const text = blocks.join("\n");
  for (const value of planted) expect(!text.includes(value), "a planted value was shown");
  if (call.error !== undefined) {
    expect(result.isError === true, "an error result was expected");
    const starts = [call.error, `{"error":{"code":"${call.error}"`];
    expect(starts.some((start) => text.startsWith(start)), `error text: ${text.slice(0, 200)}`);
    expect(result.structuredContent === undefined, "an error result has no structured content");
    return;
  }
  expect(!result.isError, `error result: ${text.slice(0, 300)}`);
  for (const part of filled(call.contains ?? [], variables)) {
    expect(text.includes(part), `missing ${JSON.stringify(part)} in: ${text.slice(0, 1500)}`);
  }
  for (const part of call.absent ?? []) expect(!text.includes(part), `unwanted ${JSON.stringify(part)}`);
  // The client has validated structured content against the published schema before it returned.
  if (call.structured) {
    expect(tools.get(call.tool).outputSchema !== undefined, "a structured tool publishes its schema");
    expect(isDeepStrictEqual(JSON.parse(blocks[0]), result.structuredContent), "text block and structured content differ");
  } else {
    expect(result.structuredContent === undefined, "a text tool has no structured content");
  }
  if (call.progress) {
    // This client drops a notification that arrives in one chunk with its result, so their number is not checked.
    expect(seen.every((value, at) => at === 0 || seen[at - 1] < value), `progress: ${seen}`);
  }
  if (call.capturesPack) {
    const found = /^Pack stored as '([0-9a-f]{48})' \([0-9,]+ characters/.exec(text);
    expect(found !== null, `no pack id in: ${text.slice(0, 200)}`);
    variables.$pack = found[1];
  }
}

async function drive(binary, directory, mode) {
  const { servers } = JSON.parse(readFileSync(new URL("../calls.json", import.meta.url), "utf8"));
  for (const table of servers) await driveServer(binary, directory, mode, table);
}

async function driveServer(binary, directory, mode, table) {
  const root = realpathSync(join(directory, "project"));
  const planted = readFileSync(join(directory, "planted.txt"), "utf8").trim().split("\n");
  const home = join(directory, "home");
  mkdirSync(home, { recursive: true });
  const client = new Client({ name: "readroom-check", version: "1.0.0" }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: binary,
    args: [...table.command, "--root", root],
    env: { HOME: home, READROOM_HOME: home, PATH: process.env.PATH },
    cwd: directory,
  });
  await client.connect(transport);
  try {
    const era = client.getProtocolEra();
    expect(era === (mode === "auto" ? "modern" : "legacy"), `mode ${mode} negotiated ${era}`);
    expect(client.getServerVersion()?.name === table.info, "server info");
    const tools = await checkTools(client, table.tools);
    const variables = { $root: root };
    for (const call of table.calls) {
      try {
        await checkCall(client, tools, call, variables, planted);
      } catch (error) {
        error.message = `${call.tool} ${JSON.stringify(call.arguments)}: ${error.message}`;
        throw error;
      }
    }
    console.log(`typescript ${mode}: ${table.server}: ${table.calls.length} calls as expected (${client.getNegotiatedProtocolVersion()})`);
  } finally {
    await client.close();
  }
}

const [binary, directory, mode] = process.argv.slice(2);
try {
  await drive(binary, directory, mode);
} catch (error) {
  console.error(error instanceof Mismatch ? `typescript ${mode}: ${error.message}` : error);
  process.exit(1);
}
