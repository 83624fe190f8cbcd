import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { politeSocket } from "./polite-socket.ts";

test("reads on only after others had their turn, and reads all", async () => {
  const folder = await mkdtemp(join(tmpdir(), "polite-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const sent = Buffer.alloc(4 * 1024 * 1024, "rows ");
  const server = createServer((client) => client.end(sent)).listen(join(folder, "socket"));
  onTestFinished(() => void server.close());
  await once(server, "listening");

  const socket = politeSocket();
  let [turn, isOver] = [0, false];
  const readInTurn = new Map<number, number>();
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    readInTurn.set(turn, (readInTurn.get(turn) ?? 0) + chunk.length);
  });
  const ended = once(socket, "end").then(() => {
    isOver = true;
  });
  socket.connect(join(folder, "socket"));
  while (!isOver) {
    turn += 1;
    await nextTurn();
  }
  await ended;
  expect(Buffer.concat(chunks).equals(sent)).toBe(true);
  // What was read when it stopped, and what came just before it did.
  expect(Math.max(...readInTurn.values())).toBeLessThanOrEqual(2 * 64 * 1024);
});
