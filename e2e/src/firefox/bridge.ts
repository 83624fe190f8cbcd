import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { WebSocket, WebSocketServer } from "ws";
import * as z from "zod/mini";

/*
 * Runs between Playwright and a Firefox that does not support all that Playwright asks of it: Debian's refuses to emulate a colour
 * scheme, and Playwright opens no page then. Such a command is taken here; all else is passed on as it is. Started in Firefox's
 * place, with its parameters.
 */

const unknownToFirefox = new Set(["emulation.setMediaFeaturesOverride"]);
const Command = z.object({ id: z.number(), method: z.string() });
const [program = "firefox-esr", ...parameters] = process.argv.slice(2);

function listenFor(firefoxUrl: string): void {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (playwright) => bridge(playwright, new WebSocket(`${firefoxUrl}/session`)));
  server.on("listening", () => {
    // Playwright reads it where Firefox would have written it.
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The bridge has no port.");
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${address.port}\n`);
  });
}

function bridge(playwright: WebSocket, firefox: WebSocket): void {
  const early: string[] = [];
  firefox.on("open", () => {
    for (const text of early.splice(0)) firefox.send(text);
  });
  playwright.on("message", (data) => {
    const text = String(data);
    const { id, method } = Command.parse(JSON.parse(text));
    if (unknownToFirefox.has(method)) playwright.send(JSON.stringify({ type: "success", id, result: {} }));
    else if (firefox.readyState === WebSocket.OPEN) firefox.send(text);
    else early.push(text);
  });
  firefox.on("message", (data) => playwright.send(String(data)));
  firefox.on("close", () => playwright.close());
  firefox.on("error", (error) => process.stderr.write(`Firefox's connection: ${error.message}\n`));
  playwright.on("close", () => firefox.close());
}

const browser = spawn(program, parameters, { stdio: ["ignore", "inherit", "pipe"] });
createInterface({ input: browser.stderr }).on("line", (line) => {
  const url = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(line)?.[1];
  if (url === undefined) process.stderr.write(`${line}\n`);
  else listenFor(url);
});
browser.on("exit", (status) => process.exit(status ?? 0));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => browser.kill(signal));
