import { sql } from "kysely";
import { sharesItsCode } from "../database/area-codes.ts";
import type { Database } from "../database/pool.ts";
import { type AuditActor, serverActor } from "./actors.ts";
import type { NewAuditEntry } from "./record-audit.ts";

/** An area as people call it: its code, and its name where that adds something. */
export function areaName({ code, name }: { readonly code: string; readonly name: string }): string {
  return name === code ? code : `${code} - ${name}`;
}

/** The area, deleted or not. */
export async function areaSubject(database: Database, areaId: string): Promise<NewAuditEntry["subject"]> {
  const nameOf = await areaNames(database, [areaId]);
  return { kind: "area", id: areaId, name: nameOf(areaId) };
}

/** What areas are called, deleted or not, by their ids: with their location where another area of the store has the code. */
export async function areaNames(database: Database, ids: readonly string[]): Promise<(id: string) => string> {
  const { rows } = await sql<{ id: string; code: string; name: string; place: string | null }>`
    select area.id, area.code, area.name, case when ${sharesItsCode} then location.name end as place
    from areas area join locations location on location.id = area.location_id
    where area.id = any(${[...ids]}::uuid[])`.execute(database);
  const names = new Map(
    rows.map((area) => [area.id, `${areaName(area)}${area.place === null ? "" : ` (${area.place})`}`]),
  );
  return (id) => names.get(id) ?? id;
}

/** The session, called by its store. */
export async function sessionSubject(
  database: Database,
  sessionId: string,
): Promise<NewAuditEntry["subject"]> {
  const { name } = await database
    .selectFrom("sessions")
    .innerJoin("stores", "stores.id", "sessions.storeId")
    .select("stores.name")
    .where("sessions.id", "=", sessionId)
    .executeTakeFirstOrThrow();
  return { kind: "session", id: sessionId, name };
}

/** A SKU of a session, called by it and its product. */
export async function productSubject(
  database: Database,
  sessionId: string,
  sku: string,
): Promise<NewAuditEntry["subject"]> {
  const { rows } = await sql<{ name: string }>`
    select coalesce((select product_title || ' (' || sku || ')' from session_items
      where session_id = ${sessionId} and sku = ${sku}), ${sku}) as name`.execute(database);
  return { kind: "product", id: sku, name: rows[0]?.name ?? sku };
}

/** The user who asked for work that the server did later; the server itself where nobody did. */
export async function actorNamed(database: Database, userId: string | null): Promise<AuditActor> {
  if (userId === null) return serverActor;
  const { role, username } = await database
    .selectFrom("users")
    .select(["role", "username"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return { kind: role, id: userId, name: username };
}
