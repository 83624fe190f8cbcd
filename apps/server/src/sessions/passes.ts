import type { AreaPass } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { AreaPassesTable } from "../database/tables.ts";

interface PassRow {
  readonly area_id: string;
  readonly pass: number;
  readonly scans: number;
  readonly declared_total: number | null;
  readonly server_total: number | null;
  readonly ended_as: AreaPassesTable["ended_as"];
  readonly ended_at: Date | null;
}

/**
 * Every pass of every area of a session. `scans` is what the pass counted: its counted scans, and of a voided pass those
 * that were voided with it, not the ones undone before.
 */
export async function readPasses(database: Database, sessionId: string): Promise<AreaPass[]> {
  const { rows } = await sql<PassRow>`
    select pass.area_id, pass.pass, pass.declared_total, pass.server_total, pass.ended_as, pass.ended_at,
      (select count(*) from scans scan
        where scan.session_id = pass.session_id and scan.area_id = pass.area_id and scan.pass = pass.pass
          and (scan.status = 'counted'
            or scan.voided_from = 'counted' and scan.reason not in ('UNDONE', 'DISMISSED'))) as scans
    from area_passes pass
    where pass.session_id = ${sessionId}
    order by pass.area_id, pass.pass`.execute(database);
  return rows.map((row) => ({
    areaId: row.area_id,
    pass: row.pass,
    scans: row.scans,
    declaredTotal: row.declared_total,
    serverTotal: row.server_total,
    endedAs: row.ended_as,
    endedAt: row.ended_at?.toISOString() ?? null,
  }));
}
