import { describe, expect, it, vi } from "vitest";
import { openFreshDatabase } from "../testing/fresh-database.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { createLeaseLock, createWebLock, type TabLocks } from "./exclusive-lock.ts";

describe("one tab at a time", () => {
  it("S8: a Web Lock held by a suspended tab is taken after a minute", async () => {
    const clock = createManualClock();
    const asked: string[] = [];
    const locks: TabLocks = {
      request: (_name, options, work) => {
        asked.push(options.steal === true ? "steal" : "wait");
        if (options.steal === true) return work();
        return new Promise((_resolve, reject) => {
          options.signal?.addEventListener("abort", () => reject(options.signal?.reason));
        });
      },
    };
    const held = createWebLock(locks, clock).hold(async () => "in");
    clock.advance(59_000);
    expect(asked).toEqual(["wait"]);
    clock.advance(1_000);
    expect(await held).toBe("in");
    expect(asked).toEqual(["wait", "steal"]);
  });

  it("S8: the lease admits one tab, and the next when it is released", async () => {
    const database = await openFreshDatabase();
    const clock = createManualClock();
    const lockOf = (owner: string) => createLeaseLock({ database, clock, timers: clock, owner });
    const order: string[] = [];
    let release = () => {};
    const first = lockOf("one").hold(
      () =>
        new Promise<void>((resolve) => {
          order.push("one in");
          release = resolve;
        }),
    );
    await vi.waitFor(() => expect(order).toEqual(["one in"]));
    const second = lockOf("two").hold(async () => void order.push("two in"));
    await vi.waitFor(() => expect(clock.nextIn()).toBe(1_000));
    expect(order).toEqual(["one in"]);
    release();
    await first;
    clock.advance(1_000);
    await second;
    expect(order).toEqual(["one in", "two in"]);
  });

  it("S8: the lease of a crashed tab expires", async () => {
    const database = await openFreshDatabase();
    const clock = createManualClock();
    const until = clock.now() + 900;
    await database.put("settings", { key: "syncLease", value: { owner: "crashed", until }, updatedAt: "" });
    const lock = createLeaseLock({ database, clock, timers: clock, owner: "alive" });
    const held = lock.hold(async () => "in");
    await vi.waitFor(() => expect(clock.nextIn()).toBe(1_000));
    clock.advance(1_000);
    expect(await held).toBe("in");
  });
});
