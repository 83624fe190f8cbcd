import { describe, expect, test } from "vitest";
import { allCalls } from "../calls/index.ts";
import { describeWire } from "./describe.ts";

describe("the wire", () => {
  test("is as docs/CALLS.md describes it: after a change on purpose, npm run wire writes it anew", async () => {
    await expect(describeWire()).toMatchFileSnapshot("../../../../docs/CALLS.md");
  });

  test("names the events that every call publishes which may change something", () => {
    const unnamed = allCalls.filter(({ method, events }) => (method === "GET") !== (events === undefined));
    expect(unnamed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
