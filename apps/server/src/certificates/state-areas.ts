import type { AreaStatement, CallRequest, stateAreas } from "@stocktake/contract";
import { lockAreas } from "../areas/areas.ts";
import { actorOf, areaNames, type NewAuditEntry, recordAudits } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError, invalidField, notFound } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { findSession, lockSession } from "../sessions/sessions.ts";
import { type CoveredAreaRow, readCoveredAreas } from "./area-queries.ts";
import type { CertificateServices } from "./services.ts";

type Given = CallRequest<typeof stateAreas>["body"];

/**
 * Says of areas that they are empty, void, or do without a second count, or takes that back; what is so already stays as it is. Counters
 * learn nothing of it, and a scan in a void area is stored as any.
 * @throws ApiError NOT_FOUND, VALIDATION for an area that is not of the session, AREA_NOT_CLOSED, AREA_HAS_SCANS, AREA_CLOSED, NO_SECOND_COUNT: then none of the areas is changed.
 */
export async function stateOfAreas(
  { database, events }: CertificateServices,
  caller: AdminCaller,
  sessionId: string,
  { areaIds, as, stated, reason }: Given,
): Promise<{ changed: number }> {
  const ids = [...new Set(areaIds)];
  const changed = await database.transaction().execute(async (transaction) => {
    const { storeName } = await findSession(transaction, caller, sessionId);
    const session = await lockSession(transaction, sessionId);
    // No scan comes in between, and none that is stored meanwhile is overlooked.
    if (session.status !== "closed") await lockAreas(transaction, session.storeId);
    const areas = await readCoveredAreas(transaction, { ...session, storeName }, { which: "all", ids });
    await requireAll(transaction, areas, ids);
    const saying = { transaction, caller, sessionId };
    const entries = stated
      ? await state(saying, areas, { as, reason: reason ?? null })
      : await takeBack(saying, areas, as);
    await recordAudits(transaction, sessionId, entries);
    return entries.length;
  });
  if (changed > 0) events.publish({ type: "adjustment", sessionId });
  return { changed };
}

async function requireAll(
  transaction: Transaction,
  areas: readonly CoveredAreaRow[],
  ids: readonly string[],
): Promise<void> {
  const missing = ids.find((id) => !areas.some((area) => area.id === id));
  if (missing === undefined) return;
  const elsewhere = await transaction
    .selectFrom("areas")
    .select("id")
    .where("id", "=", missing)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (elsewhere === undefined) throw notFound("The area");
  throw invalidField("areaIds", "One of these areas is not of this session.");
}

interface Saying {
  readonly transaction: Transaction;
  readonly caller: AdminCaller;
  readonly sessionId: string;
}

async function state(
  { transaction, caller, sessionId }: Saying,
  areas: readonly CoveredAreaRow[],
  { as, reason }: { readonly as: AreaStatement; readonly reason: string | null },
): Promise<readonly Omit<NewAuditEntry, "sessionId">[]> {
  const unsaid = areas.filter(({ said }) => !said.some((one) => one.as === as && one.holds));
  for (const area of unsaid) requireFit(area, as);
  for (const { id: areaId, pass } of unsaid) {
    const row = { sessionId, areaId, statedAs: as, pass, reason, statedBy: caller.userId };
    await ofArea(transaction, { sessionId, areaId, as }).execute();
    await transaction.insertInto("areaStatements").values(row).execute();
  }
  const nameOf = await areaNames(
    transaction,
    unsaid.map(({ id }) => id),
  );
  return unsaid.map((area) => ({
    actor: actorOf(caller),
    action: "coverage.area_stated",
    subject: { kind: "area", id: area.id, name: nameOf(area.id) },
    before: null,
    after: { as, reason, pass: area.pass },
  }));
}

async function takeBack(
  { transaction, caller, sessionId }: Saying,
  areas: readonly CoveredAreaRow[],
  as: AreaStatement,
): Promise<readonly Omit<NewAuditEntry, "sessionId">[]> {
  const said = areas.flatMap((area) =>
    area.said.filter((one) => one.as === as).map(({ reason }) => ({ area, reason })),
  );
  for (const { area } of said) await ofArea(transaction, { sessionId, areaId: area.id, as }).execute();
  const nameOf = await areaNames(
    transaction,
    said.map(({ area }) => area.id),
  );
  return said.map(({ area, reason }) => ({
    actor: actorOf(caller),
    action: "coverage.area_taken_back",
    subject: { kind: "area", id: area.id, name: nameOf(area.id) },
    before: { as, reason },
    after: null,
  }));
}

function ofArea(
  transaction: Transaction,
  {
    sessionId,
    areaId,
    as,
  }: { readonly sessionId: string; readonly areaId: string; readonly as: AreaStatement },
) {
  return transaction
    .deleteFrom("areaStatements")
    .where("sessionId", "=", sessionId)
    .where("areaId", "=", areaId)
    .where("statedAs", "=", as);
}

/** Nothing is said of an area that its scans contradict. */
function requireFit(area: CoveredAreaRow, as: AreaStatement): void {
  const { code, state: became, counted, cutOff } = area;
  if (as === "without_second_count") {
    if (cutOff) return;
    throw new ApiError(
      "NO_SECOND_COUNT",
      `No second count of ${code} was cut off by the end of the session.`,
    );
  }
  const isClosed = became === "counted" || became === "empty" || became === "empty_once";
  if (as === "void" && isClosed) {
    throw new ApiError(
      "AREA_CLOSED",
      `${code} is closed, so it was counted and is not void. Reopen it first.`,
    );
  }
  if (as === "empty" && !isClosed) {
    throw new ApiError("AREA_NOT_CLOSED", `${code} is not closed, so nobody has counted it as empty yet.`);
  }
  if (counted) {
    const text = as === "void" ? "so it can't be void. Finish it, or reset it first." : "so it is not empty.";
    throw new ApiError("AREA_HAS_SCANS", `Something was counted in ${code}, ${text}`);
  }
}
