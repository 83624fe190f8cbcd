import { matchProduct } from "@stocktake/contract";
import type { SessionIndex } from "../../catalogue/catalogue.ts";
import type { Transaction } from "../../database/pool.ts";
import { invalidField, notFound } from "../../kernel/api-error.ts";
import { lastPasses } from "../../passes/passes.ts";
import { type AreaState, areaMeant, classify } from "./classify.ts";
import { type IncomingScan, type ScanOutcome, unknownArea } from "./incoming-scan.ts";
import { type AreasByCode, type ClassifiedScan, type SessionForScans, usersOfSession } from "./queries.ts";

interface Group {
  readonly session: SessionForScans;
  /** The locked areas that the scans may mean. */
  readonly areasOf: AreasByCode;
  readonly index: SessionIndex;
  readonly scans: readonly IncomingScan[];
}

/** A scan that can be stored, or the refusal of one that can't. */
export type Interpretation = ClassifiedScan | ScanOutcome;

export function isClassified(interpretation: Interpretation): interpretation is ClassifiedScan {
  return "classification" in interpretation;
}

/**
 * What each scan of a group means: its area, its pass and what it becomes. Reads what the group needs besides its areas
 * once, then interprets each scan in memory.
 */
export async function interpretScans(transaction: Transaction, group: Group): Promise<Interpretation[]> {
  const { session, scans } = group;
  const inNameOfOthers = scans.filter(({ scannedById, sentBy }) => scannedById !== sentBy.userId);
  const others = [...new Set(inNameOfOthers.map(({ scannedById }) => scannedById))];
  const users = await usersOfSession(transaction, session.id, others);
  const passes = await lastPassesIfOver(transaction, group);
  return scans.map((incoming) => interpret(group, incoming, { users, passes }));
}

interface Loaded {
  /** The users other than the callers that may have scanned in the session. */
  readonly users: ReadonlySet<string>;
  /** The last pass of each area, where the session is over. */
  readonly passes: ReadonlyMap<string, number>;
}

function interpret(
  { session, areasOf, index }: Group,
  incoming: IncomingScan,
  { users, passes }: Loaded,
): Interpretation {
  const { sentBy, sentPass, scannedById } = incoming;
  if (!session.admittedUserIds.has(sentBy.userId)) return notFound("The session");
  const areas = areasOf(incoming).filter((area) => area.storeId === session.storeId);
  const area = areaMeant(areas, sentPass);
  if (incoming.storeId !== session.storeId || area === null) return unknownArea;
  if (scannedById !== sentBy.userId && !users.has(scannedById)) {
    return invalidField("scannedById", "scannedById must name a user of this session.");
  }
  const match = matchProduct(index.index, incoming.input, incoming.inputType);
  const lastPass = passes.get(area.id) ?? area.pass;
  return { incoming, area, classification: classify({ session, area, sentPass, lastPass, match }) };
}

async function lastPassesIfOver(
  transaction: Transaction,
  { session, areasOf, scans }: Group,
): Promise<ReadonlyMap<string, number>> {
  if (session.status !== "closed") return new Map();
  const areas: AreaState[] = scans.flatMap((scan) => areasOf(scan));
  return lastPasses(transaction, session.id, [...new Set(areas.map(({ id }) => id))]);
}
