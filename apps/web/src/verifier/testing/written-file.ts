import { createHash, createHmac } from "node:crypto";

/** A file as docs/AUDITORS-FILE.md describes it, made without the code that verifies it. */
export type Content = readonly Record<string, unknown>[];

export const sha = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");

/** The test's entries hold nothing that would have to be sorted but these. */
function sorted(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sorted(Reflect.get(value, key))}`)
    .join()}}`;
}

export function logOf(actions: readonly (readonly [action: string, after: unknown])[]): Content {
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

export function textOf(content: Content): { readonly text: string; readonly hash: string } {
  let hash = "stocktake-file-1";
  const lines = content.map((record) => {
    const json = JSON.stringify(record);
    hash = sha(`${hash} ${json}`);
    return `${hash} ${json}\n`;
  });
  return { text: lines.join(""), hash };
}

const secret = sha("the sample's secret");
export const ids = ["a1", "a2", "a3"];
const commitment = sha(Buffer.from(secret, "hex"));
export const first = [...ids].sort((one, other) => {
  const rank = (id: string) => createHmac("sha256", Buffer.from(secret, "hex")).update(id).digest("hex");
  return rank(one) < rank(other) ? -1 : 1;
})[0];
export const areas = ids.map((areaId) => ({ areaId, pass: 1, units: 2, drawn: areaId === first }));
const drawing = { number: 1, seed: secret, areasHash: sha(ids.join("\n")), drawn: [first] };

export const row = {
  ...{ is: "row", sku: "TEE", startOnHand: 4, endOnHand: 5, naturalMovement: 1, counted: 3, variance: -2 },
  ...{ unitCost: 2.5, costImpact: -5, manual: false, history: [] },
};
export const scan = {
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
export const pass = {
  is: "pass",
  areaId: "a1",
  pass: 1,
  declaredTotal: 3,
  serverTotal: 3,
  endedAs: "closed",
};
export const sample = { is: "sample", number: 1, commitment, seed: secret, areas };
export const ordinary: Content = [pass, sample, row, scan, { ...scan, seq: 2, status: "voided" }];
export const beginning = [
  ["session.started", { sampleSeedHash: commitment }],
  ["sample.drawn", drawing],
] as const;

/** The lines of a whole file with the content, sealed by the log's last entry. `only`: the SKUs of a follow-up. */
export function fileOf(
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
