import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Transaction } from "../database/pool.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { ApiError } from "../kernel/api-error.ts";
import { PlatformUnavailableError } from "../shopify/errors.ts";
import { createHeldClock } from "../testing/held-clock.ts";
import { createOperationRunner, type OperationRunnerOptions } from "./leased-runner.ts";
import type { OperationJob, OperationRequest, OperationRunner, OperationWork } from "./operation-runner.ts";

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

function insert(runner: OperationRunner, changes: Partial<OperationRequest> = {}): Promise<string> {
  return db.database.transaction().execute((transaction) => runner.insert(transaction, request(changes)));
}

/** Work that begins, and ends when the test says so. */
function heldWork(whenAbandoned: OperationWork["whenAbandoned"] = "resume") {
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

async function loseLease(id: string): Promise<void> {
  await db.pool.query("update operations set lease_until = now() - interval '1 second' where id = $1", [id]);
}

describe("an operation", () => {
  test("is done when its work is, with what it was given", async () => {
    const runner = newRunner();
    const run = vi.fn(async (_job: OperationJob) => ({}));
    runner.register("deploy", { run, whenAbandoned: "resume" });
    const id = await insert(runner, { input: { zeroUncounted: true } });
    runner.wake(id);
    expect(await runner.waitForEnd(id, 5_000)).toMatchObject({ _id: id, status: "done", error: null });
    expect(run.mock.calls[0]?.[0]).toMatchObject({ id, kind: "deploy", input: { zeroUncounted: true } });
  });

  test("tells how far it has come while it runs", async () => {
    const runner = newRunner();
    const { work, jobs, begun } = heldWork();
    runner.register("deploy", work);
    const id = await insert(runner);
    runner.wake(id);
    await begun();
    await jobs[0]?.report(250, 1000);
    expect(await runner.waitForEnd(id, 0)).toMatchObject({ status: "running", done: 250, of: 1000 });
  });

  test.each([
    [new ApiError("SHOP_CHANGED", "Another shop."), "SHOP_CHANGED", "Another shop."],
    [
      new PlatformUnavailableError("timeout", "secret detail"),
      "PLATFORM_UNAVAILABLE",
      /Shopify did not answer/,
    ],
    [new Error("select * from users"), "INTERNAL", /^Something went wrong on the server/],
  ])("that fails says why in the closed set: %s", async (error, code, sentence) => {
    const runner = newRunner();
    runner.register("deploy", { run: () => Promise.reject(error), whenAbandoned: "resume" });
    const id = await insert(runner);
    runner.wake(id);
    const operation = await runner.waitForEnd(id, 5_000);
    expect(operation).toMatchObject({
      status: "failed",
      error: { code, error: expect.stringMatching(sentence) },
    });
  });

  test("is worked on once, however often and wherever it is woken", async () => {
    const [one, other] = [newRunner(), newRunner()];
    const run = vi.fn(async () => ({}));
    for (const runner of [one, other]) runner.register("deploy", { run, whenAbandoned: "resume" });
    const id = await insert(one);
    for (const runner of [one, other, one, other]) runner.wake(id);
    await one.waitForEnd(id, 5_000);
    expect(run).toHaveBeenCalledOnce();
  });

  test("answers as it stands once the caller has waited long enough", async () => {
    const clock = createHeldClock();
    const runner = newRunner({ clock });
    const { work, begun, finish } = heldWork();
    runner.register("deploy", work);
    const id = await insert(runner);
    runner.wake(id);
    await begun();
    const answer = runner.waitForEnd(id, 25_000);
    await clock.untilAsleep(25_000);
    clock.pass(25_000);
    expect((await answer).status).toBe("running");
    finish();
    await vi.waitFor(async () => expect((await runner.waitForEnd(id, 0)).status).toBe("done"));
  });

  test("keeps its lease for as long as the work goes on", async () => {
    const clock = createHeldClock();
    const runner = newRunner({ clock, leaseMs: 30_000 });
    const { work, begun } = heldWork();
    runner.register("deploy", work);
    const id = await insert(runner);
    runner.wake(id);
    await begun();
    await clock.untilAsleep(10_000);
    await loseLease(id);
    clock.pass(10_000);
    await vi.waitFor(async () => {
      const { rows } = await db.pool.query("select lease_until > now() as held from operations");
      expect(rows[0].held).toBe(true);
    });
  });
});

describe("an operation whose process is gone", () => {
  test("is left alone while its lease lasts", async () => {
    const [gone, next] = [newRunner(), newRunner()];
    const run = vi.fn(async () => ({}));
    next.register("deploy", { run, whenAbandoned: "resume" });
    const id = await insert(gone);
    await next.sweep();
    expect(run).not.toHaveBeenCalled();
    expect((await next.waitForEnd(id, 0)).status).toBe("running");
  });

  test("is taken over once the lease is over, by one node", async () => {
    const [gone, one, other] = [newRunner(), newRunner(), newRunner()];
    const run = vi.fn(async () => ({}));
    for (const runner of [one, other]) runner.register("deploy", { run, whenAbandoned: "resume" });
    const id = await insert(gone);
    await loseLease(id);
    await Promise.all([one.sweep(), other.sweep()]);
    expect((await one.waitForEnd(id, 5_000)).status).toBe("done");
    expect(run).toHaveBeenCalledOnce();
  });

  test("is taken over at once by a node that is alone", async () => {
    const [gone, next] = [newRunner(), newRunner()];
    next.register("deploy", { run: async () => ({}), whenAbandoned: "resume" });
    const id = await insert(gone);
    await next.sweep("alone");
    expect((await next.waitForEnd(id, 5_000)).status).toBe("done");
  });

  test("fails with a sentence where its kind is not resumed, and what had begun is put back with it", async () => {
    const [gone, next] = [newRunner(), newRunner()];
    const afterFailure = vi.fn(async (_transaction: Transaction, _request: OperationRequest) => undefined);
    next.register("start", {
      run: () => Promise.reject(new Error("not run")),
      whenAbandoned: "fail",
      afterFailure,
    });
    const id = await insert(gone, { kind: "start", input: { scope: "full" } });
    await loseLease(id);
    await next.sweep();
    expect(await next.waitForEnd(id, 0)).toMatchObject({
      status: "failed",
      error: { error: expect.stringContaining("no session exists") },
    });
    expect(afterFailure.mock.calls[0]?.[1]).toMatchObject({ kind: "start", input: { scope: "full" } });
  });

  test("stays as it was when putting back fails, for the next sweep", async () => {
    const [gone, next] = [newRunner(), newRunner()];
    const afterFailure = vi.fn(() => Promise.reject(new Error("no luck")));
    next.register("start", { run: async () => ({}), whenAbandoned: "fail", afterFailure });
    const id = await insert(gone, { kind: "start" });
    await loseLease(id);
    await expect(next.sweep()).rejects.toThrow("no luck");
    expect((await next.waitForEnd(id, 0)).status).toBe("running");
  });

  test("that comes back to life changes nothing more: its last transaction is undone", async () => {
    const [slow, next] = [newRunner(), newRunner()];
    let failure: unknown;
    let run = () => {};
    const mayRun = new Promise<void>((resolve) => {
      run = resolve;
    });
    slow.register("start", {
      whenAbandoned: "fail",
      run: async (job) => {
        await mayRun;
        await db.database
          .transaction()
          .execute(async (transaction) => {
            await transaction.updateTable("installation").set({ shopName: "changed" }).execute();
            await job.complete(transaction, {});
          })
          .catch((error: unknown) => {
            failure = error;
            throw error;
          });
        return {};
      },
    });
    next.register("start", { run: async () => ({}), whenAbandoned: "fail" });
    const id = await insert(slow, { kind: "start" });
    slow.wake(id);
    await vi.waitFor(async () => {
      const { rows } = await db.pool.query("select worker from operations");
      expect(rows[0].worker).not.toBeNull();
    });
    await loseLease(id);
    await next.sweep();
    run();
    await vi.waitFor(() => expect(failure).toMatchObject({ name: "LeaseLostError" }));
    const { rows } = await db.pool.query("select shop_name from installation");
    expect(rows[0].shop_name).toBeNull();
    expect((await next.waitForEnd(id, 0)).status).toBe("failed");
  });
});

describe("a node that lost its lease", () => {
  test("stops the work, and takes it up again itself where no other node did", async () => {
    const clock = createHeldClock();
    const runner = newRunner({ clock, leaseMs: 30_000 });
    const { work, jobs, begun, finish } = heldWork();
    runner.register("deploy", work);
    const id = await insert(runner);
    runner.wake(id);
    await begun();
    await clock.untilAsleep(10_000);
    await db.pool.query(
      "update operations set worker = gen_random_uuid(), lease_until = now() - interval '1 s'",
    );
    clock.pass(10_000);
    await vi.waitFor(() => expect(jobs[0]?.signal.aborted).toBe(true));
    finish();
    await vi.waitFor(async () => {
      await runner.sweep();
      expect(jobs).toHaveLength(2);
    });
    expect((await runner.waitForEnd(id, 5_000)).status).toBe("done");
  });
});

describe("a node that stops", () => {
  test("leaves what can be resumed to the next one, without waiting for the lease", async () => {
    const [stopping, next] = [newRunner(), newRunner()];
    const { work, begun } = heldWork("resume");
    stopping.register("deploy", work);
    next.register("deploy", { run: async () => ({}), whenAbandoned: "resume" });
    const id = await insert(stopping);
    stopping.wake(id);
    await begun();
    await stopping.close();
    await next.sweep();
    expect((await next.waitForEnd(id, 5_000)).status).toBe("done");
  });

  test("says of what can't be resumed that it was stopped", async () => {
    const [stopping, next] = [newRunner(), newRunner()];
    const { work, begun } = heldWork("fail");
    stopping.register("start", work);
    const id = await insert(stopping, { kind: "start" });
    stopping.wake(id);
    await begun();
    await stopping.close();
    expect(await next.waitForEnd(id, 0)).toMatchObject({ status: "failed", error: { code: "INTERNAL" } });
  });

  test("does not keep callers waiting for what it no longer does", async () => {
    const stopping = newRunner();
    const { work, begun } = heldWork("resume");
    stopping.register("deploy", work);
    const id = await insert(stopping);
    stopping.wake(id);
    await begun();
    const answer = stopping.waitForEnd(id, 600_000);
    await stopping.close();
    expect((await answer).status).toBe("running");
  });
});
