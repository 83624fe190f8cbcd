import {
  groupBy,
  type LeftOutOfDeploy,
  type ReportItem,
  SkipReason,
  signedUnits,
  skipMessages,
} from "@stocktake/contract";
import { sql } from "kysely";
import * as z from "zod/mini";
import type { Database } from "../database/pool.ts";
import { quantityText } from "../kernel/formats.ts";
import { isActiveAdjustment } from "../sessions/sessions.ts";

const Reasons = z._default(z.record(z.string(), z.unknown()), {});
/** What the audit log has of what a deploy left out; entries of old name no SKUs. */
const LeftOutFacts = z.object({ skipped: Reasons, skippedSkus: Reasons });
const Count = z.int();
const Skus = z._default(z.array(z.string()), []);

/** What each of a session's deploys was never to move, as it was when it was asked for: the report itself goes on changing. */
export async function readLeftOut(
  reader: Database,
  sessionId: string,
  adjustmentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly LeftOutOfDeploy[]>> {
  if (adjustmentIds.length === 0) return new Map();
  const entries = await reader
    .selectFrom("auditEntries")
    .select(["subjectId", "after"])
    .where("chain", "=", sessionId)
    .where("action", "=", "deploy.requested")
    .where("subjectId", "in", adjustmentIds)
    .execute();
  const byAdjustment = groupBy(entries, ({ subjectId }) => subjectId ?? "");
  return new Map(
    Array.from(byAdjustment, ([id, [first]]) => [id, leftOutOf(z.parse(LeftOutFacts, first?.after ?? {}))]),
  );
}

function leftOutOf({ skipped, skippedSkus }: z.infer<typeof LeftOutFacts>): LeftOutOfDeploy[] {
  return SkipReason.options.flatMap((reason) => {
    const count = z.safeParse(Count, skipped[reason]);
    return count.success ? [{ reason, count: count.data, skus: z.parse(Skus, skippedSkus[reason]) }] : [];
  });
}

/** What of a report's deploy did not move for certain, each SKU with why. */
export interface NotMoved {
  /**
   * What it tried to move; also what it moved and a rollback has taken back while others of it stay, and what it moved by less than its
   * variance, or by more, as Shopify had kept stock of it that the report does not know.
   */
  readonly tried: ReadonlyMap<string, string>;
  /** What it was never to move, as Shopify was then; of very many for one reason the first. */
  readonly leftOut: ReadonlyMap<string, SkipReason>;
}

const nothing: NotMoved = { tried: new Map(), leftOut: new Map() };

/** The deploy by which a report is deployed; undefined where it is not. */
function findDeploy(reader: Database, sessionId: string): Promise<{ readonly id: string } | undefined> {
  return reader
    .selectFrom("adjustments")
    .select("id")
    .where("sessionId", "=", sessionId)
    .where(isActiveAdjustment("adjustments"))
    .executeTakeFirst();
}

/** What the deploy by which a report is deployed was never to move, as `leftOut` above; nothing where it is not deployed. */
export async function readReasonsLeftOut(reader: Database, sessionId: string): Promise<NotMoved["leftOut"]> {
  const deploy = await findDeploy(reader, sessionId);
  return deploy === undefined ? nothing.leftOut : reasonsLeftOutOf(reader, sessionId, deploy.id);
}

async function reasonsLeftOutOf(
  reader: Database,
  sessionId: string,
  deployId: string,
): Promise<NotMoved["leftOut"]> {
  const groups = (await readLeftOut(reader, sessionId, [deployId])).get(deployId) ?? [];
  return new Map(groups.flatMap(({ reason, skus }) => skus.map((sku) => [sku, reason] as const)));
}

/** Asked of the few rows of which Shopify had kept something: what was stocked at the end is in the report, whatever has become of it since. */
const wasNotStocked = (sessionId: string) => sql<boolean>`not (
  select item.stocked from session_items item where item.session_id = ${sessionId} and item.sku = row.sku)`;

/** Of the deploy by which the report is deployed; nothing where it is not. */
export async function readNotMovedNow(reader: Database, sessionId: string): Promise<NotMoved> {
  const deploy = await findDeploy(reader, sessionId);
  if (deploy === undefined) return nothing;
  const rows = await reader
    .selectFrom("adjustmentRows as row")
    .select(["row.sku", "row.direction", "row.state", "row.note", "row.delta", "row.keptOnHand"])
    .where("row.adjustmentId", "=", deploy.id)
    .where(({ eb, and, or }) =>
      or([
        and([eb("row.direction", "=", "deploy"), eb("row.state", "in", ["not_moved", "unclear"])]),
        and([eb("row.direction", "=", "rollback"), eb("row.state", "=", "confirmed")]),
        and([eb("row.state", "=", "confirmed"), eb("row.keptOnHand", "<>", 0), wasNotStocked(sessionId)]),
      ]),
    )
    .orderBy("row.direction")
    .execute();
  return {
    tried: new Map(rows.map(({ sku, ...row }) => [sku, triedText(row)])),
    leftOut: await reasonsLeftOutOf(reader, sessionId, deploy.id),
  };
}

/** Why the deploy did not move a row for certain; null where it did, and where the row itself says why. */
export function notMovedText(
  { tried, leftOut }: NotMoved,
  { sku, skipReason }: Pick<ReportItem, "sku" | "skipReason">,
): string | null {
  const reason = skipReason === null ? leftOut.get(sku) : undefined;
  return tried.get(sku) ?? (reason === undefined ? null : skipMessages[reason]);
}

interface Tried {
  readonly direction: "deploy" | "rollback";
  readonly state: string;
  readonly note: string | null;
  readonly delta: number;
  readonly keptOnHand: number | null;
}

function triedText({ direction, state, note, delta, keptOnHand }: Tried): string {
  if (direction === "rollback") return "was moved and taken back";
  if (state === "confirmed") {
    return `moved by ${signedUnits(delta)}: Shopify had kept ${quantityText(keptOnHand ?? 0)} of it here unseen`;
  }
  const outcome = state === "unclear" ? "outcome unknown" : "not moved";
  return note === null ? outcome : `${outcome}: ${note.replace(/\.$/, "")}`;
}
