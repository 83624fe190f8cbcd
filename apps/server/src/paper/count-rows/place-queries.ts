import { fileDevice, groupBy, type ScanStatus, visibleCode } from "@stocktake/contract";
import { sql } from "kysely";
import { sessionSubject } from "../../audit/audit.ts";
import type { Database } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { nameKey } from "../../kernel/formats.ts";

/** A session that counts. */
export interface CountingPlace {
  readonly sessionId: string;
  readonly storeId: string;
  readonly storeName: string;
  readonly catalogueVersion: number;
}

export interface CountedArea {
  readonly id: string;
  readonly code: string;
  readonly locationId: string;
  readonly locationName: string;
  readonly status: "not_started" | "in_progress" | "closed";
}

export interface Person {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
}

/** @throws ApiError NOT_FOUND, SESSION_CLOSED, SESSION_ENDING. */
export async function readPlace(database: Database, sessionId: string): Promise<CountingPlace> {
  const session = await database
    .selectFrom("sessions")
    .select(["id", "storeId", "status", "catalogueVersion"])
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (session === undefined) throw new ApiError("NOT_FOUND", "The session was not found.");
  if (session.status === "closed") {
    throw new ApiError("SESSION_CLOSED", "This counting session has ended. Nothing was stored.");
  }
  if (session.status === "ending") {
    throw new ApiError("SESSION_ENDING", "This counting session is ending. Nothing was stored.");
  }
  const { name } = await sessionSubject(database, sessionId);
  const { storeId, catalogueVersion } = session;
  return { sessionId, storeId, storeName: name, catalogueVersion };
}

/** The areas of a store by their code, without regard to case. */
export async function readAreasByCode(
  database: Database,
  storeId: string,
): Promise<ReadonlyMap<string, readonly CountedArea[]>> {
  const areas = await database
    .selectFrom("areas")
    .innerJoin("locations", "locations.id", "areas.locationId")
    .select(["areas.id", "areas.code", "areas.locationId", "areas.status"])
    .select("locations.name as locationName")
    .where("areas.storeId", "=", storeId)
    .where("areas.deletedAt", "is", null)
    .where("locations.deletedAt", "is", null)
    .execute();
  return groupBy(areas, ({ code }) => visibleCode(code).toLowerCase());
}

interface InvitedPerson extends Person {
  readonly isRevoked: boolean;
}

/**
 * Who may have counted in the session, by name and by e-mail address: whom it invited, and whoever has a password. Somebody who was
 * revoked and invited again at the same address is who they are now.
 */
export async function readPeopleByName(
  database: Database,
  sessionId: string,
): Promise<ReadonlyMap<string, readonly Person[]>> {
  const { rows } = await sql<InvitedPerson>`
    select person.id, person.username, nullif(invitation.email, '') as email,
      invitation.revoked_at is not null as is_revoked
    from users person left join invitations invitation on invitation.id = person.invitation_id
    where person.deleted_at is null
      and (person.invitation_id is null or invitation.session_id = ${sessionId})
    order by invitation.created_at desc, person.id`.execute(database);
  const names = rows.flatMap((person) => {
    const { username, email } = person;
    return [...new Set([nameKey(username), ...(email === null ? [] : [nameKey(email)])])].map((key) => ({
      key,
      person,
    }));
  });
  const grouped = groupBy(names, ({ key }) => key);
  return new Map([...grouped].map(([key, found]) => [key, asTheyAreNow(found.map(({ person }) => person))]));
}

/**
 * Of people who all have one address and one name, those whose invitation holds, or else the newest. An address may be several people's,
 * and whoever of them was revoked may have counted all the same.
 */
function asTheyAreNow(called: readonly InvitedPerson[]): readonly Person[] {
  const names = new Set(called.map(({ username }) => nameKey(username)));
  if (names.size !== 1 || !haveOneAddress(called)) return called;
  const invited = called.filter(({ isRevoked }) => !isRevoked);
  return invited.length > 0 ? invited : called.slice(0, 1);
}

/** Whether an e-mail address is known of all of them, and it is the same. */
export function haveOneAddress(people: readonly Person[]): boolean {
  const addresses = new Set(people.map(({ email }) => (email === null ? null : nameKey(email))));
  return addresses.size === 1 && !addresses.has(null);
}

/** What a row of a file came to that is stored. */
export interface StoredRow {
  readonly status: ScanStatus;
  readonly units: number;
}

/** What is stored of these operation ids in the session, as it is now. */
export async function readStored(
  database: Database,
  sessionId: string,
  opIds: readonly string[],
): Promise<ReadonlyMap<string, StoredRow>> {
  const { rows } = await sql<StoredRow & { readonly opId: string }>`
    select op_id, status, quantity as units from scans
    where session_id = ${sessionId} and op_id = any(${[...opIds]}::uuid[])`.execute(database);
  return new Map(rows.map(({ opId, ...stored }) => [opId, stored]));
}

/** Rows of files that are stored, of one area, person, code, quantity and time. */
export interface StoredMeaning {
  readonly areaId: string;
  readonly scannedBy: string;
  readonly input: string;
  readonly units: number;
  readonly time: Date | null;
  readonly rows: number;
  /** Of these: under the operation ids that were asked of. */
  readonly named: number;
}

interface Sought {
  readonly sessionId: string;
  readonly opIds: readonly string[];
  readonly areaIds: readonly string[];
  readonly people: readonly string[];
  /** Without leading zeros. */
  readonly codes: readonly string[];
  /** The newest scan that counts, but for those that others sent; null for all of them. */
  readonly asOf: number | null;
  readonly senderId: string;
}

/** What files have stored in a session that may look like rows of these areas, people and codes. */
export async function readStoredMeanings(
  database: Database,
  { sessionId, opIds, areaIds, people, codes, asOf, senderId }: Sought,
): Promise<readonly StoredMeaning[]> {
  const { rows } = await sql<StoredMeaning>`
    select area_id, scanned_by, input, quantity as units, given_scanned_at as time, count(*) as rows,
      count(*) filter (where op_id = any(${[...opIds]}::uuid[])) as named
    from scans
    where session_id = ${sessionId} and device_id = ${fileDevice} and area_id = any(${[...areaIds]}::uuid[])
      and scanned_by = any(${[...people]}::uuid[]) and ltrim(input, '0') = any(${[...codes]}::text[])
      and (${asOf}::bigint is null or id <= ${asOf}::bigint or sent_by <> ${senderId})
    group by area_id, scanned_by, input, quantity, given_scanned_at
    order by given_scanned_at, input`.execute(database);
  return rows;
}

/** The newest scan that is stored, of whatever session; 0 where none is. */
export async function readNewestScan(database: Database): Promise<number> {
  const { newest } = await database
    .selectFrom("scans")
    .select(({ fn }) => fn.max("id").as("newest"))
    .executeTakeFirstOrThrow();
  return Number(newest ?? 0);
}
