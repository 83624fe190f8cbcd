import { describe, expect, it, vi } from "vitest";
import { outboxWakeUp } from "../service-worker/messages.ts";
import { startBackgroundSync } from "./background-sync.ts";
import { createConnectivity } from "./connectivity.ts";
import { createLeaseLock, createWebLock, type TabLocks } from "./exclusive-lock.ts";
import { createOutboxBus } from "./outbox-events.ts";
import { createOutboxReader } from "./outbox-read.ts";
import { exportQueue } from "./queue-export.ts";
import { createQueueMonitor } from "./queue-monitor.ts";
import { createServerPort } from "./server-port.ts";
import { startSyncTriggers } from "./sync-triggers.ts";
import { createEngineHarness } from "./testing/engine-harness.ts";
import { openFreshDatabase } from "./testing/fresh-database.ts";
import { createManualClock, createSeededRandomness } from "./testing/manual-clock.ts";

const random = createSeededRandomness();

describe("connectivity", () => {
  it("S19: is what the last request showed", () => {
    const connectivity = createConnectivity({ timers: createManualClock(), random, ask: async () => true });
    const changes: boolean[] = [];
    connectivity.subscribe((online) => changes.push(online));
    connectivity.report(true);
    connectivity.report(false);
    connectivity.report(false);
    connectivity.report(true);
    expect(changes).toEqual([false, true]);
  });

  it("S19: while offline the server is asked again and again, until it answers", async () => {
    const clock = createManualClock();
    const answers = [false, true];
    const connectivity = createConnectivity({
      timers: clock,
      random,
      ask: async () => answers.shift() ?? true,
    });
    connectivity.report(false);
    clock.advance(6_000);
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    expect(connectivity.isOnline()).toBe(false);
    clock.advance(6_000);
    await vi.waitFor(() => expect(connectivity.isOnline()).toBe(true));
  });

  it("S19: hints that follow upon one another while the server is away ask it once a second", async () => {
    const clock = createManualClock();
    const askedAt: number[] = [];
    const began = clock.now();
    const ask = async () => {
      askedAt.push(clock.now() - began);
      return false;
    };
    const connectivity = createConnectivity({ timers: clock, random, ask });
    // As an event does that the failure itself brings about: each failure is the next hint.
    const hint = (): void => void connectivity.probe().then(hint);
    hint();
    for (let second = 1; second <= 3; second += 1) {
      await vi.waitFor(() => expect(askedAt).toHaveLength(second));
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1_000);
    }
    await vi.waitFor(() => expect(askedAt).toEqual([0, 1_000, 2_000, 3_000]));
    connectivity.stop();
  });

  it("S19: a hint during a question that fails is followed by another one", async () => {
    const clock = createManualClock();
    const answers = [false, true];
    const connectivity = createConnectivity({
      timers: clock,
      random,
      ask: async () => {
        if (answers.length === 2) void connectivity.probe();
        return answers.shift() ?? true;
      },
    });
    const asked = connectivity.probe();
    await vi.waitFor(() => expect(connectivity.isOnline()).toBe(false));
    clock.advance(1_000);
    expect(await asked).toBe(true);
    connectivity.stop();
  });
});

