import type { Selectable } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { Tables } from "../../database/tables.ts";
import { type ApiError, invalidField, notFound } from "../../kernel/api-error.ts";
import { lastPasses } from "../../passes/passes.ts";
import type { ScanState } from "./scans.ts";
import type { HeldSession } from "./session-queries.ts";

/** Where an accepted scan counts. */
export interface TargetArea {
  readonly areaId: string;
  readonly locationId: string;
  readonly pass: number;
}

type Area = Selectable<Tables["areas"]>;

/** The areas of scans that are decided on, locked in the order of their ids. */
export class LockedAreas {
  readonly #session: HeldSession;
  readonly #areas: ReadonlyMap<string, Area>;
  readonly #lastPasses: ReadonlyMap<string, number>;

  private constructor(
    session: HeldSession,
    areas: readonly Area[],
    passesOfEnd: ReadonlyMap<string, number>,
  ) {
    this.#session = session;
    this.#areas = new Map(areas.map((area) => [area.id, area]));
    this.#lastPasses = passesOfEnd;
  }

  /** The caller holds the session's row. */
  static async lock(
    transaction: Transaction,
    session: HeldSession,
    ids: readonly string[],
  ): Promise<LockedAreas> {
    const areas = await transaction
      .selectFrom("areas")
      .selectAll()
      .where("id", "in", [...new Set(ids)])
      .orderBy("id")
      .forUpdate()
      .execute();
    const passes = session.isRunning ? [] : await lastPasses(transaction, session.id, ids);
    return new LockedAreas(session, areas, new Map(passes));
  }

  /** The pass that counts in the area: the current one while the session runs, otherwise the last that it had in it. */
  countingPass(areaId: string): number | undefined {
    return this.#session.isRunning ? this.#areas.get(areaId)?.pass : this.#lastPasses.get(areaId);
  }

  /**
   * Where a scan is to count; `areaId` null: in its own area, deleted or not.
   * Throws NOT_FOUND, VALIDATION for an area of another store or one that the session never had.
   */
  targetOf(scan: Pick<ScanState, "areaId" | "pass">, areaId: string | null): TargetArea {
    const area = this.#areas.get(areaId ?? scan.areaId);
    const isOwn = area?.id === scan.areaId;
    if (area === undefined || (area.deletedAt !== null && !isOwn)) throw notFound("The area");
    if (area.storeId !== this.#session.storeId) throw notOfTheSession();
    // A late scan for an area that was added after its session ended: there is no pass other than its own.
    const pass = this.countingPass(area.id) ?? (isOwn ? scan.pass : null);
    if (pass === null) throw notOfTheSession();
    return { areaId: area.id, locationId: area.locationId, pass };
  }
}

function notOfTheSession(): ApiError {
  return invalidField("areaId", "This area was not part of the scan's session.");
}
