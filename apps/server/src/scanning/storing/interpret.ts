import {
  limits,
  matchProduct,
  matchWithPacks,
  type PackedMatch,
  type PackLookup,
  type ScanReason,
} from "@stocktake/contract";
import { findPacks, type SessionIndex, type SessionProduct } from "../../catalogue/catalogue.ts";
import type { Transaction } from "../../database/pool.ts";
import { invalidField, notFound } from "../../kernel/api-error.ts";
import { firstPasses, lastPasses } from "../../passes/passes.ts";
import { type UsersOfSession, usersOfSession } from "../user-queries.ts";
import { type Attempts, findAttempts, type NamedAttempt } from "./attempts.ts";
import { type IncomingScan, type ScanOutcome, unknownArea } from "./incoming-scan.ts";
import type {
  AreaState,
  AreasByCode,
  Classification,
  ClassifiedScan,
  SessionForScans,
  SessionState,
} from "./queries.ts";

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
  const begun = await firstPassesIfReused(transaction, group);
  const packs = await findPacks(transaction, codesOfNoProduct(group));
  const attempts = await findAttempts(transaction, group);
  return scans.map((incoming) => interpret(group, incoming, { users, passes, begun, packs, attempts }));
}

/** Most groups have none, so that nothing more is read for them. */
function codesOfNoProduct({ index: { index }, scans }: Group): string[] {
  return scans
    .filter(({ input, inputType }) => matchProduct(index, input, inputType).kind === "none")
    .map(({ input }) => input);
}

interface Loaded {
  /** The users other than the callers that may have scanned in the session. */
  readonly users: UsersOfSession;
  /** The last pass of each area, where the session is over. */
  readonly passes: ReadonlyMap<string, number>;
  /** The first pass of each area in the session, where several have or had a code. */
  readonly begun: ReadonlyMap<string, number>;
  /** The packs whose codes are among the scans. */
  readonly packs: PackLookup;
  readonly attempts: Attempts;
}

function interpret(
  { session, areasOf, index }: Group,
  incoming: IncomingScan,
  { users, passes, begun, packs, attempts }: Loaded,
): Interpretation {
  const { sentBy, sentPass, scannedById } = incoming;
  if (!session.admittedUserIds.has(sentBy.userId)) return notFound("The session");
  const areas = areasOf(incoming).filter((area) => area.storeId === session.storeId);
  const attempt = attempts.of(areas, sentPass);
  const area = attempt?.area ?? areaMeant(areas, sentPass, begun);
  if (incoming.storeId !== session.storeId || area === null) return unknownArea;
  if (scannedById !== sentBy.userId && !users.has(scannedById)) {
    return invalidField("scannedById", "scannedById must name a user of this session.");
  }
  const found = matchWithPacks(index.index, packs, incoming.input, incoming.inputType);
  if (incoming.quantity * (found.pack?.units ?? 1) > limits.scanQuantity) return tooManyUnits;
  if (found.tag !== null && incoming.quantity !== 1) return oneItem;
  const lastPass = passes.get(area.id) ?? area.pass;
  const isTaker = attempt?.takes(incoming) ?? false;
  return {
    incoming,
    area,
    classification: classify({ session, area, sentPass, lastPass, found, attempt, isTaker }),
  };
}

const tooManyUnits = invalidField(
  "quantity",
  `So many of these packs are more than ${limits.scanQuantity.toLocaleString("en")} units. Scan fewer at a time.`,
);

const oneItem = invalidField("quantity", "A tag is one item. Count others of it by the product's code.");

async function lastPassesIfOver(
  transaction: Transaction,
  { session, areasOf, scans }: Group,
): Promise<ReadonlyMap<string, number>> {
  if (session.status !== "closed") return new Map();
  const areas: AreaState[] = scans.flatMap((scan) => areasOf(scan));
  return lastPasses(transaction, session.id, [...new Set(areas.map(({ id }) => id))]);
}

/** A code is seldom given again, so that nothing more is read. */
async function firstPassesIfReused(
  transaction: Transaction,
  { session, areasOf, scans }: Group,
): Promise<ReadonlyMap<string, number>> {
  const reused = scans.map(areasOf).filter(({ length }) => length > 1);
  return firstPasses(transaction, session.id, [...new Set(reused.flat().map(({ id }) => id))]);
}

interface Circumstances {
  readonly session: SessionState;
  readonly area: AreaState;
  /** The pass that the device began in; null where it names none. */
  readonly sentPass: number | null;
  /** What a scan belongs to that names no pass: the area's own, or its last one in a session that is over. */
  readonly lastPass: number;
  readonly found: PackedMatch<SessionProduct>;
  /** The second count that the device means; undefined for the area's own count. */
  readonly attempt: NamedAttempt | undefined;
  /** It was open to whoever scanned. */
  readonly isTaker: boolean;
}

/**
 * Why a scan can't count any more, or null. The widest cause is given: an ended session before the area, a deleted area
 * before its passes, an earlier pass before the closing of the present one. A session that is ending still counts until
 * the transaction that closes it.
 */
function lateReason({ session, area, sentPass, attempt, isTaker }: Circumstances): ScanReason | null {
  if (session.status === "closed") return "SESSION_CLOSED";
  if (area.deleted) return "AREA_DELETED";
  if (attempt !== undefined) return isTaker ? null : attempt.late;
  // A pass that the area never reached is over as well: a device guessed it offline, and the server went another way.
  if (sentPass !== null && sentPass !== area.pass) return "PASS_OVER";
  return area.status === "closed" ? "AREA_CLOSED" : null;
}

/** What a well-formed scan becomes (docs/API.md, "What a scan becomes"). */
function classify(circumstances: Circumstances): Classification {
  const { sentPass, lastPass, isTaker: isCompared } = circumstances;
  const { match, pack } = circumstances.found;
  const classified = {
    sku: match.kind === "one" ? match.product.sku : null,
    pass: sentPass ?? lastPass,
    packUnits: pack?.units ?? null,
    tag: circumstances.found.tag?.key ?? null,
  };
  const late = lateReason(circumstances);
  if (late !== null) return { status: "late", reason: late, ...classified, isCompared: false };
  if (classified.sku !== null) return { status: "counted", reason: null, ...classified, isCompared };
  const reason = match.kind === "several" ? "AMBIGUOUS_CODE" : "UNKNOWN_CODE";
  return { status: "unresolved", reason, ...classified, isCompared };
}

/**
 * The area that a scan means, among those that have or had its code in its location: the present one, unless the device
 * began in a pass that this one never had in the session. Then it counted in an area of the same code that was deleted since, where
 * there is one. Null where no area ever had the code.
 */
function areaMeant(
  areas: readonly AreaState[],
  sentPass: number | null,
  begun: ReadonlyMap<string, number>,
): AreaState | null {
  const present = areas.find(({ deleted }) => !deleted);
  const former = areas.filter(({ deleted }) => deleted).sort((one, other) => one.pass - other.pass);
  const newest = former.at(-1) ?? null;
  if (sentPass === null) return present ?? newest;
  const reached = former.find(({ pass }) => sentPass <= pass);
  const firstPass = present && begun.get(present.id);
  if (present === undefined || firstPass === undefined || sentPass < firstPass)
    return reached ?? newest ?? present ?? null;
  return sentPass <= present.pass ? present : (reached ?? present);
}
