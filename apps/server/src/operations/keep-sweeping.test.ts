import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { createHeldClock } from "../testing/held-clock.ts";
import { keepSweeping } from "./keep-sweeping.ts";

test("what others have left is looked for every three seconds, after a look that failed too, until the server stops", async () => {
  const clock = createHeldClock();
  const sweep = vi.fn(() => Promise.resolve());
  sweep.mockRejectedValueOnce(new Error("The database is away."));
  const stop = keepSweeping({ operations: { sweep }, clock, logger: pino({ level: "silent" }) });
  for (const looks of [1, 2, 3]) {
    await clock.untilAsleep(3_000);
    clock.pass(3_000);
    await vi.waitFor(() => expect(sweep).toHaveBeenCalledTimes(looks));
  }
  await clock.untilAsleep(3_000);
  await stop();
  expect(sweep).toHaveBeenCalledTimes(3);
});
