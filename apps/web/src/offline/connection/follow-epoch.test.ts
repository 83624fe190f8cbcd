import { expect, it } from "vitest";
import { createOutboxBus } from "../outbox/events.ts";
import type { OutgoingCall, RawResponse } from "../ports.ts";
import { openFreshDatabase } from "../testing/fresh-database.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { followEpoch } from "./follow-epoch.ts";

const finish: OutgoingCall = { method: "POST", path: "/api/area/finish", body: {} };
const answer = { kind: "answer", status: 200, body: null, retryAfterMs: null, epoch: null } as const;

/** What is sent, a minute after the server named this epoch, while such an answer comes to whatever is asked. */
async function sentWhile(response: RawResponse, epoch: string | null): Promise<string[]> {
  const [database, clock, paths] = [await openFreshDatabase(), createManualClock(), [] as string[]];
  let current: RawResponse = { ...answer, body: {}, epoch };
  const ports = { database, clock, bus: createOutboxBus(null) };
  const send = followEpoch(async ({ path }) => {
    paths.push(path);
    return current;
  }, ports);
  await send({ method: "GET", path: "/api/session" });
  clock.advance(60_000);
  paths.length = 0;
  current = response;
  await send(finish);
  return paths;
}

it.each([200, 404])(
  "S30: a proxy's page with status %i lets no row go, as it says nothing of the server behind it",
  async (status) => {
    expect(await sentWhile({ ...answer, status }, "epoch-1")).toEqual(["/api/health"]);
  },
);

it("S30: the server itself does, and so does one of a release before epochs, which names none", async () => {
  const both = ["/api/health", finish.path];
  expect(await sentWhile({ ...answer, body: {}, epoch: "epoch-1" }, "epoch-1")).toEqual(both);
  expect(await sentWhile({ ...answer, body: {} }, null)).toEqual(both);
});
