import { describe, expect, it, vi } from "vitest";
import { areaOne, createEngineHarness } from "../testing/engine-harness.ts";
import { createWebLock, type TabLocks } from "./exclusive-lock.ts";

describe("the pending count at the server", () => {
  it("S10: a last scan whose batch was lost is sent as a batch again, because the server still has the earlier count", async () => {
    const harness = await createEngineHarness();
    for (let number = 0; number < 501; number += 1) await harness.scan(`code-${number}`);
    const faults = [null, { kind: "request_lost" } as const];
    harness.server.chance = () => faults.shift() ?? null;
    await harness.run();
    harness.engine.retryNow();
    await harness.engine.settled();
    const pending = harness.server.calls.map(({ path, body }) => [path, Object(body).pending]);
    expect(pending).toEqual([
      ["/api/scan/batch", 1],
      ["/api/scan/batch", 0],
      ["/api/scan/batch", 0],
    ]);
  });

  it("S10: where the last batch was refused as a whole, a call of its own tells that nothing remains", async () => {
    const harness = await createEngineHarness();
    for (let number = 0; number < 501; number += 1) await harness.scan(`code-${number}`);
    const body = { error: "The request is too large.", code: "PAYLOAD_TOO_LARGE" };
    const faults = [null, { kind: "answers", status: 413, body } as const];
    harness.server.chance = () => faults.shift() ?? null;
    await harness.run();
    await harness.scan("next");
    await harness.run();
    const paths = ["/api/scan/batch", "/api/scan/batch", "/api/scan", "/api/device-queue", "/api/scan"];
    expect(harness.server.calls.map(({ path }) => path)).toEqual(paths);
    expect(harness.server.total("A1")).toBe(502);
  });
});

describe("a queue that goes wrong", () => {
  it("S17: where the list of sessions is refused, the queue waits instead of asking again at once", async () => {
    const harness = await createEngineHarness();
    await harness.scan("theirs", { ...areaOne, sessionId: "session-2" });
    const body = { error: "Not for you.", code: "FORBIDDEN" };
    const faults = [null, { kind: "answers", status: 403, body } as const];
    harness.server.chance = () => faults.shift() ?? null;
    await harness.run();
    expect(harness.server.calls.map(({ path }) => path)).toEqual(["/api/scan", "/api/session"]);
    expect(harness.events.at(-1)).toMatchObject({ type: "stopped" });
    expect(harness.clock.nextIn()).not.toBeNull();
  });

  it("S11: a page that throws on an event neither loses a row nor stops the engine", async () => {
    const report = vi.fn();
    vi.stubGlobal("reportError", report);
    const harness = await createEngineHarness();
    const received: string[] = [];
    harness.bus.subscribe(({ type }) => {
      throw new Error(`The page throws on ${type}.`);
    });
    harness.bus.subscribe(({ type }) => void received.push(type));
    await harness.scan("one");
    harness.server.faults.push({ kind: "request_lost" });
    await harness.run();
    harness.clock.advance(1_000);
    await harness.engine.settled();
    expect(harness.server.inputs()).toEqual(["one"]);
    expect(received).toContain("drained");
    expect(report).toHaveBeenCalled();
  });
});

/** Browser locks, as far as stealing is concerned. */
class StealableLocks implements TabLocks {
  private giveUp: (() => void) | null = null;

  request<Result>(_name: string, options: LockOptions, work: () => Promise<Result>): Promise<Result> {
    if (this.giveUp !== null && options.steal !== true) return new Promise(() => {});
    this.giveUp?.();
    return new Promise((resolve, reject) => {
      this.giveUp = () => reject(new DOMException("Stolen.", "AbortError"));
      work()
        .finally(() => {
          this.giveUp = null;
        })
        .then(resolve, reject);
    });
  }
}

it("S8: a tab that has lost its lock ends its run instead of sending beside the other one", async () => {
  vi.stubGlobal("reportError", vi.fn());
  const locks = new StealableLocks();
  const harness = await createEngineHarness(1, (clock) => createWebLock(locks, clock));
  for (let number = 0; number < 1_200; number += 1) await harness.scan(`code-${number}`);
  // Another tab takes the lock while this one's first batch is in flight.
  let isTaken = false;
  harness.server.chance = () => {
    if (!isTaken) void locks.request("stocktake-sync", { steal: true }, () => new Promise(() => {}));
    isTaken = true;
    return null;
  };
  await harness.run();
  await vi.waitFor(async () => expect(await harness.unsettledInputs()).toHaveLength(700));
  // The next batch would be read before these are.
  for (let reads = 0; reads < 5; reads += 1) await harness.unsettledInputs();
  expect(harness.server.calls).toHaveLength(1);
});
