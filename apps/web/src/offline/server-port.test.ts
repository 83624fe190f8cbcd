import { expect, it, vi } from "vitest";
import { createConnectivity } from "./connectivity.ts";
import { createServerPort } from "./server-port.ts";
import { createManualClock, createSeededRandomness } from "./testing/manual-clock.ts";

async function retryAfterOf(value: string): Promise<number | null> {
  const send = createServerPort({
    fetch: async () => Response.json({}, { status: 503, headers: { "Retry-After": value } }),
    clock: createManualClock(),
    ...{ onSample: vi.fn(), onAnswered: vi.fn(), onUnauthenticated: vi.fn() },
  });
  const incoming = await send({ method: "GET", path: "/api/health" });
  return incoming.kind === "answer" ? incoming.retryAfterMs : null;
}

// A browser's timer of more than 2³¹ − 1 ms ends at once: the longest wait would become none at all.
it.each(["99999999999", "Fri, 01 Jan 2100 00:00:00 GMT"])(
  "S11: a Retry-After beyond all reason, %s, is an hour",
  async (value) => {
    expect(await retryAfterOf(value)).toBe(60 * 60 * 1000);
  },
);

it("S19: a request that ends after the device was closed has the server asked no more", async () => {
  const clock = createManualClock();
  const ask = vi.fn(async () => true);
  const connectivity = createConnectivity({ timers: clock, random: createSeededRandomness(), ask });
  connectivity.stop();
  connectivity.report(false);
  clock.advance(60_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ask).not.toHaveBeenCalled();
  expect(clock.nextIn()).toBeNull();
});

it("S19: the server is asked 30 s after the last request while it answers, whichever request that was", async () => {
  const clock = createManualClock();
  const ask = vi.fn(async () => true);
  const random = { ...createSeededRandomness(), fraction: () => 0.5 };
  const connectivity = createConnectivity({ timers: clock, random, ask });
  connectivity.report(true);
  clock.advance(20_000);
  connectivity.report(true);
  clock.advance(29_999);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ask).not.toHaveBeenCalled();
  clock.advance(1);
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(1));
  connectivity.stop();
});
