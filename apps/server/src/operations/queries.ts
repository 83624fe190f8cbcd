import type { ErrorBody } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import type { Tables } from "../database/tables.ts";
import type { OperationPause, OperationRequest } from "./operation-runner.ts";

export type OperationRow = Selectable<Tables["operations"]>;

/** Of a session that came out of a backup nothing moves stock by itself: it may have been moved since. */
const mayRunByItself = sql<boolean>`(kind not in ('deploy', 'rollback') or not exists (
  select from sessions where sessions.id = operations.session_id and sessions.restored))`;

/** The rows of operations as one process works on them: each under a lease that runs out unless renewed. */
export class LeasedRows {
  private readonly database: Database;
  private readonly worker: string;
  private readonly leaseSeconds: number;

  constructor(database: Database, worker: string, leaseSeconds: number) {
    this.database = database;
    this.worker = worker;
    this.leaseSeconds = leaseSeconds;
  }

  /** The lease begins with the row, so that one whose process dies before it wakes the work is found by the sweep. */
  async insert(transaction: Transaction, request: OperationRequest): Promise<string> {
    const { kind, storeId, sessionId, adjustmentId, input, startedBy } = request;
    const row = await transaction
      .insertInto("operations")
      .values({
        kind,
        storeId,
        sessionId,
        adjustmentId,
        input: JSON.stringify(input),
        total: null,
        errorCode: null,
        error: null,
        startedBy,
        worker: null,
        leaseUntil: this.leaseEnd(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return row.id;
  }

  /** Leases a running operation that no process works on yet; undefined where one does. */
  claimWaiting(id: string): Promise<OperationRow | undefined> {
    return this.database
      .updateTable("operations")
      .set({ worker: this.worker, leaseUntil: this.leaseEnd() })
      .where("id", "=", id)
      .where("status", "=", "running")
      .where("worker", "is", null)
      .where(mayRunByItself)
      .returningAll()
      .executeTakeFirst();
  }

  /** Leases one operation that no process works on any more, none of `inHand`; undefined when there is none. */
  claimAbandoned(inHand: readonly string[], alone: boolean): Promise<OperationRow | undefined> {
    const abandoned = this.database
      .selectFrom("operations")
      .select("id")
      .where("status", "=", "running")
      .where(sql<boolean>`id <> all (${inHand}::uuid[])`)
      .where(mayRunByItself)
      .$if(!alone, (query) => query.where("leaseUntil", "<", sql<Date>`now()`))
      .orderBy("createdAt")
      .limit(1)
      .forUpdate()
      .skipLocked();
    return this.database
      .updateTable("operations")
      .set({
        worker: this.worker,
        leaseUntil: this.leaseEnd(),
        takeOvers: sql<number>`take_overs + (worker is not null)::integer`,
      })
      .where("id", "in", abandoned)
      .returningAll()
      .executeTakeFirst();
  }

  /** Makes the lease longer and tells whether the operation is to stop; undefined where it was not this worker's any more. */
  renew(id: string): Promise<{ readonly cancelled: boolean } | undefined> {
    return this.own(this.database, id)
      .set({ leaseUntil: this.leaseEnd() })
      .returning(sql<boolean>`cancel_requested_at is not null`.as("cancelled"))
      .executeTakeFirst();
  }

  async isCancelled(id: string): Promise<boolean> {
    const row = await this.database
      .selectFrom("operations")
      .select("cancelRequestedAt")
      .where("id", "=", id)
      .executeTakeFirst();
    return row !== undefined && row.cancelRequestedAt !== null;
  }

  async writePause(id: string, pause: OperationPause | null): Promise<void> {
    await this.own(this.database, id)
      .set({
        waitReason: pause?.reason ?? null,
        waitUntil: pause?.until ?? null,
        waitSince: pause?.since ?? null,
      })
      .execute();
  }

  /** Whether the operation runs and nobody had asked that it stops; now somebody has. */
  async requestCancel(transaction: Transaction, id: string, userId: string): Promise<boolean> {
    const { numUpdatedRows } = await transaction
      .updateTable("operations")
      .set({ cancelRequestedAt: sql<Date>`now()`, cancelRequestedBy: userId })
      .where("id", "=", id)
      .where("status", "=", "running")
      .where("cancelRequestedAt", "is", null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Whether the lease is still this worker's; if so its row is locked until the transaction ends. */
  async lock(transaction: Transaction, id: string): Promise<boolean> {
    const row = await transaction
      .selectFrom("operations")
      .select("id")
      .where("id", "=", id)
      .where("worker", "=", this.worker)
      .where("status", "=", "running")
      .forNoKeyUpdate()
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Gives an unfinished operation back, so that the next sweep takes it over at once. */
  async release(id: string): Promise<void> {
    await this.own(this.database, id)
      .set({
        worker: null,
        leaseUntil: sql<Date>`now() - interval '1 second'`,
        takeOvers: sql<number>`take_overs + 1`,
      })
      .execute();
  }

  async writeProgress(id: string, done: number, total: number | null): Promise<void> {
    await this.own(this.database, id).set({ done, total }).execute();
  }

  /** Whether the operation was still this worker's and running, and is now done. */
  async recordDone(database: Database, id: string, sessionId: string | undefined): Promise<boolean> {
    const { numUpdatedRows } = await this.own(database, id)
      .set({
        status: "done",
        finishedAt: sql<Date>`now()`,
        ...(sessionId === undefined ? {} : { sessionId }),
      })
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Whether the operation was still this worker's and running, and has now failed. */
  async recordFailure(transaction: Transaction, id: string, { code, error }: ErrorBody): Promise<boolean> {
    const { numUpdatedRows } = await this.own(transaction, id)
      .set({ status: "failed", errorCode: code, error, finishedAt: sql<Date>`now()` })
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  private own(database: Database, id: string) {
    return database
      .updateTable("operations")
      .where("id", "=", id)
      .where("worker", "=", this.worker)
      .where("status", "=", "running");
  }

  private leaseEnd() {
    return sql<Date>`now() + make_interval(secs => ${this.leaseSeconds})`;
  }
}

/** What is under way, oldest first; a few rows at most, since a store and a session have one each. */
export function listRunningOperations(database: Database): Promise<OperationRow[]> {
  return database
    .selectFrom("operations")
    .selectAll()
    .where("status", "=", "running")
    .orderBy("createdAt")
    .execute();
}

export function findOperation(database: Database, id: string): Promise<OperationRow | undefined> {
  return database.selectFrom("operations").selectAll().where("id", "=", id).executeTakeFirst();
}
