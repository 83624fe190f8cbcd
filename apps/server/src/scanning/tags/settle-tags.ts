import { groupBy, type ProductIndex, type ScanReason } from "@stocktake/contract";
import { sql } from "kysely";
import type { SessionProduct } from "../../catalogue/catalogue.ts";
import type { Transaction } from "../../database/pool.ts";
import { lockTags } from "../../passes/passes.ts";
import { settleRepeats } from "../storing/insert-round.ts";
import { type Interpretation, isClassified } from "../storing/interpret.ts";
import type { ClassifiedScan, SessionState } from "../storing/queries.ts";

interface Group {
  readonly session: SessionState;
  readonly index: ProductIndex<SessionProduct>;
  readonly interpretations: readonly Interpretation[];
}

/** A read of a tag that still counts its item, or that an administrator has dismissed. */
interface ActiveRead {
  readonly tag: string;
  readonly areaId: string;
  readonly pass: number;
  readonly status: "counted" | "unresolved" | "late" | "compared" | "voided";
  readonly reason: ScanReason | null;
  /** Why it had waited before it was dismissed. */
  readonly voidedFromReason: ScanReason | null;
}

/** What the reads of tags in a group become, asked of one scan after the other in their order. */
interface TagDecisions {
  /** What a scan becomes beside the reads that count; itself where it is no read of a tag. */
  settle(scan: ClassifiedScan): Interpretation;
  /** Lets a read count its item as it was settled, because it is stored: one that is refused leaves no trace here. */
  keep(settled: ClassifiedScan): void;
}

/**
 * Decides for reads of RFID tags which of them counts its item (docs/SYNC.md, S41 to S44): each item once in the session. Groups
 * without a tag pass unchanged, and nothing is read for them. The tags stay locked until the transaction ends.
 */
export async function openTags(
  transaction: Transaction,
  { session, index, interpretations }: Group,
): Promise<TagDecisions> {
  const reads = interpretations.flatMap((scan) => (isTagged(scan) ? [scan] : []));
  if (reads.length === 0) return { settle: (scan) => scan, keep: () => undefined };
  const tags = [...new Set(reads.map(({ classification }) => classification.tag))];
  await lockTags(transaction, session.id, tags);
  // What is here already may have been undone since: it holds nothing any more, and is answered as it is.
  const repeats = await settleRepeats(transaction, { session, index, scans: reads }, reads);
  const active = await readActiveReads(transaction, session.id, tags);
  const activeOf = (tag: string) => active.get(tag) ?? [];
  return {
    settle(scan) {
      if (!isTagged(scan)) return scan;
      const repeated = repeats.get(scan);
      if (repeated !== undefined) return repeated;
      return { ...scan, classification: decide(scan, activeOf(scan.classification.tag)) };
    },
    keep(settled) {
      if (!isTagged(settled)) return;
      const { tag } = settled.classification;
      active.set(tag, [...activeOf(tag), asActive(settled)]);
    },
  };
}

type TaggedScan = ClassifiedScan & { readonly classification: { readonly tag: string } };

function isTagged(scan: Interpretation): scan is TaggedScan {
  return isClassified(scan) && scan.classification.tag !== null;
}

async function readActiveReads(
  transaction: Transaction,
  sessionId: string,
  tags: readonly string[],
): Promise<Map<string, readonly ActiveRead[]>> {
  const { rows } = await sql<ActiveRead>`
    select tag, area_id, pass, status, reason, voided_from_reason from scans
    where session_id = ${sessionId} and tag = any(${tags}::text[])
      and (status <> 'voided' or reason = 'DISMISSED')`.execute(transaction);
  return new Map(groupBy(rows, ({ tag }) => tag));
}

function asActive({ area, classification }: TaggedScan): ActiveRead {
  const { tag, pass, status, reason, isCompared } = classification;
  return {
    tag,
    areaId: area.id,
    pass,
    status: isCompared ? "compared" : status,
    reason,
    voidedFromReason: null,
  };
}

function decide(
  { area, classification }: TaggedScan,
  reads: readonly ActiveRead[],
): TaggedScan["classification"] {
  const { pass, status, isCompared } = classification;
  const isHere = (read: ActiveRead) => read.areaId === area.id;
  const isOfPass = (read: ActiveRead) => isHere(read) && read.pass === pass;
  const again = { ...classification, status: "voided", reason: "TAG_COUNTED", isCompared: false } as const;
  if (isCompared) {
    const isRepeat = reads.some((read) => read.status === "compared" && isOfPass(read));
    return isRepeat || reads.some((read) => read.status === "counted" && !isHere(read))
      ? again
      : classification;
  }
  const isDismissed = (read: ActiveRead) => isOfPass(read) && read.reason === "DISMISSED";
  if (reads.some((read) => isDismissed(read) && read.voidedFromReason !== "TAG_ELSEWHERE")) return again;
  if (status === "late") {
    // One that counts in another pass goes with that, where an administrator restores the pass of this one.
    const isKnown = (read: ActiveRead) =>
      read.status === "late" || (read.status === "counted" && read.pass === pass);
    return reads.some((read) => isHere(read) && isKnown(read)) ? again : classification;
  }
  const holder = reads.find(holdsItem);
  if (holder === undefined) return classification;
  const isShown = (read: ActiveRead) => isDismissed(read) || (isOfPass(read) && read.status === "unresolved");
  if (isHere(holder) || reads.some(isShown)) return again;
  return { ...classification, status: "unresolved", reason: "TAG_ELSEWHERE" };
}

/** It counts the item, or waits for an administrator to say as what: another read of it says nothing new. */
function holdsItem({ status, reason }: ActiveRead): boolean {
  return status === "counted" || (status === "unresolved" && reason !== "TAG_ELSEWHERE");
}
