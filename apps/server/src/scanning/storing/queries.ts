import { groupBy, type ScanReason, type ScanStatus } from "@stocktake/contract";
import { sql } from "kysely";
import { canSendScansTo } from "../../auth/auth.ts";
import { preparedMark, type Transaction } from "../../database/pool.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { IncomingScan } from "./incoming-scan.ts";

/** A session, read while its areas are locked. */
export interface SessionState {
  readonly id: string;
  readonly storeId: string;
  readonly status: "active" | "ending" | "closed";
  readonly catalogueVersion: number;
  /** When the reading of its start stock began. */
  readonly startSnapshotAt: Date;
}

/** An area, read under its lock. `deleted`: it or its location is. */
export interface AreaState {
  readonly id: string;
  readonly locationId: string;
  readonly storeId: string;
  readonly code: string;
  readonly status: "not_started" | "in_progress" | "closed";
  readonly pass: number;
  readonly deleted: boolean;
}

export interface Classification {
  /** As the device is told. */
  readonly status: Exclude<ScanStatus, "compared">;
  /** It is of a second count, which is in no total. */
  readonly isCompared: boolean;
  readonly reason: ScanReason | null;
  readonly sku: string | null;
  readonly pass: number;
  /** The units of one pack, where the code is of one; null for a product's own. */
  readonly packUnits: number | null;
  /** Names the item whose RFID tag was read; null for a scan of anything else. */
  readonly tag: string | null;
}

/** How many units the scan counts: as many packs or pieces as the device sent, of so many units each. */
export function unitsOf({ incoming, classification }: ClassifiedScan): number {
  return incoming.quantity * (classification.packUnits ?? 1);
}

/** A scan that is ready to be stored. */
export interface ClassifiedScan {
  readonly incoming: IncomingScan;
  readonly area: AreaState;
  readonly classification: Classification;
}

/** How a scan names its area: by the code in its location. */
type AreaName = Pick<IncomingScan, "locationId" | "areaCode">;

const keyOf = ({ locationId, areaCode }: AreaName) => `${locationId}\n${areaCode}`;

/** The areas, deleted ones too, that have or had the code. */
export type AreasByCode = (name: AreaName) => readonly AreaState[];

/**
 * Locks the areas that the scans name against finishing, reset and the end of the session, not against other scans.
 * Always in the order of their ids: whoever locks several does so.
 */
export async function lockAreasOf(
  transaction: Transaction,
  scans: readonly IncomingScan[],
): Promise<AreasByCode> {
  const distinct = [...new Map(scans.map((scan) => [keyOf(scan), scan])).values()];
  const { rows } = await sql<AreaState & { position: number }>`${sql.raw(preparedMark)}
    select area.id, area.location_id, area.store_id, area.code, area.status, area.pass,
      (area.deleted_at is not null or location.deleted_at is not null) as deleted, named.position
    from unnest(${distinct.map(({ locationId }) => locationId)}::uuid[], ${distinct.map(({ areaCode }) => areaCode)}::text[])
      with ordinality as named (location_id, code, position)
    join areas area on area.location_id = named.location_id and lower(area.code) = lower(named.code)
    join locations location on location.id = area.location_id
    order by area.id
    for key share of area`.execute(transaction);
  const found = groupBy(rows, ({ position }) => position);
  const positions = new Map(distinct.map((name, index) => [keyOf(name), index + 1]));
  return (name) => found.get(positions.get(keyOf(name)) ?? 0) ?? [];
}

/** A session, and which of the callers may send scans to it. */
export interface SessionForScans extends SessionState {
  readonly admittedUserIds: ReadonlySet<string>;
}

/** Reads a session as it is now; call it once the areas are locked, so that it can't end in between. */
export async function readSessionForScans(
  transaction: Transaction,
  sessionId: string,
  callers: readonly Caller[],
): Promise<SessionForScans | undefined> {
  const distinct = [...new Map(callers.map((caller) => [caller.userId, caller])).values()];
  const admits = distinct.map((caller) => canSendScansTo(caller, "session"));
  const { rows } = await sql<SessionState & { admits: readonly boolean[] }>`
    select session.id, session.store_id, session.status,
      session.catalogue_version, session.start_snapshot_at, array[${sql.join(admits)}] as admits
    from sessions session where session.id = ${sessionId}`.execute(transaction);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { admits: admitted, ...session } = row;
  const allowed = distinct.filter((_caller, index) => admitted[index]);
  return { ...session, admittedUserIds: new Set(allowed.map(({ userId }) => userId)) };
}
