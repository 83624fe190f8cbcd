import { randomUUID } from "node:crypto";
import { setImmediate as letOthersGoOn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { ApiError } from "../kernel/api-error.ts";
import { PlatformUnavailableError } from "../shopify/errors.ts";
import { createHeldClock } from "../testing/held-clock.ts";
import { countWaiting } from "../testing/waiting-transactions.ts";
import type { OperationJob, OperationRunner } from "./operation-runner.ts";
import { LeasedRows } from "./queries.ts";
import { heldWork, useNodes } from "./testing.ts";

const { newRunner, insert, loseLease, db } = useNodes();

describe("an operation", () => {
  test("is done when its work is, with what it was given", async () => {
    const runner = newRunner();
    const run = vi.fn(async (_job: OperationJob) => ({}));
    runner.register("deploy", { run, whenAbandoned: "resume" });
    const id = await insert(runner, { input: { zeroUncounted: true } });
    runner.wake(id);
    expect(await runner.waitForEnd(id, 60_000)).toMatchObject({ _id: id, status: "done", error: null });
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
      /Shopify did not respond/,
    ],
    [new Error("select * from users"), "INTERNAL", /^Something went wrong on the server/],
  ])("that fails says why in the closed set: %s", async (error, code, sentence) => {
    const runner = newRunner();
    runner.register("deploy", { run: () => Promise.reject(error), whenAbandoned: "resume" });
    const id = await insert(runner);
    runner.wake(id);
    const operation = await runner.waitForEnd(id, 60_000);
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
    await one.waitForEnd(id, 60_000);
    expect(run).toHaveBeenCalledOnce();
  });

  test("returns the operation as it is once the caller has waited long enough", async () => {
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
      const { rows } = await db().pool.query("select lease_until > now() as held from operations");
      expect(rows[0].held).toBe(true);
    });
  });
});

describe("work that has recorded its end", () => {
  const leaseMs = 30_000;

  /** Work that records its end in a transaction that the test ends, and then goes on for as long as the test lets it. */
  async function recordingWork() {
    const clock = createHeldClock();
    const runner = newRunner({ clock, leaseMs });
    const renew = vi.spyOn(LeasedRows.prototype, "renew");
    const { work, jobs, begun, finish } = heldWork();
    runner.register("end", work);
    const id = await insert(runner, { kind: "end" });
    runner.wake(id);
    await begun();
    await clock.untilAsleep(leaseMs / 3);
    const transaction = await db().database.startTransaction().execute();
    await jobs[0]?.complete(transaction, {});
    clock.pass(leaseMs / 3);
    await expect.poll(() => countWaiting(db().database)).toBe(1);
    const renewed = async () => {
      const answers = renew.mock.results.map(({ value }) => value);
      renew.mockRestore();
      return Promise.all(answers);
    };
    return { transaction, renewed, clock, runner, id, finish, signal: jobs[0]?.signal };
  }

  test("has no lease to lose: what follows it is not cut off", async () => {
    const { transaction, renewed, runner, id, finish, signal } = await recordingWork();
    await transaction.commit().execute();
    expect(await renewed()).toEqual([undefined]);
    await letOthersGoOn();
    expect(signal?.aborted).toBe(false);
    finish();
    expect((await runner.waitForEnd(id, 60_000)).status).toBe("done");
  });

  test("keeps its lease where that is rolled back", async () => {
    const { transaction, renewed, clock, id, signal } = await recordingWork();
    await transaction.rollback().execute();
    expect(await renewed()).toEqual([{ cancelled: false }]);
    await clock.untilAsleep(leaseMs / 3);
    await loseLease(id);
    clock.pass(leaseMs / 3);
    await vi.waitFor(async () => {
      const { rows } = await db().pool.query("select lease_until > now() as held from operations");
      expect(rows[0].held).toBe(true);
    });
    expect(signal?.aborted).toBe(false);
  });
});

describe("an operation that is to stop", () => {
  const ask = (runner: OperationRunner, id: string) =>
    db()
      .database.transaction()
      .execute(async (transaction) => {
        const { id: userId } = await transaction
          .insertInto("users")
          .values({ username: randomUUID(), role: "counter", passwordHash: "none", invitationId: null })
          .returning("id")
          .executeTakeFirstOrThrow();
        return runner.requestCancel(transaction, id, userId);
      });

  test("is told so at once where it runs, and on another node when that renews its lease", async () => {
    const clock = createHeldClock();
    const [here, other] = [newRunner({ clock, leaseMs: 30_000 }), newRunner()];
    const { work, jobs, begun } = heldWork();
    here.register("deploy", work);
    const id = await insert(here);
    here.wake(id);
    await begun();
    await clock.untilAsleep(10_000);
    expect(await ask(other, id)).toBe(true);
    expect(await ask(here, id)).toBe(false);
    expect(jobs[0]?.cancelled.aborted).toBe(false);
    clock.pass(10_000);
    await vi.waitFor(() => expect(jobs[0]?.cancelled.aborted).toBe(true));
    expect(jobs[0]?.signal.aborted).toBe(false);
  });

  test("is told so by the node that takes it over, with the pause that it was left in", async () => {
    const [gone, next] = [newRunner(), newRunner()];
    const first = heldWork();
    gone.register("deploy", first.work);
    const id = await insert(gone);
    gone.wake(id);
    await first.begun();
    const pause = { reason: "throttled", until: new Date(2_000), since: new Date(1_000) } as const;
    await first.jobs[0]?.pause(pause);
    await ask(gone, id);
    await gone.close();
    const second = heldWork();
    next.register("deploy", second.work);
    await next.sweep();
    await second.begun();
    expect(second.jobs[0]).toMatchObject({ leftIn: pause });
    expect(second.jobs[0]?.cancelled.aborted).toBe(true);
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
    await db().pool.query(
      "update operations set worker = gen_random_uuid(), lease_until = now() - interval '1 s'",
    );
    clock.pass(10_000);
    await vi.waitFor(() => expect(jobs[0]?.signal.aborted).toBe(true));
    finish();
    await vi.waitFor(async () => {
      await runner.sweep();
      expect(jobs).toHaveLength(2);
    });
    expect((await runner.waitForEnd(id, 60_000)).status).toBe("done");
  });
});

describe("a node that was paused", () => {
  test("finds that out before an effect that no transaction undoes, however late its timers are", async () => {
    let elapsed = 1_000;
    const runner = newRunner({ clock: createHeldClock(), leaseMs: 12_000, elapsed: () => elapsed });
    const { work, jobs, begun } = heldWork();
    runner.register("deploy", work);
    runner.wake(await insert(runner));
    await begun();
    elapsed += 11_999;
    jobs[0]?.checkLease();
    expect(jobs[0]?.signal.aborted).toBe(false);
    elapsed += 1;
    expect(() => jobs[0]?.checkLease()).toThrow("The lease was not renewed in time.");
    expect(jobs[0]?.signal.aborted).toBe(true);
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
    expect((await next.waitForEnd(id, 60_000)).status).toBe("done");
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
