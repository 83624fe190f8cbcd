import { describe, expect, test } from "vitest";
import type { CallDefinition } from "../call.ts";
import { allCalls } from "../calls/index.ts";
import { readJoinRequest } from "../calls/session-codes.ts";
import { describeWire } from "./describe.ts";

describe("the wire", () => {
  test("is as docs/CALLS.md describes it: after a change on purpose, npm run wire writes it anew", async () => {
    await expect(describeWire()).toMatchFileSnapshot("../../../../docs/CALLS.md");
  });

  test("names the events that every call publishes which may change something", () => {
    // Reading one's own request keeps it waiting, and lets one wait again that had been silent.
    const changes = ({ method, path }: CallDefinition) => method !== "GET" || path === readJoinRequest.path;
    const unnamed = allCalls.filter((call) => changes(call) === (call.events === undefined));
    expect(unnamed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
