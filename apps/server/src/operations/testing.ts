import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { createOperationRunner, type OperationRunnerOptions } from "./leased-runner.ts";
import type { OperationJob, OperationRequest, OperationRunner, OperationWork } from "./operation-runner.ts";

function request(changes: Partial<OperationRequest> = {}): OperationRequest {
  return {
    kind: "deploy",
    storeId: null,
    sessionId: null,
    adjustmentId: null,
    input: {},
    startedBy: null,
    ...changes,
  };
}

/** Work that begins, and ends when the test lets it. */
export function heldWork(whenAbandoned: OperationWork["whenAbandoned"] = "resume") {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const jobs: OperationJob[] = [];
  const work: OperationWork = {
    whenAbandoned,
    run: async (job) => {
      jobs.push(job);
      const stopped = new Promise<never>((_resolve, reject) => {
        job.signal.addEventListener("abort", () => reject(job.signal.reason), { once: true });
      });
      await Promise.race([finished, stopped]);
      return {};
    },
  };
  return { work, jobs, finish, begun: () => vi.waitFor(() => expect(jobs.length).toBeGreaterThan(0)) };
}

/** Nodes that share a database for the tests of a file; what they leave is removed after each test. */
export function useNodes() {
  let db: TestDatabase;
  const runners: OperationRunner[] = [];

  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.close()));
    await db.pool.query("delete from operations");
  });
  afterAll(() => db.drop());

  /** A node of its own. */
  function newRunner(options: Partial<OperationRunnerOptions> = {}): OperationRunner {
    const runner = createOperationRunner({
      database: db.database,
      logger: pino({ level: "silent" }),
      ...options,
    });
    runners.push(runner);
    return runner;
  }

  function insert(runner: OperationRunner, changes: Partial<OperationRequest> = {}): Promise<string> {
    return db.database.transaction().execute((transaction) => runner.insert(transaction, request(changes)));
  }

  async function loseLease(id: string): Promise<void> {
    await db.pool.query("update operations set lease_until = now() - interval '1 second' where id = $1", [
      id,
    ]);
  }

  return { newRunner, insert, loseLease, db: () => db };
}
