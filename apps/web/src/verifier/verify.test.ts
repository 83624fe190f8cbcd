import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textsOf, verify } from "./testing/verified.ts";
import {
  areas,
  beginning,
  type Content,
  fileOf,
  first,
  ids,
  logOf,
  ordinary,
  pass,
  row,
  sample,
  scan,
  sha,
  textOf,
} from "./testing/written-file.ts";

describe("a file that is as it was written", () => {
  it("holds, and says what it is of", async () => {
    const verdict = await verify(fileOf(ordinary));
    expect(verdict.faults).toEqual([]);
    expect(verdict).toMatchObject({ lines: 9, rows: 1, scans: 2, samples: 1, changedMeanwhile: 0 });
    expect([...verdict.entries.values()].map(({ action }) => action)).toEqual([
      ...["session.started", "sample.drawn", "auditors_file.written"],
    ]);
  });

  it("says how many changes were recorded while it was written", async () => {
    const actions = [...beginning, ["count.adjusted", { count: 4 }]] as const;
    const lines = fileOf(ordinary, actions).trimEnd().split("\n");
    const early = JSON.parse((lines[0] ?? "").slice(65));
    const content = [{ ...early, auditHash: logOf(beginning).at(-1)?.hash }, ...ordinary];
    const seal = ["auditors_file.written", { hash: textOf(content).hash, lines: content.length }] as const;
    const verdict = await verify(textOf([...content, ...logOf([...actions, seal])]).text);
    expect(verdict).toMatchObject({ faults: [], changedMeanwhile: 1 });
  });
});

it("names the line of any byte that was changed", async () => {
  const file = new TextEncoder().encode(fileOf(ordinary));
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 2), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const changed = Uint8Array.from(file);
      changed[at] = (changed[at] ?? 0) ^ by;
      const line = file.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;
      const { faults } = await verify(changed);
      expect(faults.map((fault) => fault.line)).toContain(line);
    }),
    { seed: 20_261_123, numRuns: 150 },
  );
});

it("names the place where lines are missing or were added, and a file that breaks off", async () => {
  const lines = fileOf(ordinary).trimEnd().split("\n");
  for (const at of [1, 4, 7]) {
    const { faults } = await verify(`${lines.toSpliced(at, 1).join("\n")}\n`);
    expect(faults[0]?.line).toBe(at + 1);
  }
  const twice = await verify(`${lines.toSpliced(5, 0, lines[4] ?? "").join("\n")}\n`);
  expect(twice.faults[0]?.line).toBe(6);
  for (const length of [0, 1, 5, lines.length - 1]) {
    expect((await textsOf(lines.slice(0, length).join("\n"))).join()).toContain("The file is not whole");
  }
});

/** Whoever forges the lines can make every hash of them anew: what they say still has to fit together. */
it.each<[string, Content, string]>([
  [
    "a count",
    [pass, { ...row, counted: 4, variance: -1, costImpact: -2.5 }, scan],
    "SKU TEE: it says 4 were counted, its scans say 3.",
  ],
  ["a scan", [pass, row, { ...scan, quantity: 2 }], "SKU TEE: it says 3 were counted, its scans say 2."],
  [
    "a scan of what has no row",
    [pass, row, scan, { ...scan, sku: "CAP" }],
    "SKU CAP: 3 were scanned, and it has no row.",
  ],
  ["a variance", [{ ...row, variance: 0, costImpact: 0 }, scan], "SKU TEE: its variance should be -2."],
  [
    "a movement",
    [{ ...row, startOnHand: 5 }, scan],
    "SKU TEE: its natural movement is not its end less its start.",
  ],
  [
    "a cost",
    [{ ...row, costImpact: -50 }, scan],
    "SKU TEE: its cost impact is not its variance times its cost.",
  ],
  [
    "a count by hand",
    [{ ...row, manual: true, history: [{ newCount: 9 }] }, scan],
    "SKU TEE: it says 3 were counted, its last count by hand say 9.",
  ],
  [
    "a declared total",
    [{ ...pass, declaredTotal: 4 }, row, scan],
    "The pass of an area: it was closed with 4 declared and 3 counted.",
  ],
  [
    "a figure of a second count",
    [
      { is: "area", id: "a1", code: "A1" },
      { ...pass, round: 1 },
      { ...pass, pass: 2, ofPass: 1, round: 2 },
      {
        is: "comparison",
        areaId: "a1",
        ofPass: 1,
        sku: "TEE",
        first: 3,
        second: 2,
        third: null,
        settledAs: null,
      },
      ...[row, scan, { ...scan, seq: 2, pass: 2, sentPass: 2, status: "compared" }],
    ],
    "The counts of SKU TEE in area A1: its second count is 2, its scans say 3.",
  ],
  [
    "a drawn area",
    [
      {
        ...sample,
        areas: areas.map((area) => ({ ...area, drawn: area.areaId === ids.find((id) => id !== first) })),
      },
    ],
    "Control sample 1: its seed draws other areas.",
  ],
  [
    "a list to draw from",
    [{ ...sample, areas: areas.slice(0, 2) }],
    "Control sample 1: the areas that it was drawn from are not those in the log.",
  ],
  [
    "a seed",
    [{ ...sample, seed: sha("another") }],
    "Control sample 1: its seed is not the one that its commitment and the draws before it lead to.",
  ],
  [
    "a commitment",
    [{ ...sample, commitment: sha("another") }],
    "Control sample 1: its commitment is not the newest in the log before its draw.",
  ],
])("says that %s does not fit the rest, where every line was made anew", async (_what, content, text) => {
  expect(await textsOf(fileOf(content))).toContain(text);
});

it("expects rows of a follow-up for its own SKUs alone", async () => {
  const stray = { ...scan, seq: 3, sku: "CAP" };
  const textsOfFollowUp = (only: readonly string[]) =>
    textsOf(fileOf([pass, row, scan, stray], beginning, only));
  expect(await textsOfFollowUp(["TEE", "BELT"])).toEqual([]);
  expect(await textsOfFollowUp(["TEE", "CAP"])).toEqual(["SKU CAP: 3 were scanned, and it has no row."]);
});

it("names an entry of the log that was changed, where every line was made anew", async () => {
  const lines = fileOf(ordinary).trimEnd().split("\n");
  const records: Content = lines.map((line) => JSON.parse(line.slice(65)));
  const forged = records.map((record) =>
    record.action === "sample.drawn" ? { ...record, actorName: "Bob" } : record,
  );
  const verdict = await verify(textOf(forged).text);
  expect(verdict.faults.map(({ text }) => text)).toEqual([
    "Entry 2 of the log: its content is not what its hash was made of.",
  ]);
  expect(verdict.firstFaulty).toBe(1);
  expect((await verify(fileOf(ordinary))).firstFaulty).toBe(Number.POSITIVE_INFINITY);
});

it("keeps an entry that another claims the hash of", async () => {
  const lines = fileOf(ordinary).trimEnd().split("\n");
  const records: Content = lines.map((line) => JSON.parse(line.slice(65)));
  const started = records.find(({ action }) => action === "session.started");
  const forged = records.map((record) =>
    record.action === "sample.drawn" ? { ...record, hash: started?.hash } : record,
  );
  const { entries, firstFaulty } = await verify(textOf(forged).text);
  expect(entries.get(String(started?.hash))).toMatchObject({ action: "session.started" });
  expect(firstFaulty).toBe(1);
});
