import type { ProductIndex } from "@stocktake/contract";
import type { SessionProduct } from "../../catalogue/catalogue.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { IncomingScan, ScanOutcome } from "./incoming-scan.ts";
import { presentScan } from "./present.ts";
import {
  type ClassifiedScan,
  findExistingMatches,
  highestSequences,
  insertScans,
  type SessionState,
  type StoredScan,
} from "./queries.ts";

interface Round {
  readonly session: SessionState;
  readonly index: ProductIndex<SessionProduct>;
  readonly scans: readonly ClassifiedScan[];
}

interface RoundResult {
  readonly stored: readonly ClassifiedScan[];
  readonly settled: ReadonlyMap<ClassifiedScan, ScanOutcome>;
}

const sequenceKey = ({ deviceId, seq }: { readonly deviceId: string; readonly seq: number }) =>
  `${seq}:${deviceId}`;

/**
 * Stores the scans that clash with none, and settles every scan that was stored before or clashes with a stored one. A
 * scan is left unsettled when it waited for another of the same group which then turned out to be a repeat: it goes into
 * the next round. Each round settles at least the first scan.
 */
export async function insertRound(transaction: Transaction, round: Round): Promise<RoundResult> {
  const { session, index, scans } = round;
  const first = firstClaims(scans);
  const rows = await insertScans(transaction, session, first);
  const inserted = new Map(rows.map((row) => [sequenceKey(row), row.id]));
  const settled = new Map<ClassifiedScan, ScanOutcome>();
  for (const scan of first) {
    const { seq } = scan.incoming;
    const id = inserted.get(sequenceKey(scan.incoming));
    if (id !== undefined) {
      const { area, classification } = scan;
      settled.set(scan, presentScan({ id, seq, areaCode: area.code, ...classification }, index, false));
    }
  }
  const stored = [...settled.keys()];
  const rest = scans.filter((scan) => !settled.has(scan));
  for (const [scan, outcome] of await settleRepeats(transaction, round, rest)) settled.set(scan, outcome);
  return { stored, settled };
}

/** Of scans that claim the same sequence number or operation id, the one that came first. */
function firstClaims(scans: readonly ClassifiedScan[]): ClassifiedScan[] {
  const claimed = new Set<string>();
  return scans.filter(({ incoming }) => {
    const claims = [sequenceKey(incoming), ...(incoming.opId === null ? [] : [incoming.opId])];
    if (claims.some((claim) => claimed.has(claim))) return false;
    for (const claim of claims) claimed.add(claim);
    return true;
  });
}

async function settleRepeats(
  transaction: Transaction,
  { session, index }: Round,
  scans: readonly ClassifiedScan[],
): Promise<Map<ClassifiedScan, ScanOutcome>> {
  const settled = new Map<ClassifiedScan, ScanOutcome>();
  if (scans.length === 0) return settled;
  const compared = await compareAll(transaction, session, scans);
  const refused = compared.filter(({ comparison }) => comparison.kind === "conflict");
  const deviceIds = new Set(refused.map(({ scan }) => scan.incoming.deviceId));
  const highest = await highestSequences(transaction, session.id, [...deviceIds]);
  for (const { scan, comparison } of compared) {
    if (comparison.kind === "repeat") settled.set(scan, presentScan(comparison.stored, index, true));
    if (comparison.kind === "conflict") settled.set(scan, sequenceConflict(scan.incoming, highest));
  }
  return settled;
}

async function compareAll(
  transaction: Transaction,
  session: SessionState,
  scans: readonly ClassifiedScan[],
): Promise<{ scan: ClassifiedScan; comparison: Comparison }[]> {
  const incoming = scans.map((scan) => scan.incoming);
  const existing = await findExistingMatches(transaction, session.id, incoming);
  const byOperation = new Map(existing.map((stored) => [stored.opId, stored]));
  const bySequence = new Map(existing.map((stored) => [sequenceKey(stored), stored]));
  return scans.map((scan) => ({
    scan,
    comparison: compareWithStored(scan.incoming, {
      byOperation: scan.incoming.opId === null ? undefined : byOperation.get(scan.incoming.opId),
      bySequence: bySequence.get(sequenceKey(scan.incoming)),
    }),
  }));
}

/** The stored scans with the operation id of an incoming one, or with its device's sequence number. */
interface ExistingMatches {
  readonly byOperation: StoredScan | undefined;
  readonly bySequence: StoredScan | undefined;
}

type Comparison =
  | { readonly kind: "repeat"; readonly stored: StoredScan }
  | { readonly kind: "conflict" }
  | { readonly kind: "new" };

/**
 * Tells a repeat from a new scan and from a clash (contract, "Duplicate"). An operation id decides alone, so that a
 * renumbered scan which had arrived stays one scan.
 */
function compareWithStored(incoming: IncomingScan, { byOperation, bySequence }: ExistingMatches): Comparison {
  if (byOperation !== undefined) return { kind: "repeat", stored: byOperation };
  if (bySequence === undefined) return { kind: "new" };
  const bothHaveOperations = incoming.opId !== null && bySequence.opId !== null;
  const repeats = !bothHaveOperations && hasSameContent(incoming, bySequence);
  return repeats ? { kind: "repeat", stored: bySequence } : { kind: "conflict" };
}

function hasSameContent(incoming: IncomingScan, stored: StoredScan): boolean {
  return (
    incoming.storeId === stored.storeId &&
    incoming.locationId === stored.locationId &&
    incoming.areaCode.toLowerCase() === stored.areaCode.toLowerCase() &&
    incoming.input === stored.input &&
    incoming.inputType === stored.inputType &&
    (incoming.scannedAtMs === null ||
      stored.givenScannedAt === null ||
      incoming.scannedAtMs === stored.givenScannedAt.getTime())
  );
}

function sequenceConflict(
  { deviceId, highestSeq }: IncomingScan,
  highest: ReadonlyMap<string, number>,
): ApiError {
  return new ApiError(
    "SEQ_CONFLICT",
    "Another scan of this device already has this number. Nothing was stored; send this one with the next free number.",
    { nextSeq: Math.max(highest.get(deviceId) ?? 0, highestSeq) + 1 },
  );
}
