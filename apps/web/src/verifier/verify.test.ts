import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifyFile } from "./verify.ts";

/** A file as docs/AUDITORS-FILE.md describes it, made without the code that verifies it. */
type Content = readonly Record<string, unknown>[];

const sha = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");

/** The test's entries hold nothing that would have to be sorted but these. */
function sorted(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sorted(Reflect.get(value, key))}`)
    .join()}}`;
}

function logOf(actions: readonly (readonly [action: string, after: unknown])[]): Content {
  let previousHash: string | null = null;
  return actions.map(([action, after], index) => {
    const facts = {
      at: `2026-11-22T10:00:0${index}.000Z`,
      actorKind: "admin",
      actorId: "u1",
      actorName: "Ann",
    };
    const subject = { subjectKind: "session", subjectId: "s1", subjectName: "Harbour Street" };
    const place = { chain: "s1", position: index + 1 };
    const parts = [
      place.chain,
      place.position,
      facts.at,
      facts.actorKind,
      facts.actorId,
      facts.actorName,
      action,
    ];
    const told = [subject.subjectKind, subject.subjectId, subject.subjectName].map((each) =>
      JSON.stringify(each),
    );
    const text = `[${["stocktake-audit-1", ...parts].map((each) => JSON.stringify(each)).join()},${told.join()},null,${sorted(after)},${JSON.stringify(previousHash)}]`;
    const hash = sha(text);
    const entry = {
      is: "entry",
      ...place,
      ...facts,
      action,
      ...subject,
      before: null,
      after,
      previousHash,
      hash,
    };
    previousHash = hash;
    return entry;
  });
}

function textOf(content: Content): { readonly text: string; readonly hash: string } {
  let hash = "stocktake-file-1";
  const lines = content.map((record) => {
    const json = JSON.stringify(record);
    hash = sha(`${hash} ${json}`);
    return `${hash} ${json}\n`;
  });
  return { text: lines.join(""), hash };
}

const secret = sha("the sample's secret");
const ids = ["a1", "a2", "a3"];
const commitment = sha(Buffer.from(secret, "hex"));
const first = [...ids].sort((one, other) => {
  const rank = (id: string) => createHmac("sha256", Buffer.from(secret, "hex")).update(id).digest("hex");
  return rank(one) < rank(other) ? -1 : 1;
})[0];
const areas = ids.map((areaId) => ({ areaId, pass: 1, units: 2, drawn: areaId === first }));
const drawing = { number: 1, seed: secret, areasHash: sha(ids.join("\n")) };

const row = {
  ...{ is: "row", sku: "TEE", startOnHand: 4, endOnHand: 5, naturalMovement: 1, counted: 3, variance: -2 },
  ...{ unitCost: 2.5, costImpact: -5, manual: false, history: [] },
};
const scan = {
  is: "scan",
  deviceId: "d1",
  seq: 1,
  input: "4006381333931",
  sku: "TEE",
  quantity: 3,
  status: "counted",
  areaId: "a1",
  pass: 1,
  sentPass: 1,
};
const pass = { is: "pass", areaId: "a1", pass: 1, declaredTotal: 3, serverTotal: 3, endedAs: "closed" };
const sample = { is: "sample", number: 1, commitment, seed: secret, areas };
const ordinary: Content = [pass, sample, row, scan, { ...scan, seq: 2, status: "voided" }];
const beginning = [
  ["session.started", { sampleSeedHash: commitment }],
  ["sample.drawn", drawing],
] as const;

/** The lines of a whole file with the content, sealed by the log's last entry. `only`: the SKUs of a follow-up. */
function fileOf(
  content: Content,
  actions: readonly (readonly [string, unknown])[] = beginning,
  only?: readonly string[],
): string {
  const before = logOf(actions);
  const session = {
    is: "session",
    storeId: { name: "Harbour Street" },
    auditHash: before.at(-1)?.hash ?? null,
    only,
  };
  const all = [session, ...content];
  const seal = ["auditors_file.written", { hash: textOf(all).hash, lines: all.length }] as const;
  return textOf([...all, ...logOf([...actions, seal])]).text;
}

const verify = (file: string | Uint8Array<ArrayBuffer>) => verifyFile(new Blob([file]));
const textsOf = async (file: string) => (await verify(file)).faults.map(({ text }) => text);

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
    "Control sample 1: its seed does not lead to its commitment.",
  ],
  [
    "a commitment",
    [{ ...sample, commitment: sha("another") }],
    "Control sample 1: no entry before its draw holds its commitment.",
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
  expect(await textsOf(textOf(forged).text)).toEqual([
    "Entry 2 of the log: its content is not what its hash was made of.",
  ]);
});
