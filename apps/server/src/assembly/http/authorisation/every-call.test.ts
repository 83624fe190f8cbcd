import * as contract from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { givenTo, nameOf, nowhere, samples } from "../testing.ts";
import { fieldsIn, isId } from "../testing-schema.ts";
import { describeAuthorisation } from "./testing-page.ts";
import { openedBy, reachOfSignedIn } from "./testing-rules.ts";

describe("a new call", () => {
  const named = contract.allCalls.map((call) => [nameOf(call), call] as const);

  test("needs a proper form here", () => {
    expect(samples.map(({ name }) => name).sort()).toEqual(named.map(([name]) => name).sort());
  });

  test("needs a word on what opens it, or on what counters reach by it, unless it is the administrator's", () => {
    const needing = (access: contract.Access) =>
      named.filter(([, call]) => call.access === access).map(([name]) => name);
    expect([...openedBy.keys()].map(nameOf).sort()).toEqual(needing("public").sort());
    expect([...reachOfSignedIn.keys()].map(nameOf).sort()).toEqual(needing("signed-in").sort());
  });

  // In whose name a scan, a total or a reset is sent is held in authorisation.test.ts.
  const heldElsewhere = ["scannedById", "declaredById", "madeById"];
  test.each(named)("has all the ids that it takes in its form: %s", (_name, call) => {
    const given = givenTo(call, nowhere);
    const known: readonly unknown[] = Object.values(nowhere);
    for (const part of ["params", "query", "body"] as const) {
      for (const { path } of fieldsIn(call[part]).filter(isId)) {
        const value = path.reduce<unknown>((inside, name) => Object(inside)[name], given[part]);
        const isKnown = known.includes(value) || heldElsewhere.includes(path.at(-1) ?? "");
        expect([part, ...path, isKnown]).toEqual([part, ...path, true]);
      }
    }
  });

  test("is on the page of who reaches what: npm run access writes it anew", async () => {
    await expect(describeAuthorisation()).toMatchFileSnapshot("../../../../../../docs/AUTHORISATION.md");
  });
});
