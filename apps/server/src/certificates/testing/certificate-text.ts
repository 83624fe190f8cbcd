import { createHash } from "node:crypto";
import * as contract from "@stocktake/contract";
import { expect } from "vitest";
import * as z from "zod/mini";
import type { CoverageOracle } from "./coverage-oracle.ts";
import type { HistoryRun } from "./history-run.ts";

/** What the oracle expects of a certificate's text. */
const Text = z.object({
  version: z.int(),
  previousHash: z.nullable(z.string()),
  areas: z.array(z.object({ code: z.string(), became: z.string(), units: z.int() })),
  stock: z.object({ list: z.string() }),
  /** Of one that is accounted for who says so. */
  devices: z.array(z.object({ device: z.string(), saidBy: z.optional(z.string()) })),
  sheets: z.object({ returned: z.int(), void: z.int() }),
  secondCounts: z.object({ made: z.int(), cancelled: z.int(), cutOff: z.int(), settled: z.int() }),
  decisions: z.object({ accepted: z.int(), dismissed: z.int(), adjusted: z.int() }),
  samples: z.array(z.object({ number: z.int(), status: z.string() })),
  withoutCountAgain: z.array(z.object({ named: z.array(z.string()) })),
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** What a certificate that is issued now says, as far as the oracle can tell. */
export function textNow(oracle: CoverageOracle) {
  const { returned, void: declaredVoid, made, cancelled, cutOff, settled, ...decisions } = oracle.done;
  return {
    areas: [...oracle.areas].map(([code, { total }]) => ({
      code,
      became: oracle.became(code),
      units: total,
    })),
    stock: { list: sha256(oracle.listing()) },
    accountedFor: oracle.accountedFor(),
    sheets: { returned, void: declaredVoid },
    secondCounts: { made, cancelled, cutOff, settled },
    decisions,
    doneWithout: oracle.doneWithout(),
    samples: oracle.samples.statuses().map((status, index) => ({ number: index + 1, status })),
  };
}

/** The newest version says what the oracle expects. */
export async function expectTextNow({ admin, oracle, params }: HistoryRun): Promise<void> {
  const { certificates } = await admin.call(contract.listCertificates, { params, query: { limit: "1" } });
  const {
    version: _version,
    previousHash: _hash,
    devices,
    withoutCountAgain,
    ...said
  } = Text.parse(JSON.parse(certificates[0]?.text ?? ""));
  const accountedFor = devices.filter(({ saidBy }) => saidBy !== undefined).map(({ device }) => device);
  const doneWithout = withoutCountAgain.flatMap(({ named }) => named).toSorted();
  expect({ ...said, doneWithout, accountedFor: accountedFor.toSorted() }).toEqual(textNow(oracle));
}

/** Every version has the hash of its text, names the one before, and is in the log. */
export async function expectChain({ admin, params }: HistoryRun, versions: number): Promise<void> {
  const { certificates } = await admin.call(contract.listCertificates, { params });
  expect(certificates.map(({ version }) => version)).toEqual(
    Array.from({ length: versions }, (_nothing, index) => versions - index),
  );
  for (const [index, { hash, text }] of certificates.entries()) {
    expect(sha256(text)).toBe(hash);
    const { previousHash } = Text.parse(JSON.parse(text));
    expect(previousHash).toBe(certificates[index + 1]?.hash ?? null);
  }
  const { entries } = await admin.call(contract.listAudit, {
    query: { sessionId: params.id, action: "certificate.issued" },
  });
  const logged = certificates.map(({ version, hash }) => ({ version, hash }));
  expect(entries.map(({ after }) => after)).toEqual(logged);
}
