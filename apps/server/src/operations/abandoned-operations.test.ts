import { describe, expect, test, vi } from "vitest";
import type { Transaction } from "../database/pool.ts";
import type { OperationJob, OperationRequest } from "./operation-runner.ts";
import { heldWork, useNodes } from "./testing.ts";

const { newRunner, insert, loseLease, db } = useNodes();

describe("an operation whose process is gone", () => {
  test("is left alone while its lease lasts", async () => {
    const leaseMs = 3_600_000;
    const [gone, next] = [newRunner({ leaseMs }), newRunner({ leaseMs })];
    const run = vi.fn(async () => ({}));
    next.register("deploy", { run, whenAbandoned: "resume" });
    const id = await insert(gone);
    await next.sweep();
    expect(run).not.toHaveBeenCalled();
    expect((await next.waitForEnd(id, 0)).status).toBe("running");
  });

  test("is taken over once the lease is over, by one node", async () => {
    const [gone, one, other] = [newRunner(), newRunner(), newRunner()];
    const run = vi.fn(async (_job: OperationJob) => ({}));
    for (const runner of [one, other]) runner.register("deploy", { run, whenAbandoned: "resume" });
    const id = await insert(gone);
    await loseLease(id);
    await Promise.all([one.sweep(), other.sweep()]);
    expect((await one.waitForEnd(id, 60_000)).status).toBe("done");
    expect(run).toHaveBeenCalledOnce();
    // Nobody had begun to work on it.
    expect(run.mock.calls[0]?.[0]).toMatchObject({ takeOvers: 0 });
  });

  test("knows how often it was taken over from a process that had worked on it", async () => {
    const [killed, stopped, last] = [newRunner(), newRunner(), newRunner()];
    const held = heldWork();
    for (const runner of [killed, stopped, last]) runner.register("deploy", held.work);
    const id = await insert(killed);
    killed.wake(id);
    await vi.waitFor(() => expect(held.jobs).toHaveLength(1));
    await loseLease(id);
    await stopped.sweep();
    await vi.waitFor(() => expect(held.jobs).toHaveLength(2));
    await stopped.close();
    await last.sweep();
    await vi.waitFor(() => expect(held.jobs).toHaveLength(3));
    expect(held.jobs.map(({ takeOvers }) => takeOvers)).toEqual([0, 1, 2]);
  });

  test("is taken over at once by a node that is alone", async () => {
    const [gone, next] = [newRunner(), newRunner()];
    next.register("deploy", { run: async () => ({}), whenAbandoned: "resume" });
    const id = await insert(gone);
    await next.sweep("alone");
    expect((await next.waitForEnd(id, 60_000)).status).toBe("done");
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
        await db()
          .database.transaction()
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
      const { rows } = await db().pool.query("select worker from operations");
      expect(rows[0].worker).not.toBeNull();
    });
    await loseLease(id);
    await next.sweep();
    run();
    await vi.waitFor(() => expect(failure).toMatchObject({ name: "LeaseLostError" }));
    const { rows } = await db().pool.query("select shop_name from installation");
    expect(rows[0].shop_name).toBeNull();
    expect((await next.waitForEnd(id, 0)).status).toBe("failed");
  });
});