describe("one tab at a time", () => {
  it("S8: a Web Lock that a sleeping tab holds is taken from it after a minute", async () => {
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

  it("S8: the lease lets one tab in and the next when it is given back", async () => {
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

  it("S8: the lease of a tab that died runs out", async () => {
    const database = await openFreshDatabase();
    const clock = createManualClock();
    const until = clock.now() + 900;
    await database.put("settings", { key: "syncLease", value: { owner: "dead", until }, updatedAt: "" });
    const lock = createLeaseLock({ database, clock, timers: clock, owner: "alive" });
    const held = lock.hold(async () => "in");
    await vi.waitFor(() => expect(clock.nextIn()).toBe(1_000));
    clock.advance(1_000);
    expect(await held).toBe("in");
  });
});

describe("the server port", () => {
  const options = (fetch: typeof globalThis.fetch) => ({
    ...{
      fetch,
      clock: createManualClock(),
      onSample: vi.fn(),
      onAnswered: vi.fn(),
      onUnauthenticated: vi.fn(),
    },
  });
  const call = { method: "POST", path: "/api/scan", body: { input: "x" } } as const;

  it("S11: a request that fails is no answer, and shows that the server is away", async () => {
    const given = options(async () => {
      throw new TypeError("Failed to fetch");
    });
    expect(await createServerPort(given)(call)).toEqual({ kind: "no_answer" });
    expect(given.onAnswered).toHaveBeenCalledWith(false);
  });

  it("S5, S11: an answer gives its clock, its Retry-After and its body", async () => {
    const headers = { Date: "Sun, 01 Mar 2026 08:00:05 GMT", "Retry-After": "3" };
    const body = { error: "Busy.", code: "OVERLOADED" };
    const given = options(async () => Response.json(body, { status: 503, headers }));
    const incoming = await createServerPort(given)(call);
    expect(incoming).toEqual({ kind: "answer", status: 503, body, retryAfterMs: 3_000 });
    expect(given.onSample).toHaveBeenCalledWith(
      expect.objectContaining({ serverDate: Date.parse("2026-03-01T08:00:05Z") }),
    );
    expect(given.onAnswered).toHaveBeenCalledWith(true);
  });

  it("S12: a page of something in between has no body here, and shows that the server is away", async () => {
    const given = options(async () => new Response("<html>", { status: 200 }));
    expect(await createServerPort(given)(call)).toMatchObject({ kind: "answer", body: null });
    expect(given.onAnswered).toHaveBeenCalledWith(false);
  });

  it("S18: a 401 ends the login in the page", async () => {
    const given = options(async () =>
      Response.json({ error: "Please sign in.", code: "UNAUTHENTICATED" }, { status: 401 }),
    );
    await createServerPort(given)(call);
    expect(given.onUnauthenticated).toHaveBeenCalledOnce();
  });
});

describe("what starts the engine", () => {
  function start(isAnswered: boolean) {
    const engine = { retryNow: vi.fn(), wake: vi.fn() };
    const connectivity = { probe: vi.fn(async () => isAnswered), subscribe: vi.fn(() => () => {}) };
    const workers = new EventTarget();
    const stop = startSyncTriggers({ engine, connectivity, window, document, workers });
    return { engine, connectivity, workers, stop };
  }

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it("S19: the online event, focus and coming into sight do, where the server answers; going offline only makes it ask", async () => {
    const { engine, connectivity, stop } = start(true);
    window.dispatchEvent(new Event("offline"));
    await turn();
    expect(engine.retryNow).not.toHaveBeenCalled();
    expect(connectivity.probe).toHaveBeenCalledTimes(1);
    window.dispatchEvent(new Event("online"));
    window.dispatchEvent(new Event("focus"));
    document.dispatchEvent(new Event("visibilitychange"));
    await turn();
    expect(engine.retryNow).toHaveBeenCalledTimes(3);
    stop();
    window.dispatchEvent(new Event("online"));
    await turn();
    expect(engine.retryNow).toHaveBeenCalledTimes(3);
  });

  it("S19: the service worker does, when the browser wakes it for the outbox", async () => {
    const { engine, workers, stop } = start(true);
    workers.dispatchEvent(new MessageEvent("message", { data: { type: "something_else" } }));
    await turn();
    expect(engine.retryNow).not.toHaveBeenCalled();
    workers.dispatchEvent(new MessageEvent("message", { data: outboxWakeUp }));
    await turn();
    expect(engine.retryNow).toHaveBeenCalledTimes(1);
    stop();
  });

  it("S19: no event of the browser cuts the wait after a failure short while the server is away", async () => {
    const { engine, connectivity, workers, stop } = start(false);
    window.dispatchEvent(new Event("online"));
    window.dispatchEvent(new Event("focus"));
    document.dispatchEvent(new Event("visibilitychange"));
    workers.dispatchEvent(new MessageEvent("message", { data: outboxWakeUp }));
    await turn();
    expect(connectivity.probe).toHaveBeenCalledTimes(4);
    expect(engine.retryNow).not.toHaveBeenCalled();
    stop();
  });
});

describe("background sync", () => {
  function openPage(sync: unknown, sight: DocumentVisibilityState) {
    const bus = createOutboxBus(null);
    const clock = createManualClock();
    const page = Object.assign(new EventTarget(), { visibilityState: sight });
    const stop = startBackgroundSync({
      bus,
      clock,
      document: page,
      workers: { ready: Promise.resolve({ sync }) },
    });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    return {
      clock,
      stop,
      async sends(reason: "no_answer" | "busy" | null) {
        bus.publish(reason === null ? { type: "drained" } : { type: "stopped", reason });
        await turn();
      },
      async isPutAway() {
        page.visibilityState = "hidden";
        page.dispatchEvent(new Event("visibilitychange"));
        await turn();
      },
    };
  }

  it("S19: is asked for out of sight, when sending stops because nobody answers, and for no other reason", async () => {
    const register = vi.fn(async () => {});
    const page = openPage({ register }, "hidden");
    await page.sends("busy");
    await page.sends(null);
    expect(register).not.toHaveBeenCalled();
    await page.sends("no_answer");
    expect(register).toHaveBeenCalledWith("stocktake-outbox");
    page.stop();
  });

  it("S19: is not asked for in sight, but when a page whose queue stands still is put away", async () => {
    const register = vi.fn(async () => {});
    const page = openPage({ register }, "visible");
    await page.sends("no_answer");
    await page.sends("no_answer");
    expect(register).not.toHaveBeenCalled();
    await page.isPutAway();
    expect(register).toHaveBeenCalledTimes(1);
    page.stop();
  });

  it("S19: is not asked for again within five minutes, however often sending fails", async () => {
    const register = vi.fn(async () => {});
    const page = openPage({ register }, "hidden");
    for (let failures = 0; failures < 20; failures += 1) await page.sends("no_answer");
    expect(register).toHaveBeenCalledTimes(1);
    page.clock.advance(5 * 60_000);
    await page.sends("no_answer");
    expect(register).toHaveBeenCalledTimes(2);
    page.stop();
  });

  it("S19: a browser that has none, or does not grant it, goes on without", async () => {
    const report = vi.fn();
    vi.stubGlobal("reportError", report);
    await openPage(undefined, "hidden").sends("no_answer");
    const register = vi.fn(() => Promise.reject(new Error("NotAllowedError")));
    await openPage({ register }, "hidden").sends("no_answer");
    expect(register).toHaveBeenCalledTimes(1);
    expect(report).not.toHaveBeenCalled();
  });
});

describe("the queue as the page sees it", () => {
  it("S20: pending is what the server has not acknowledged; what it refused is told apart", async () => {
    const harness = await createEngineHarness();
    const bus = createOutboxBus(null);
    await harness.scan("one");
    const monitor = await createQueueMonitor(bus, createOutboxReader(harness.database), 0);
    expect(monitor.state().pending).toBe(1);
    const scan = await harness.scan("two");
    bus.publish({ type: "scan_added", scan });
    expect(monitor.state().pending).toBe(2);
    const refusal = { httpStatus: 400, code: "VALIDATION", error: "No." };
    bus.publish({ type: "scans_settled", scans: [{ ...scan, refusal }] });
    expect(monitor.state()).toEqual({ pending: 1, setAside: 1, stopped: null });
    bus.publish({ type: "stopped", reason: "no_answer" });
    expect(monitor.state().stopped).toBe("no_answer");
  });

  it("S21: the queue can be saved as a file with every row that the server does not hold", async () => {
    const harness = await createEngineHarness();
    await harness.scan("sent");
    await harness.run();
    await harness.scan("unsent");
    const file = await exportQueue(harness.database, "device-1", harness.clock.now());
    expect(file.name).toBe("stocktake-queue-2026-03-01T08-00-00.json");
    expect(file.text).toContain('"unsent"');
    expect(JSON.parse(file.text).unsent.scans).toHaveLength(1);
    expect(JSON.parse(file.text).unsent.scans[0]).toMatchObject({ input: "unsent" });
  });
});
