import { Pass as PassNumber, type SecondCount } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";
import type { Database, Transaction } from "../../database/pool.ts";
import type { SecondCountsTable } from "../../database/tables.ts";
import { type Page, type PageRequest, readPage } from "../../kernel/paging.ts";
import type { Pass } from "../../passes/passes.ts";

interface Row {
  readonly areaId: string;
  readonly code: string;
  readonly name: string;
  readonly locationName: string;
  readonly pass: number;
  readonly ofPass: number;
  readonly round: number;
  readonly status: SecondCount["status"];
  readonly askedAt: Date;
  readonly askedBy: string | null;
  readonly origin: NonNullable<SecondCount["origin"]>;
  readonly onlySkus: string[] | null;
  readonly usernames: string[];
  readonly units: number;
  readonly endedAs: SecondCountsTable["endedAs"];
  readonly endedAt: Date | null;
}

/**
 * Up to `count` attempts that meet a condition over `attempt`, in the order of their areas' ids and passes. Who scanned and how much
 * is of all that was not undone, wherever it counts since.
 */
async function readRows(database: Database, condition: RawBuilder<boolean>, count: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select attempt.area_id, area.code, area.name, location.name as location_name, attempt.pass, attempt.of_pass,
      attempt.round, attempt.status, attempt.asked_at, asker.username as asked_by, attempt.origin,
      attempt.only_skus, work.usernames, work.units,
      attempt.ended_as, attempt.ended_at
    from second_counts attempt
    join areas area on area.id = attempt.area_id
    join locations location on location.id = area.location_id
    left join users asker on asker.id = attempt.asked_by
    cross join lateral (
      select coalesce(array_agg(distinct person.username order by person.username), '{}') as usernames,
        coalesce(sum(scan.quantity) filter (where scan.sku is not null and scan.reason is distinct from 'UNDONE'), 0)::bigint
          as units
      from scans scan join users person on person.id = scan.scanned_by
      where scan.area_id = attempt.area_id and scan.session_id = attempt.session_id
        and scan.pass in (attempt.pass, attempt.of_pass) and scan.sent_pass = attempt.pass and scan.status <> 'late') work
    where ${condition}
    order by attempt.area_id, attempt.pass
    limit ${count}`.execute(database);
  return rows;
}

export async function readSecondCount(
  transaction: Transaction,
  { sessionId, areaId, pass }: Pass,
): Promise<SecondCount> {
  const condition = sql<boolean>`attempt.session_id = ${sessionId} and attempt.area_id = ${areaId} and attempt.pass = ${pass}`;
  const [row] = await readRows(transaction, condition, 1);
  if (row === undefined) throw new Error("A second count that was begun is not there.");
  return present(row);
}

const Position = z.tuple([z.guid(), PassNumber]);
type Position = z.infer<typeof Position>;

/** A page of every attempt at a second or third count of a session, in the order of the areas' ids. */
export async function listSecondCounts(
  database: Database,
  sessionId: string,
  page: PageRequest,
): Promise<Page<SecondCount>> {
  const ofSession = sql<boolean>`attempt.session_id = ${sessionId}`;
  const rows = await readPage(page, {
    position: Position,
    positionOf: ({ areaId, pass }: Row): Position => [areaId, pass],
    read(after, count) {
      if (after === null) return readRows(database, ofSession, count);
      const [areaId, pass] = after;
      const beyond = sql<boolean>`(attempt.area_id, attempt.pass) > (${areaId}::uuid, ${pass}::integer)`;
      return readRows(database, sql<boolean>`${ofSession} and ${beyond}`, count);
    },
    async count() {
      const { attempts } = await database
        .selectFrom("secondCounts")
        .select(({ fn }) => fn.countAll<number>().as("attempts"))
        .where("sessionId", "=", sessionId)
        .executeTakeFirstOrThrow();
      return Number(attempts);
    },
  });
  return { ...rows, items: rows.items.map(present) };
}

function present({
  areaId,
  code,
  name,
  locationName,
  askedAt,
  askedBy,
  onlySkus,
  endedAt,
  ...row
}: Row): SecondCount {
  return {
    ...row,
    ...(onlySkus === null ? {} : { only: onlySkus }),
    area: { _id: areaId, code, name, locationName },
    askedAt: askedAt.toISOString(),
    askedBy: askedBy === null ? null : { username: askedBy },
    endedAt: endedAt?.toISOString() ?? null,
  };
}
