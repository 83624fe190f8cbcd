import type { User } from "@stocktake/contract";
import { onTestFinished } from "vitest";
import { openCountingDevice } from "../../../offline/device/counting-device.ts";
import type { CountingDevice } from "../../../offline/offline.ts";
import { browserPorts, type Timers } from "../../../offline/ports.ts";
import { createProductWriter } from "../../../offline/products/product-writer.ts";
import type { CountingArea } from "../opening/counting-area.ts";
import type { ScriptedShop } from "./scripted-shop.ts";

export const mia: User = {
  ...{ _id: "user-1", username: "Mia", role: "counter", isTemporary: true, invitationId: "invitation-1" },
};

export const areaOne: CountingArea = {
  ...{ storeId: "store-1", locationId: "location-1", areaId: "area-1", sessionId: "session-1", pass: 1 },
  area: { code: "A1", name: "Area A1" },
  store: { name: "Harbour Street" },
  location: { name: "Sales Floor" },
};

/** This device over the scripted shop, with Mia signed in; it sends and clears away nothing more once the test is over. */
export async function openScriptedDevice(shop: ScriptedShop): Promise<CountingDevice> {
  let isOver = false;
  const timers: Timers = {
    after: (milliseconds, work) =>
      browserPorts.timers.after(milliseconds, () => {
        if (!isOver) work();
      }),
  };
  const device = await openCountingDevice({
    ...{ ...browserPorts, timers, fetch: shop.fetch },
    productWriterFor: createProductWriter,
    ...{
      hasNetwork: () => true,
      locks: undefined,
      channel: null,
      onUnauthenticated: () => undefined,
      onLost: () => undefined,
      kept: null,
    },
  });
  // What it would do later belongs to no test: its storage is another's by then.
  onTestFinished(() => {
    isOver = true;
    device.engine.stop();
  });
  device.engine.setLogin(mia._id);
  return device;
}
