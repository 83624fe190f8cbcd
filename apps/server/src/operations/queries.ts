import type { ErrorBody } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import type { OperationsTable } from "../database/tables.ts";
import type { OperationRequest } from "./operation-runner.ts";

export type OperationRow = Selectable<OperationsTable>;

/** Which process works on an operation, and for how long it may be silent, in seconds. */
export interface Lease {
  readonly worker: string;
  readonly seconds: number;
}

function leaseEnd({ seconds }: Lease) {
  return sql<Date>`now() + make_interval(secs => ${seconds})`;
}

/** The lease begins with the row, so that one whose process dies before it wakes the work is found by the sweep. */
export async function insertOperation(
  transaction: Transaction,
  request: OperationRequest,
  lease: Lease,
): Promise<string> {
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
      leaseUntil: leaseEnd(lease),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Takes the lease of a running operation that nobody works on yet; undefined where somebody does. */
export function claimWaiting(
  database: Database,
  id: string,
  lease: Lease,
): Promise<OperationRow | undefined> {
  return database
    .updateTable("operations")
    .set({ worker: lease.worker, leaseUntil: leaseEnd(lease) })
    .where("id", "=", id)
    .where("status", "=", "running")
    .where("worker", "is", null)
    .returningAll()
    .executeTakeFirst();
}

/** Takes the lease of one operation that nobody works on any more, none of `inHand`; undefined when there is none. */
export function claimAbandoned(
  database: Database,
  lease: Lease,
  inHand: readonly string[],
  alone: boolean,
): Promise<OperationRow | undefined> {
  const abandoned = database
    .selectFrom("operations")
    .select("id")
    .where("status", "=", "running")
    .where(sql<boolean>`id <> all (${inHand}::uuid[])`)
    .$if(!alone, (query) => query.where("leaseUntil", "<", sql<Date>`now()`))
    .orderBy("createdAt")
    .limit(1)
    .forUpdate()
    .skipLocked();
  return database
    .updateTable("operations")
    .set({ worker: lease.worker, leaseUntil: leaseEnd(lease) })
    .where("id", "in", abandoned)
    .returningAll()
    .executeTakeFirst();
}

/** Whether the lease was still this worker's and is now longer. */
export async function renewLease(database: Database, id: string, lease: Lease): Promise<boolean> {
  const { numUpdatedRows } = await ownRow(database, id, lease)
    .set({ leaseUntil: leaseEnd(lease) })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether the lease is still this worker's; if so its row is held until the transaction ends. */
export async function holdRow(transaction: Transaction, id: string, { worker }: Lease): Promise<boolean> {
  const row = await transaction
    .selectFrom("operations")
    .select("id")
    .where("id", "=", id)
    .where("worker", "=", worker)
    .where("status", "=", "running")
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives an unfinished operation back, so that the next sweep takes it over at once. */
export async function releaseLease(database: Database, id: string, lease: Lease): Promise<void> {
  await ownRow(database, id, lease)
    .set({ worker: null, leaseUntil: sql<Date>`now() - interval '1 second'` })
    .execute();
}

export async function writeProgress(
  database: Database,
  id: string,
  lease: Lease,
  done: number,
  total: number | null,
): Promise<void> {
  await ownRow(database, id, lease).set({ done, total }).execute();
}

/** Whether the operation was still this worker's and running, and is now done. */
export async function recordDone(
  database: Database,
  id: string,
  lease: Lease,
  sessionId: string | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await ownRow(database, id, lease)
    .set({
      status: "done",
      finishedAt: sql<Date>`now()`,
      ...(sessionId === undefined ? {} : { sessionId }),
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether the operation was still this worker's and running, and has now failed. */
export async function recordFailure(
  transaction: Transaction,
  id: string,
  lease: Lease,
  { code, error }: ErrorBody,
): Promise<boolean> {
  const { numUpdatedRows } = await ownRow(transaction, id, lease)
    .set({ status: "failed", errorCode: code, error, finishedAt: sql<Date>`now()` })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function ownRow(database: Database, id: string, { worker }: Lease) {
  return database
    .updateTable("operations")
    .where("id", "=", id)
    .where("worker", "=", worker)
    .where("status", "=", "running");
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
