import type { Area } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, areaName, recordAudit } from "../audit/audit.ts";
import { notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { findRunningSession, lockStore } from "../stores/stores.ts";
import { readAreas } from "./area-queries.ts";
import { findArea } from "./queries.ts";
import type { AreaServices } from "./services.ts";

/**
 * Gives an area another name, at any time: a count goes on under it. Its code stays, because devices without a network send
 * what they scan by the code. @throws ApiError NOT_FOUND.
 */
export async function renameArea(
  { database, events }: AreaServices,
  caller: Caller,
  id: string,
  name: string,
): Promise<Area> {
  const { storeId } = await findArea(database, caller, id);
  const renamed = await database.transaction().execute(async (transaction) => {
    const store = await lockStore(transaction, storeId, "to change");
    const before = await transaction
      .selectFrom("areas")
      .select(["code", "name"])
      .where("id", "=", id)
      .where("deletedAt", "is", null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (store === undefined || before === undefined) throw notFound("The area");
    await transaction.updateTable("areas").set({ name }).where("id", "=", id).execute();
    await recordAudit(transaction, {
      sessionId: (await findRunningSession(transaction, storeId)) ?? null,
      actor: actorOf(caller),
      action: "area.renamed",
      subject: { kind: "area", id, name: areaName(before) },
      before: { name: before.name },
      after: { name },
    });
    const [area] = await readAreas(transaction, sql<boolean>`area.id = ${id}`);
    if (area === undefined) throw notFound("The area");
    return area;
  });
  events.publish({ type: "area", storeId, areaId: id });
  return renamed;
}
