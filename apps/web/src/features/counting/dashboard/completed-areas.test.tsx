import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { readUnacknowledged, tellLater } from "../opening/unacknowledged-finishes.ts";
import { openCounter } from "../testing/counter-harness.tsx";
import { areaOne } from "../testing/scripted-device.ts";

it("S26: a finish that was left before it was sent is told with a match, once", async () => {
  const harness = await openCounter({ path: "/counter" });
  await screen.findByRole("radio", { name: "Harbour Street" });
  const { areaId, sessionId, storeId, locationId } = areaOne;
  const area = { areaId, sessionId, storeId, locationId, areaCode: "A1", pass: 1 };
  harness.shop.scanning.chance = () => ({ kind: "request_lost" });
  await tellLater(harness.device, await harness.device.operate({ kind: "finish", area, declaredTotal: 0 }));
  await screen.findByText("1 pending");
  expect(screen.queryByText(/complete!/)).toBeNull();
  harness.shop.scanning.chance = () => null;
  harness.device.engine.retryNow();
  await screen.findByText("Area A1 – Area A1 complete!");
  screen.getByText("The total that was declared matched what was scanned there.");
  await waitFor(async () => expect(await readUnacknowledged(harness.device.database)).toEqual([]));
});
