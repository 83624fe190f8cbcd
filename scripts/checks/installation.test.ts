import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { root } from "./sources.ts";

let tools: string;
beforeEach(() => {
  tools = mkdtempSync(join(tmpdir(), "stocktake-tools-"));
});
afterEach(() => rmSync(tools, { recursive: true }));

function tool(name: string, script: string): void {
  writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(tools, name), 0o755);
}

/** The commands of docs/OPERATIONS.md that start Stocktake, without the copying. */
function startCommands(): string {
  const operations = readFileSync(join(root, "docs/OPERATIONS.md"), "utf8");
  const commands = /### 5\. Start\n\n```\n(.*?)```/s.exec(operations)?.[1] ?? "";
  expect(commands).toContain("systemctl enable --now");
  return commands.replace(/^cp .*$/m, "");
}

test.each([
  [
    "it runs, with a password that was made up",
    "Stocktake is running at …\nThe administrator's password is …",
    0,
  ],
  ["it runs, with a password that was chosen", "Stocktake is running at …", 0],
  ["its configuration is not usable", "The configuration is not usable:\n  - PUBLIC_URL", 0],
  ["its port is taken", "Port 3000 on 127.0.0.1 is already in use.", 60],
  ["it says nothing", "", 60],
])("the installation's start ends and shows the log where %s", (_name, log, seconds) => {
  tool("systemctl", "echo systemctl $*");
  tool("journalctl", `cat <<'LOG'\n${log}\nLOG`);
  tool("sleep", "echo slept >&2");
  const env = { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH ?? ""}` };
  const run = spawnSync("sh", ["-c", startCommands()], { env, encoding: "utf8", timeout: 100_000 });
  expect(run.status).toBe(0);
  expect(run.stdout).toContain("systemctl is-active stocktake");
  expect(run.stdout.trim().endsWith(log)).toBe(true);
  expect(run.stderr.match(/slept/g) ?? []).toHaveLength(seconds);
});

test("the containers' server believes the word of no other network than its own small one", () => {
  const compose = readFileSync(join(root, "deploy/compose.yaml"), "utf8");
  const subnet = /subnet: (\S+)/.exec(compose)?.[1];
  expect(/TRUST_PROXY: (\S+)/.exec(compose)?.[1]).toBe(subnet);
  expect(Number(subnet?.split("/")[1])).toBeGreaterThanOrEqual(24);
});
