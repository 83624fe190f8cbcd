import { afterEach, describe, expect, it, vi } from "vitest";
import { outboxWakeUp } from "../../service-worker/messages.ts";
import { askForPersistence } from "../device/statistics.ts";
import { startSyncTriggers } from "./triggers.ts";

afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const engine = { retryNow: vi.fn(), wake: vi.fn() };
  const listeners: ((online: boolean) => void)[] = [];
  const connectivity = {
    probe: vi.fn(async () => true),
    subscribe: (listener: (online: boolean) => void) => {
      listeners.push(listener);
      return () => {};
    },
  };
  const stop = startSyncTriggers({ engine, connectivity, window, document, workers: undefined });
  return { engine, answer: (online: boolean) => listeners.map((listener) => listener(online)), stop };
}

it("S19: the engine is woken every minute until the page is closed", () => {
  vi.useFakeTimers();
  const { engine, stop } = start();
  vi.advanceTimersByTime(59_999);
  expect(engine.wake).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_001);
  expect(engine.wake).toHaveBeenCalledTimes(2);
  stop();
  vi.advanceTimersByTime(600_000);
  expect(engine.wake).toHaveBeenCalledTimes(2);
});

it("S19: it starts when the server is reachable again, not when it is lost", () => {
  const { engine, answer, stop } = start();
  answer(false);
  expect(engine.retryNow).not.toHaveBeenCalled();
  answer(true);
  expect(engine.retryNow).toHaveBeenCalledTimes(1);
  stop();
});

it("S28: the browser is asked for persistent storage, where it supports that", async () => {
  const persist = vi.fn(async () => true);
  vi.stubGlobal("navigator", { storage: { persist } });
  expect(await askForPersistence()).toBe(true);
  vi.stubGlobal("navigator", {});
  expect(await askForPersistence()).toBe(false);
  expect(persist).toHaveBeenCalledTimes(1);
});

describe("what starts the engine", () => {
  function start(isReachable: boolean) {
    const engine = { retryNow: vi.fn(), wake: vi.fn() };
    const connectivity = { probe: vi.fn(async () => isReachable), subscribe: vi.fn(() => () => {}) };
    const workers = new EventTarget();
    const stop = startSyncTriggers({ engine, connectivity, window, document, workers });
    return { engine, connectivity, workers, stop };
  }

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it("S19: the online event, focus and a visible page do, where the server responds; going offline only probes", async () => {
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

  it("S19: no browser event shortens the wait after a failure while the server is unreachable", async () => {
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
