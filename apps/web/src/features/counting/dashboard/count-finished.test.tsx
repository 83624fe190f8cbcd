import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { clearDevice } from "../../../offline/testing/fresh-database.ts";
import { countedArea } from "../opening/counting-area.ts";
import { openCounter, openStation } from "../testing/counter-harness.tsx";
import { allSent, scannerInEachTest, shirt } from "../testing/scanning-hand.ts";
import { areaOne, mia, openScriptedDevice } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";
import { finishedMessages } from "./finished-messages.ts";

const hand = scannerInEachTest();

describe("the figure at the end of a count", () => {
  it.each([
    [
      "somebody else has used the phone too",
      [mia._id, "user-2"],
      "2 items were scanned in 1 area on this device.",
    ],
    [
      "only somebody else has, or the person by an earlier invitation",
      ["user-2"],
      "1 item was scanned in 1 area on this device.",
    ],
    ["nobody has", [], "Nothing was scanned on this device."],
  ])("counts what the device scanned, whoever it was: %s", async (_case, people, told) => {
    const shop = new ScriptedShop();
    Object.assign(shop, { hasSession: false, isOver: true });
    vi.stubGlobal("fetch", shop.fetch);
    clearDevice();
    const device = await openScriptedDevice(shop);
    for (const scannedById of people)
      await device.scan({
        ...{ area: countedArea(areaOne, 1), input: shirt, inputType: "barcode", method: "scan", scannedById },
        ...{ localOutcome: "counted", sku: "SHIRT-M", productTitle: "Linen Shirt", size: "M" },
      });
    await openCounter({ path: "/counter", shop, device });
    await screen.findByText(told);
  });

  it("has nobody wait for what another login has to send", async () => {
    const shop = new ScriptedShop();
    Object.assign(shop, { hasSession: false, isOver: true });
    const { device } = await openCounter({ path: "/counter", shop });
    await device.scan({
      ...{
        area: { ...countedArea(areaOne, 1), sessionId: "session-before" },
        input: shirt,
        inputType: "barcode",
      },
      ...{ method: "scan", scannedById: mia._id, localOutcome: "counted", sku: "SHIRT-M" },
      ...{ productTitle: "Linen Shirt", size: "M" },
    });
    await screen.findByText("1 entry is of a counting session that you can't send to");
    expect(screen.queryByText(/until this notice turns green/)).toBeNull();
  });

  it("says of a phone whose only scan was unknown that it does not count, not that there was none", async () => {
    const counting = await openStation();
    await screen.findByText("READY TO SCAN");
    await hand.scan("unknown-77");
    await allSent(counting);
    document.body.innerHTML = "";
    Object.assign(counting.shop, { hasSession: false, isOver: true });
    await openCounter({ path: "/counter", shop: counting.shop, device: counting.device });
    await screen.findByText("Nothing that was scanned on this device counts.");
  });

  it.each([
    ["nothing", 0, "Nothing that was scanned on this device counts."],
    ["one item more", 1, "You scanned 1 item in 1 area on this device."],
  ])("leaves out what a reset took away before %s was scanned", async (_case, since, told) => {
    const shop = new ScriptedShop();
    vi.stubGlobal("fetch", shop.fetch);
    clearDevice();
    const device = await openScriptedDevice(shop);
    const scanIn = (pass: number) =>
      device.scan({
        ...{ area: countedArea(areaOne, pass), input: shirt, inputType: "barcode", method: "scan" },
        ...{ scannedById: mia._id, localOutcome: "counted", sku: "SHIRT-M" },
        ...{ productTitle: "Linen Shirt", size: "M" },
      });
    await scanIn(1);
    await scanIn(1);
    await device.operate({ kind: "reset", area: countedArea(areaOne, 1) });
    for (let scan = 0; scan < since; scan += 1) await scanIn(2);
    Object.assign(shop, { hasSession: false, isOver: true });
    await openCounter({ path: "/counter", shop, device });
    await screen.findByText(told);
    await screen.findByText(finishedMessages.byDevice);
  });

  it("names nobody where what came too late is not the reader's alone", () => {
    expect(finishedMessages.late(1, true)).toMatch(/^1 item that you scanned reached/);
    expect(finishedMessages.late(1, false)).toMatch(/^1 item that was scanned on this device reached/);
    expect(finishedMessages.late(2, false)).toMatch(/^2 items that were scanned on this device reached/);
  });
});
