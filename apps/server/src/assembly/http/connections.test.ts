import { once } from "node:events";
import { connect } from "node:net";
import fastify from "fastify";
import { expect, test } from "vitest";
import { closeConnectionsWithoutRequests } from "./connections.ts";

async function listening() {
  const app = fastify();
  closeConnectionsWithoutRequests(app);
  let answer = () => {};
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let asked = () => {};
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  app.get("/", async () => {
    asked();
    await mayAnswer;
    return { done: true };
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { app, url, answer, wasAsked };
}

test("a connection that never asked for anything does not hold up the end", async () => {
  const { app, url } = await listening();
  const accepted = once(app.server, "connection");
  const silent = connect(Number(new URL(url).port), "127.0.0.1");
  await accepted;
  await app.close();
  if (!silent.destroyed) await once(silent, "close");
});

test("a request under way is answered before the end", async () => {
  const { app, url, answer, wasAsked } = await listening();
  const answered = fetch(url);
  await wasAsked;
  const closed = app.close();
  answer();
  const response = await answered;
  expect(await response.json()).toEqual({ done: true });
  await closed;
});
