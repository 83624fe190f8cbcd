import type { ProductIndex } from "@stocktake/contract";
import type { SessionProduct } from "../catalogue/catalogue.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { SessionState } from "./classify.ts";
import type { IncomingScan, ScanOutcome } from "./incoming-scan.ts";
import { runningNumber } from "./max-sequence.ts";
import { presentScan } from "./present.ts";
import { type Claimants, type Judgement, judge, type StoredScan } from "./repeats.ts";
import { type ClassifiedScan, findClaimants, highestSequences, insertScans } from "./storing-queries.ts";

interface Round {
  readonly session: SessionState;
  readonly index: ProductIndex<SessionProduct>;
  readonly scans: readonly ClassifiedScan[];
}

interface RoundResult {
  readonly stored: readonly ClassifiedScan[];
  readonly settled: ReadonlyMap<ClassifiedScan, ScanOutcome>;
}

const sequenceKey = (deviceId: string, seq: number) => `${seq}:${deviceId}`;

/**
 * Stores what nothing stands against and settles every scan that was stored before or clashes with one that was. What
 * is left unsettled stood back behind a scan of the same group that then turned out to be a repeat: it takes another
 * round. Each round settles at least the first scan.
 */
export async function insertRound(transaction: Transaction, round: Round): Promise<RoundResult> {
  const { session, index, scans } = round;
  const first = firstClaims(scans);
  const inserted = new Map(
    (await insertScans(transaction, session, first)).map((row) => [
      sequenceKey(row.device_id, row.seq),
      row.id,
    ]),
  );
  const settled = new Map<ClassifiedScan, ScanOutcome>();
  for (const scan of first) {
    const { deviceId, seq } = scan.incoming.scan;
    const id = inserted.get(sequenceKey(deviceId, seq));
    if (id !== undefined) {
      settled.set(
        scan,
        presentScan({ id, seq, areaCode: scan.area.code, ...scan.classification }, index, false),
      );
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
  return scans.filter(({ incoming: { scan } }) => {
    const claims = [sequenceKey(scan.deviceId, scan.seq), ...(scan.opId === undefined ? [] : [scan.opId])];
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
  const judged = await judgeAll(transaction, session, scans);
  const refused = judged.filter(({ judgement }) => judgement.kind === "conflict");
  const deviceIds = new Set(refused.map(({ scan }) => scan.incoming.scan.deviceId));
  const highest = await highestSequences(transaction, session.id, [...deviceIds]);
  for (const { scan, judgement } of judged) {
    if (judgement.kind === "repeat") settled.set(scan, presentScan(judgement.stored, index, true));
    if (judgement.kind === "conflict") settled.set(scan, sequenceConflict(scan.incoming, highest));
  }
  return settled;
}

async function judgeAll(
  transaction: Transaction,
  session: SessionState,
  scans: readonly ClassifiedScan[],
): Promise<{ scan: ClassifiedScan; judgement: Judgement }[]> {
  const claimants = await findClaimants(
    transaction,
    session.id,
    scans.map(({ incoming }) => incoming),
  );
  const byOperation = new Map(
    claimants.flatMap((stored) => (stored.opId === null ? [] : [[stored.opId, stored]])),
  );
  const bySequence = new Map(claimants.map((stored) => [sequenceKey(stored.deviceId, stored.seq), stored]));
  return scans.map((scan) => ({
    scan,
    judgement: judge(scan.incoming, claimantsOf(scan.incoming, byOperation, bySequence)),
  }));
}

function claimantsOf(
  { scan }: IncomingScan,
  byOperation: ReadonlyMap<string, StoredScan>,
  bySequence: ReadonlyMap<string, StoredScan>,
): Claimants {
  return {
    ofOperation: scan.opId === undefined ? undefined : byOperation.get(scan.opId),
    ofSequence: bySequence.get(sequenceKey(scan.deviceId, scan.seq)),
  };
}

function sequenceConflict(
  { scan, highestSeq }: IncomingScan,
  highest: ReadonlyMap<string, number>,
): ApiError {
  const nextSeq = Math.max(highest.get(scan.deviceId) ?? 0, runningNumber(highestSeq)) + 1;
  return new ApiError(
    "SEQ_CONFLICT",
    "Another scan of this device has this number already. Nothing was stored; send this one with the next free number.",
    { nextSeq },
  );
}
