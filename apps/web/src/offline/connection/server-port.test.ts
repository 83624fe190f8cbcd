import { describe, expect, it, vi } from "vitest";
import { createManualClock, createSeededRandomness } from "../testing/manual-clock.ts";
import { createConnectivity } from "./connectivity.ts";
import { createServerPort } from "./server-port.ts";

async function retryAfterOf(value: string): Promise<number | null> {
  const send = createServerPort({
    fetch: async () => Response.json({}, { status: 503, headers: { "Retry-After": value } }),
    clock: createManualClock(),
    ...{ onSample: vi.fn(), onRequest: () => vi.fn(), onUnauthenticated: vi.fn() },
  });
  const incoming = await send({ method: "GET", path: "/api/health" });
  return incoming.kind === "answer" ? incoming.retryAfterMs : null;
}

// A browser timer of more than 2³¹ − 1 ms fires at once: the longest wait would become none at all.
it.each(["99999999999", "Fri, 01 Jan 2100 00:00:00 GMT"])(
  "S11: an unreasonable Retry-After, %s, counts as an hour",
  async (value) => {
    expect(await retryAfterOf(value)).toBe(60 * 60 * 1000);
  },
);

it.each([
  ["the header of any response", { "X-Stocktake-Epoch": "life-2" }, {}],
  ["the body of the health", {}, { epoch: "life-2" }],
])("S30: the server's epoch is read from %s", async (_where, headers, body) => {
  const send = createServerPort({
    fetch: async () => Response.json(body, { headers }),
    clock: createManualClock(),
    ...{ onSample: vi.fn(), onRequest: () => vi.fn(), onUnauthenticated: vi.fn() },
  });
  expect(await send({ method: "GET", path: "/api/health" })).toMatchObject({ epoch: "life-2" });
});

const hasNetwork = () => true;

it("S19: a request that ends after the device was closed schedules no further probe", async () => {
  const clock = createManualClock();
  const ask = vi.fn(async () => true);
  const connectivity = createConnectivity({
    timers: clock,
    random: createSeededRandomness(),
    hasNetwork,
    ask,
  });
  connectivity.stop();
  connectivity.report(false);
  clock.advance(60_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ask).not.toHaveBeenCalled();
  expect(clock.nextIn()).toBeNull();
});

it("S19: the server is probed 30 s after the last request while it responds, whichever request that was", async () => {
  const clock = createManualClock();
  const ask = vi.fn(async () => true);
  const random = { ...createSeededRandomness(), fraction: () => 0.5 };
  const connectivity = createConnectivity({ timers: clock, random, hasNetwork, ask });
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

describe("the server port", () => {
  const options = (fetch: typeof globalThis.fetch) => {
    const onResult = vi.fn();
    return {
      ...{ fetch, onResult, clock: createManualClock(), onSample: vi.fn(), onUnauthenticated: vi.fn() },
      onRequest: () => onResult,
    };
  };
  const call = { method: "POST", path: "/api/scan", body: { input: "x" } } as const;

  it("S11: a failed request is no answer, and marks the server as unreachable", async () => {
    const given = options(async () => {
      throw new TypeError("Failed to fetch");
    });
    expect(await createServerPort(given)(call)).toEqual({ kind: "no_answer" });
    expect(given.onResult).toHaveBeenCalledWith(false);
  });

  it("S5, S11: a response yields its clock, its Retry-After and its body", async () => {
    const headers = { Date: "Sun, 01 Mar 2026 08:00:05 GMT", "Retry-After": "3" };
    const body = { error: "Busy.", code: "OVERLOADED" };
    const given = options(async () => Response.json(body, { status: 503, headers }));
    const incoming = await createServerPort(given)(call);
    expect(incoming).toEqual({ kind: "answer", status: 503, body, retryAfterMs: 3_000, epoch: null });
    expect(given.onSample).toHaveBeenCalledWith(
      expect.objectContaining({ serverDate: Date.parse("2026-03-01T08:00:05Z") }),
    );
    expect(given.onResult).toHaveBeenCalledWith(true);
  });

  it("S12: a proxy's page yields no body, and marks the server as unreachable", async () => {
    const given = options(async () => new Response("<html>", { status: 200 }));
    expect(await createServerPort(given)(call)).toMatchObject({ kind: "answer", body: null });
    expect(given.onResult).toHaveBeenCalledWith(false);
  });

  it("S18: a 401 ends the login in the page", async () => {
    const given = options(async () =>
      Response.json({ error: "Please sign in.", code: "UNAUTHENTICATED" }, { status: 401 }),
    );
    await createServerPort(given)(call);
    expect(given.onUnauthenticated).toHaveBeenCalledOnce();
  });
});
