import {
  type CallRequest,
  type decideExceptions,
  limits,
  matchWithPacks,
  type PackLookup,
} from "@stocktake/contract";
import { findPacks, type SessionIndex } from "../../catalogue/catalogue.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError, invalidField, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { lockTags } from "../../passes/passes.ts";
import type { ScanningServices } from "../services.ts";
import { findProduct } from "../storing/present.ts";
import { type Acceptance, accept, type Change, dismiss, recordDecisions } from "./accept-or-dismiss.ts";
import { type AskedLevels, askAfterEnd, type CountedAs } from "./after-end-queries.ts";
import { LockedAreas } from "./locked-area-queries.ts";
import { findScans, lockScans } from "./scan-queries.ts";
import { isOpen, publishChanges, type Scan, type ScanState } from "./scans.ts";
import { type HeldSession, holdSession } from "./session-queries.ts";
import { settledOtherwise } from "./settled-otherwise-queries.ts";
import { countedByTag } from "./tagged-queries.ts";

type Decision = CallRequest<typeof decideExceptions>["body"];

/** What became of one of the scans that were decided on. */
interface Settlement {
  /** What it is now. */
  readonly scan: ScanState;
  /** Why nothing was decided about it. */
  readonly refusal: ApiError | null;
}

/**
 * Settles scans of a session that wait for an administrator: accepted, they count from now on in the pass that counts for
 * the session and the area; dismissed, they never do. One that can't be settled is refused by itself: SCAN_NOT_OPEN,
 * VALIDATION where it is not clear what it should count as, NOT_FOUND where the product is not there.
 * Throws NOT_FOUND, SESSION_ARCHIVED, REPORT_DEPLOYED, or VALIDATION for an area that the session never had and for packs that are
 * more units than a scan can count.
 */
export async function settle(
  context: ScanningServices,
  caller: AdminCaller,
  sessionId: string,
  decision: Decision,
): Promise<readonly Settlement[]> {
  const scans = await findScans(context.database, sessionId, decision.scanIds);
  const accepted = decision.action === "accept" ? scans : [];
  const skus = await chooseSkus(context, sessionId, { scans: accepted, decision });
  const asked = await askAfterEnd(context, sessionId, knownOf(skus));
  const { session, settled } = await context.database.transaction().execute(async (transaction) => {
    const held = await holdSession(transaction, sessionId);
    const plan = { decision, skus, asked, found: scans };
    return { session: held, settled: await settleHeld(transaction, { caller, session: held }, plan) };
  });
  publishChanges(
    context,
    session,
    settled.flatMap(({ scan, refusal }) => (refusal === null ? [scan] : [])),
  );
  return settled;
}

/** What a scan is to count as; `units`: of one pack, where its code has become one of a pack since. */
type Chosen = Pick<Acceptance, "sku" | "units">;

/** What each scan counts as where it is accepted, or why that is not clear. */
type Skus = ReadonlyMap<number, Chosen | ApiError>;

interface Plan {
  readonly decision: Decision;
  readonly skus: Skus;
  readonly asked: AskedLevels;
  /** The scans as they were before they were locked. */
  readonly found: readonly Scan[];
}

async function settleHeld(
  transaction: Transaction,
  by: { readonly caller: AdminCaller; readonly session: HeldSession },
  { decision, skus, asked, found }: Plan,
): Promise<readonly Settlement[]> {
  const { areaId = null, reason: note = null } = decision;
  const work = { transaction, ...by };
  const areaIds = found.map((scan) => scan.areaId);
  const areas = await LockedAreas.lock(transaction, by.session, areaIds.concat(areaId ?? []));
  const tags = decision.action === "accept" ? found.flatMap(({ tag }) => tag ?? []) : [];
  await lockTags(transaction, by.session.id, tags);
  const scans = await lockScans(transaction, decision.scanIds);
  const acceptances: Acceptance[] = [];
  const refused: Settlement[] = [];
  const dismissed: Scan[] = [];
  // An area that is named is wrong whatever the scans are by now.
  if (areaId !== null) for (const scan of scans) areas.targetOf(scan, areaId);
  for (const scan of scans) {
    const chosen = skus.get(scan.id);
    if (!isOpen(scan)) refused.push({ scan, refusal: notOpen() });
    else if (decision.action === "dismiss") dismissed.push(scan);
    else if (scan.ofSecondCount) refused.push({ scan, refusal: secondCountOver() });
    else if (chosen === undefined || chosen instanceof ApiError)
      refused.push({ scan, refusal: chosen ?? noProduct() });
    else acceptances.push({ scan, ...chosen, target: areas.targetOf(scan, areaId) });
  }
  // What a second count did with an item that was read elsewhere is told by its tag.
  const counted = acceptances.filter(({ scan }) => scan.reason !== "TAG_ELSEWHERE");
  const settled = await settledOtherwise(transaction, by.session.id, counted);
  for (const { scan } of settled) refused.push({ scan, refusal: alreadySettled() });
  const remaining = acceptances.filter((acceptance) => !settled.has(acceptance));
  const tagged = await countedByTag(transaction, remaining);
  for (const [{ scan }, code] of tagged) refused.push({ scan, refusal: tagCounted(code) });
  const accepted = remaining.filter((acceptance) => !tagged.has(acceptance));
  const changes = [...(await accept(work, accepted, asked)), ...(await dismiss(work, dismissed, note))];
  const action = decision.action === "accept" ? "exception.accepted" : "exception.dismissed";
  await recordDecisions(work, action, changes, note);
  return [...changes.map(done), ...refused];
}

