import { describe, expect, test } from "vitest";
import { type ChainedEntry, canonicalJson, canonicalText, hashOf } from "./chain.ts";

const entry: ChainedEntry = {
  chain: "0b9d3b6e-6f43-4a0e-9d0c-0c2f1f0a7d11",
  position: 2,
  at: new Date("2026-11-20T10:00:00.007Z"),
  actorKind: "admin",
  actorId: "7a1f2f3e-1d2c-4b5a-8e9f-000102030405",
  actorName: "admin",
  action: "count.adjusted",
  subjectKind: "product",
  subjectId: "TEE-S",
  subjectName: 'Tee "Nørrebro" (TEE-S)',
  before: { count: 4 },
  after: { reason: "recount, 2 behind the shelf", count: 6 },
  previousHash: "0".repeat(64),
};

describe("the hash of an entry", () => {
  test("is made of this text, and must never be made of another", () => {
    expect(canonicalText(entry)).toBe(
      '["stocktake-audit-1","0b9d3b6e-6f43-4a0e-9d0c-0c2f1f0a7d11",2,"2026-11-20T10:00:00.007Z","admin",' +
        '"7a1f2f3e-1d2c-4b5a-8e9f-000102030405","admin","count.adjusted","product","TEE-S",' +
        '"Tee \\"Nørrebro\\" (TEE-S)",{"count":4},{"count":6,"reason":"recount, 2 behind the shelf"},' +
        '"0000000000000000000000000000000000000000000000000000000000000000"]',
    );
    expect(hashOf(entry)).toBe("f0e7d3c5bb7ff6d0bd56e0700fba08d9243d0a9832a5d97e967e0b6363e87f1a");
  });

  test("does not depend on the order in which facts were named", () => {
    const after = { count: 6, reason: "recount, 2 behind the shelf" };
    expect(hashOf({ ...entry, after })).toBe(hashOf(entry));
  });

  const changes: Partial<ChainedEntry>[] = [
    { chain: "general" },
    { position: 3 },
    { at: new Date("2026-11-20T10:00:00.008Z") },
    { actorKind: "system" },
    { actorId: null },
    { actorName: "Admin" },
    { action: "count.adjusted " },
    { subjectKind: "scan" },
    { subjectId: null },
    { subjectName: "" },
    { before: null },
    { before: {} },
    { after: { ...entry.after, count: 7 } },
    { previousHash: null },
  ];
  test.each(changes)("is another one with %j", (change) => {
    expect(hashOf({ ...entry, ...change })).not.toBe(hashOf(entry));
  });

  test("tells apart what would read alike without quoting", () => {
    const split = { ...entry, actorName: 'a","b', action: "c" };
    const joined = { ...entry, actorName: "a", action: 'b","c' };
    expect(hashOf(split)).not.toBe(hashOf(joined));
  });
});

test("facts within facts are written with sorted keys, lists in their own order", () => {
  expect(canonicalJson({ b: [2, 1, { d: null, c: true }], a: "é\n" })).toBe(
    '{"a":"é\\n","b":[2,1,{"c":true,"d":null}]}',
  );
});
