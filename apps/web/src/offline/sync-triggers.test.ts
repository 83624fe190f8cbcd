import { afterEach, expect, it, vi } from "vitest";
import { askForPersistence } from "./statistics.ts";
import { startSyncTriggers } from "./sync-triggers.ts";

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
  return { engine, answer: (online: boolean) => listeners.map((tell) => tell(online)), stop };
}

it("S19: each minute the engine is woken, until the page is gone", () => {
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

it("S19: an answer after none starts it, the loss of the server does not", () => {
  const { engine, answer, stop } = start();
  answer(false);
  expect(engine.retryNow).not.toHaveBeenCalled();
  answer(true);
  expect(engine.retryNow).toHaveBeenCalledTimes(1);
  stop();
});

it("S28: the browser is asked to keep this site's storage, where it can be asked", async () => {
  const persist = vi.fn(async () => true);
  vi.stubGlobal("navigator", { storage: { persist } });
  expect(await askForPersistence()).toBe(true);
  vi.stubGlobal("navigator", {});
  expect(await askForPersistence()).toBe(false);
  expect(persist).toHaveBeenCalledTimes(1);
});
