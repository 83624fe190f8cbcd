import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { deviceRoots } from "../lists/counter-queries.ts";
import { readUnacknowledged } from "../opening/unacknowledged-finishes.ts";
import { openStation } from "../testing/counter-harness.tsx";
import {
  allSent,
  bannerShows,
  burst,
  countBecomes,
  scannerInEachTest,
  shirt,
} from "../testing/scanning-hand.ts";
import { mia } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";

const hand = scannerInEachTest();

/** Ada's station in an area where Tom has counted too. */
async function besideTom() {
  const shop = new ScriptedShop();
  const harness = await openStation({ shop });
  await hand.firstScan();
  await allSent(harness);
  shop.othersCounted = true;
  await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
  await screen.findByText(
    /^Other devices counted here too. Enter the total of all devices. Or give your own count/,
  );
  return harness;
}

async function declare(total: string): Promise<void> {
  await userEvent.type(
    screen.getByLabelText("How many items do you think you scanned in this area?"),
    `${total}{Enter}`,
  );
}

describe("a total of one's own", () => {
  it("S37: is offered where others counted too, is kept with its person's name, and waits for theirs", async () => {
    const harness = await besideTom();
    harness.shop.waitingFor = ["Tom"];
    await userEvent.click(screen.getByRole("radio", { name: "My own count" }));
    screen.getByText(
      "It is kept until everyone who counted here has given theirs. Then the sum is compared.",
    );
    await declare("1");
    await bannerShows("Your total is kept");
    await bannerShows("The area is finished when Tom has given theirs.");
    const [finish] = await harness.device.database.getAll("pendingSubmissions");
    expect(finish).toMatchObject({ kind: "finish", declaredTotal: 1, ownOf: mia._id, synced: true });
    await waitFor(() => expect(harness.path()).toBe("/counter"));
    expect(screen.queryByText("Recount needed")).toBeNull();
    const { shop, client } = harness;
    expect(screen.queryByText(/complete!/)).toBeNull();
    shop.areas = shop.areas.map((area) => (area.code === "A1" ? { ...area, status: "closed" } : area));
    await client.invalidateQueries({ queryKey: [deviceRoots.book] });
    await screen.findByText("Area A1 – Area A1 complete!");
    await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByText(/complete!/)).toBeNull();
    expect(await readUnacknowledged(harness.device.database)).toEqual([]);
  });

  it("the last one's is answered for the sum: what all declared is set against what all scanned", async () => {
    const harness = await besideTom();
    harness.shop.together = { declared: 24, people: 2 };
    await userEvent.click(screen.getByRole("radio", { name: "My own count" }));
    await declare("7");
    await bannerShows("COUNT MISMATCH! Together you declared 24 but scanned 1. Please recount.");
    await countBecomes("0");
    await hand.scan(shirt);
    await countBecomes("1");
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)?.payload).toMatchObject({ pass: 2 });
  });

  it("a scan while the choice has the focus changes neither the total that was typed nor the choice", async () => {
    await besideTom();
    const field = screen.getByLabelText<HTMLInputElement>(/^How many items/);
    await userEvent.type(field, "7");
    const own = screen.getByRole<HTMLInputElement>("radio", { name: "My own count" });
    await userEvent.click(own);
    expect(burst(shirt)).toBe(false);
    await screen.findByText("Close this dialog to scan. That scan was not counted.");
    expect([field.value, own.checked, own.value]).toEqual(["7", true, "own"]);
  });

  it("nothing is chosen beforehand, one's own comes first, and Submit Count says what is missing", async () => {
    const harness = await besideTom();
    const radios = screen.getAllByRole<HTMLInputElement>("radio");
    expect(radios.map(({ checked }) => checked)).toEqual([false, false]);
    expect(radios[0]).toBe(screen.getByRole("radio", { name: "My own count" }));
    await declare("7");
    const first = "Others counted here too. Choose first: is it your own count, or the whole area?";
    expect((await screen.findByRole("alert")).textContent).toContain(first);
    expect(document.activeElement).toBe(radios[0]);
    expect(harness.shop.requests).not.toContain("POST /api/area/finish");
    await userEvent.click(screen.getByRole("radio", { name: "The whole area" }));
    expect(screen.queryByRole("alert")).toBeNull();
    screen.getByText("Other devices counted here too. Enter the total of all devices.");
    await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
    await bannerShows("COUNT MISMATCH! You declared 7 but scanned 1. Please recount.");
  });

  it.each([
    ["It's my own count", mia._id],
    ["It's the whole area", undefined],
  ])(
    "the number of this device alone, given for the whole area, is asked about: %s",
    async (answer, ownOf) => {
      const harness = await besideTom();
      await userEvent.click(screen.getByRole("radio", { name: "The whole area" }));
      await declare("1");
      await screen.findByText("That is what you counted. Is it the total of the whole area?");
      expect(document.activeElement).toBe(screen.getByRole("button", { name: "It's my own count" }));
      expect(harness.shop.requests).not.toContain("POST /api/area/finish");
      await userEvent.click(screen.getByRole("button", { name: answer }));
      await bannerShows("Area complete!");
      const [finish] = await harness.device.database.getAll("pendingSubmissions");
      expect(finish).toMatchObject({ kind: "finish", declaredTotal: 1, synced: true });
      expect(Object(finish).ownOf).toBe(ownOf);
    },
  );

  it("is still the choice where the total could not be kept after the question whose it is", async () => {
    vi.stubGlobal("reportError", vi.fn());
    const harness = await besideTom();
    await userEvent.click(screen.getByRole("radio", { name: "The whole area" }));
    await declare("1");
    vi.spyOn(harness.device, "operate").mockRejectedValueOnce(new Error("The storage is full."));
    await userEvent.click(await screen.findByRole("button", { name: "It's my own count" }));
    await screen.findByText("Failed to submit area count");
    expect(screen.getByRole("radio", { name: "My own count" })).toHaveProperty("checked", true);
    await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
    await bannerShows("Area complete!");
    const [finish] = await harness.device.database.getAll("pendingSubmissions");
    expect(finish).toMatchObject({ kind: "finish", declaredTotal: 1, ownOf: mia._id });
  });

  it("is asked for offline as well, by what this device knows of others", async () => {
    const shop = new ScriptedShop();
    shop.devices = [{ deviceId: "device-of-tom", usernames: ["Tom"], holdsScans: false, silentSince: null }];
    const harness = await openStation({ shop });
    await hand.firstScan();
    await allSent(harness);
    shop.isAway = true;
    harness.device.connectivity.report(false);
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await declare("1");
    await screen.findByText(/^Others counted here too. Choose first/);
    await userEvent.click(screen.getByRole("radio", { name: "The whole area" }));
    await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
    await userEvent.click(await screen.findByRole("button", { name: "It's my own count" }));
    await bannerShows("The total is compared when this device is online again.");
    const [finish] = await harness.device.database.getAll("pendingSubmissions");
    expect(finish).toMatchObject({ declaredTotal: 1, ownOf: mia._id, synced: false });
  });

  it("S37: stays one's own where the server goes away after it was chosen, and the others stay named", async () => {
    const harness = await besideTom();
    await userEvent.click(screen.getByRole("radio", { name: "My own count" }));
    harness.shop.isAway = true;
    harness.device.connectivity.report(false);
    await screen.findByText(/^This device is offline/);
    // As when the tablet wakes.
    await harness.client.invalidateQueries({ queryKey: ["finish-figures"] });
    expect(screen.getByRole("radio", { name: "My own count" })).toHaveProperty("checked", true);
    screen.getByText(
      "It is kept until everyone who counted here has given theirs. Then the sum is compared.",
    );
    await declare("7");
    await bannerShows("The total is compared when this device is online again.");
    const [finish] = await harness.device.database.getAll("pendingSubmissions");
    expect(finish).toMatchObject({ kind: "finish", declaredTotal: 7, ownOf: mia._id, synced: false });
  });

  it("S37: stays one's own where nobody else is listed any more", async () => {
    const harness = await besideTom();
    await userEvent.click(screen.getByRole("radio", { name: "My own count" }));
    harness.shop.othersCounted = false;
    await harness.client.invalidateQueries({ queryKey: ["finish-figures"] });
    await waitFor(() => expect(screen.queryByText(/^It is kept until everyone/)).toBeNull());
    expect(screen.getByRole("radio", { name: "My own count" })).toHaveProperty("checked", true);
    await declare("1");
    await bannerShows("Area complete!");
    const [finish] = await harness.device.database.getAll("pendingSubmissions");
    expect(finish).toMatchObject({ kind: "finish", declaredTotal: 1, ownOf: mia._id });
  });

  it("is of all the devices that its person counted with, and the dialog says so with their number", async () => {
    const shop = new ScriptedShop();
    const other = { usernames: ["Mia"], holdsScans: false, silentSince: null };
    shop.devices = [
      { ...other, deviceId: "other-phone", yours: true },
      { ...other, deviceId: "of-another-mia" },
    ];
    await openStation({ shop });
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    const ofAll =
      "You counted on 2 devices here. Your own count is what you scanned on all of them together.";
    await screen.findByText(ofAll);
    screen.getByText("Mia, 1 device · yours");
    screen.getByText("Mia, 1 device");
    await userEvent.click(screen.getByRole("radio", { name: "The whole area" }));
    expect(screen.queryByText(ofAll)).toBeNull();
    await declare("1");
    await screen.findByText("Other devices counted here too. Whose count is 1?");
    screen.getByText(ofAll);
  });

  it("is only what its person scanned where somebody else counted with the device, and the dialog names them", async () => {
    const shop = new ScriptedShop();
    const harness = await openStation({ shop });
    await hand.firstScan();
    await allSent(harness);
    shop.othersCounted = true;
    const { deviceId } = harness.device;
    const seen = { holdsScans: false, silentSince: null };
    shop.devices = [{ deviceId, usernames: ["Ann", "Mia"], yours: true, ...seen }];
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    const shared = "Ann counted with this device too. Your own count is only what you scanned yourself.";
    await screen.findByText(shared);
    await userEvent.click(screen.getByRole("radio", { name: "The whole area" }));
    expect(screen.queryByText(shared)).toBeNull();
    await declare("1");
    await screen.findByText("That is what you counted. Is it the total of the whole area?");
    screen.getByText(shared);
  });

  it("is not offered where nobody else counted", async () => {
    await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await screen.findByRole("dialog", { name: "Finish Area" });
    expect(screen.queryByRole("radio")).toBeNull();
  });
});
