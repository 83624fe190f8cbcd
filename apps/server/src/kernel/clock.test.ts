import { expect, test } from "vitest";
import { systemClock } from "./clock.ts";

test("a sleep that is called off rejects with the caller's reason, before or during it", async () => {
  const caller = new AbortController();
  const sleeping = systemClock.sleep(60_000, caller.signal);
  caller.abort(new Error("the shop closes"));
  await expect(sleeping).rejects.toThrow("the shop closes");
  await expect(systemClock.sleep(60_000, caller.signal)).rejects.toThrow("the shop closes");
});