function done({ after }: Change): Settlement {
  return { scan: after, refusal: null };
}

async function chooseSkus(
  { database, catalogue }: ScanningServices,
  sessionId: string,
  { scans, decision }: { readonly scans: readonly Scan[]; readonly decision: Decision },
): Promise<Skus> {
  const session = await database
    .selectFrom("sessions")
    .select("catalogueVersion")
    .where("id", "=", sessionId)
    .executeTakeFirstOrThrow();
  const index = await catalogue.sessionIndex(sessionId, session.catalogueVersion);
  const unmatched = scans.filter(({ sku }) => sku === null);
  const packs = await findPacks(
    database,
    unmatched.map(({ input }) => input),
  );
  return new Map(scans.map((scan) => [scan.id, choiceFor(scan, decision, { index, packs })]));
}

interface Matching {
  readonly index: SessionIndex;
  readonly packs: PackLookup;
}

/**
 * The given SKU, otherwise the scan's own match, otherwise what its code matches by now. A code that is one of a pack by now counts
 * the units of the pack, as a scan of it would; as another product than the pack's a scan counts what was scanned.
 */
function choiceFor(
  scan: Scan,
  { sku: given }: Decision,
  { index: { index }, packs }: Matching,
): Chosen | ApiError {
  const named = given === undefined || given === null ? null : findProduct(index, given);
  if (named === undefined) return notFound("The product");
  if (scan.sku !== null) return { sku: named?.sku ?? scan.sku, units: null };
  const { match, pack } = matchWithPacks(index, packs, scan.input, scan.inputType);
  const matched = match.kind === "one" ? match.product : null;
  const product = named ?? matched;
  if (product === null) return noProduct();
  const units = product.sku === matched?.sku ? (pack?.units ?? null) : null;
  if (units !== null && isOpen(scan)) requireCountable(scan, units);
  return { sku: product.sku, units };
}

function requireCountable({ input, quantity }: Scan, units: number): void {
  if (quantity * units <= limits.scanQuantity) return;
  const [packs, most] = [quantity, limits.scanQuantity].map((count) => count.toLocaleString("en"));
  throw invalidField(
    "scanIds",
    `The code ${input} is by now one of a pack of ${units} units, and ${packs} of these packs are more than ${most} units. Dismiss ` +
      "the scan, and set the count by hand.",
  );
}

function knownOf(skus: Skus): CountedAs[] {
  return [...skus].flatMap(([id, chosen]) => (chosen instanceof ApiError ? [] : [{ id, sku: chosen.sku }]));
}

function secondCountOver(): ApiError {
  return new ApiError(
    "SECOND_COUNT_MADE",
    "This scan came too late for a second count, and the first count has counted the item already. Dismiss it: accepted, " +
      "it would count twice.",
  );
}

function alreadySettled(): ApiError {
  return new ApiError(
    "SECOND_COUNT_MADE",
    "In this area the first count of this product no longer counts: a later count took its place. Dismiss this scan: accepted, it " +
      "would count twice.",
  );
}

function tagCounted(areaCode: string | null): ApiError {
  return new ApiError(
    "TAG_COUNTED",
    `The item with this RFID tag counts already${areaCode === null ? "" : ` in area ${areaCode}`}. Dismiss this scan: accepted, it ` +
      "would count twice.",
  );
}

function noProduct(): ApiError {
  return invalidField("sku", "Choose the product that this scan should count as.");
}

function notOpen(): ApiError {
  return new ApiError(
    "SCAN_NOT_OPEN",
    "This scan has already been settled. Reload the list to see what is still open.",
  );
}
