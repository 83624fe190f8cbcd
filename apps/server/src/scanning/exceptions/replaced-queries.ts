import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { addToTotals, subtractFromTotals } from "../../passes/passes.ts";
import type { LockedAreas } from "./locked-area-queries.ts";
import type { Scan } from "./scans.ts";

/**
 * The scans whose place those of the ids take, one after the other as ×N was pressed again and again, so that an entry and what took its
 * place never both count (docs/SYNC.md, S33). The first of them may count where the undo of it came too late. A tag is one item, whose
 * place nothing takes.
 */
function replacedBy(ids: RawBuilder<unknown>, condition: RawBuilder<boolean>): RawBuilder<unknown> {
  const columns = sql`id, session_id, device_id, replaces_op_id, replaces_seq`;
  return sql`(
    with recursive entry as (
      select id as by_id, ${columns} from scans
      where id = any(${ids}) and (replaces_op_id is not null or replaces_seq is not null)
      union
      select entry.by_id, former.*
      from entry cross join lateral (
        select ${columns} from scans where session_id = entry.session_id and op_id = entry.replaces_op_id
        union all
        select ${columns} from scans
        where session_id = entry.session_id and device_id = entry.device_id and seq = entry.replaces_seq) former)
    select distinct on (former.id) entry.by_id, former.id, former.area_id, former.pass, former.sku, former.quantity
    from entry join scans former on former.id = entry.id
    where entry.id <> entry.by_id and former.tag is null and ${condition}
    order by former.id, entry.by_id)`;
}

const counts = sql<boolean>`former.status = 'counted'`;

/** How many units count of the scans whose place those of the ids would take. */
export function replacedUnits(ids: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select coalesce(sum(replaced.quantity), 0)::integer from ${replacedBy(ids, counts)} replaced)`;
}

/** A scan, and the one that takes its place. */
interface Replaced {
  readonly byId: number;
  readonly id: number;
  readonly areaId: string;
  readonly pass: number;
  readonly sku: string | null;
  readonly quantity: number;
}

async function readReplaced(
  transaction: Transaction,
  ids: readonly number[],
  condition: RawBuilder<boolean>,
): Promise<readonly Replaced[]> {
  const { rows } = await sql<Replaced>`
    select * from ${replacedBy(sql`${ids}::bigint[]`, condition)} replaced order by id`.execute(transaction);
  return rows;
}

/** The areas of the scans whose place those of the ids take, to be locked with the others before anything is decided. */
export async function areasOfReplaced(
  transaction: Transaction,
  ids: readonly number[],
): Promise<readonly string[]> {
  const replaced = await readReplaced(transaction, ids, sql<boolean>`true`);
  return replaced.map(({ areaId }) => areaId);
}

/** Takes out of the count whatever the accepted scans take the place of, as its counter did. Their areas are locked. */
export async function voidReplaced(
  transaction: Transaction,
  { session, caller }: { readonly session: { readonly id: string }; readonly caller: AdminCaller },
  acceptedIds: readonly number[],
): Promise<readonly Replaced[]> {
  const replaced = await readReplaced(transaction, acceptedIds, counts);
  if (replaced.length === 0) return [];
  await sql`
    update scans set status = 'voided', reason = 'UNDONE', voided_from = 'counted', voided_from_reason = null,
      voided_by = ${caller.userId}, voided_at = now(), replaced_by = given.by_id
    from unnest(${replaced.map(({ id }) => id)}::bigint[], ${replaced.map(({ byId }) => byId)}::bigint[]) as given (id, by_id)
    where scans.id = given.id`.execute(transaction);
  for (const { areaId, pass, sku, quantity } of replaced) {
    if (sku !== null)
      await subtractFromTotals(transaction, { sessionId: session.id, areaId, pass }, { sku, quantity });
  }
  return replaced;
}

/**
 * Makes what the scans had taken the place of count again, which wait from now on. One of a pass that is over in the meantime, with
 * which it would have been voided, stays out.
 */
export async function restoreReplaced(
  transaction: Transaction,
  takenBack: readonly Pick<Scan, "id" | "areaId" | "pass">[],
  areas: LockedAreas,
): Promise<readonly Pick<Replaced, "areaId" | "pass">[]> {
  const byId = new Map(takenBack.map((scan) => [scan.id, scan]));
  const isReplaced = sql<boolean>`former.status = 'voided' and former.reason = 'UNDONE'
    and former.replaced_by = any(${[...byId.keys()]}::bigint[])`;
  const replaced = await readReplaced(transaction, [...byId.keys()], isReplaced);
  const restored = replaced.flatMap((scan) => {
    const by = byId.get(scan.byId);
    // A pass that was voided and restored goes on under another number, as what was accepted into it shows.
    const pass = by?.areaId === scan.areaId ? by.pass : scan.pass;
    return pass === (areas.countingPass(scan.areaId) ?? pass) ? [{ ...scan, pass }] : [];
  });
  if (restored.length === 0) return [];
  const ids = restored.map(({ id }) => id);
  await sql`
    update scans set status = 'counted', reason = null, pass = given.pass, voided_from = null, voided_from_reason = null,
      voided_by = null, voided_at = null, replaced_by = null
    from unnest(${ids}::bigint[], ${restored.map(({ pass }) => pass)}::integer[]) as given (id, pass)
    where scans.id = given.id`.execute(transaction);
  await addToTotals(transaction, sql<boolean>`scan.id = any(${ids}::bigint[])`);
  return restored;
}
