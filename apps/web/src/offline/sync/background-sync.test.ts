import { describe, expect, it, vi } from "vitest";
import { createOutboxBus } from "../outbox/events.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { startBackgroundSync } from "./background-sync.ts";

describe("background sync", () => {
  function openPage(sync: unknown, visibilityState: DocumentVisibilityState) {
    const bus = createOutboxBus(null);
    const clock = createManualClock();
    const page = Object.assign(new EventTarget(), { visibilityState });
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
      async isHidden() {
        page.visibilityState = "hidden";
        page.dispatchEvent(new Event("visibilitychange"));
        await turn();
      },
    };
  }

  it("S19: is requested while the page is hidden and sending stops for lack of an answer, and for no other reason", async () => {
    const register = vi.fn(async () => {});
    const page = openPage({ register }, "hidden");
    await page.sends("busy");
    await page.sends(null);
    expect(register).not.toHaveBeenCalled();
    await page.sends("no_answer");
    expect(register).toHaveBeenCalledWith("stocktake-outbox");
    page.stop();
  });

  it("S19: is not requested while visible, but when a page whose queue has stopped is hidden", async () => {
    const register = vi.fn(async () => {});
    const page = openPage({ register }, "visible");
    await page.sends("no_answer");
    await page.sends("no_answer");
    expect(register).not.toHaveBeenCalled();
    await page.isHidden();
    expect(register).toHaveBeenCalledTimes(1);
    page.stop();
  });

  it("S19: is not requested again within five minutes, however often sending fails", async () => {
    const register = vi.fn(async () => {});
    const page = openPage({ register }, "hidden");
    for (let failures = 0; failures < 20; failures += 1) await page.sends("no_answer");
    expect(register).toHaveBeenCalledTimes(1);
    page.clock.advance(5 * 60_000);
    await page.sends("no_answer");
    expect(register).toHaveBeenCalledTimes(2);
    page.stop();
  });

  it("S19: a browser that lacks it or does not grant it works without it", async () => {
    const report = vi.fn();
    vi.stubGlobal("reportError", report);
    await openPage(undefined, "hidden").sends("no_answer");
    const register = vi.fn(() => Promise.reject(new Error("NotAllowedError")));
    await openPage({ register }, "hidden").sends("no_answer");
    expect(register).toHaveBeenCalledTimes(1);
    expect(report).not.toHaveBeenCalled();
  });
});
