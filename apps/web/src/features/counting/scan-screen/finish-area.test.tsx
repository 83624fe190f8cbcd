import { createEvent, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { holdTimers } from "../../../testing/hold-timers.ts";
import { openCounter, openStation } from "../testing/counter-harness.tsx";
import {
  allSent,
  at,
  bannerShows,
  burst,
  burstInto,
  count,
  countBecomes,
  feelAlarms,
  keyedInto,
  scannerInEachTest,
  shirt,
  writtenInto,
} from "../testing/scanning-hand.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";

const hand = scannerInEachTest();

describe("finishing", () => {
  async function declare(total: string): Promise<void> {
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await userEvent.type(
      await screen.findByLabelText("How many items do you think you scanned in this area?"),
      total,
    );
    await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
  }

  it("a total that matches closes the area and leads back to the dashboard after 3 s [spec:2.scan.finish][spec:4.finish.matched][spec:5.declared]", async () => {
    const harness = await openStation();
    await hand.firstScan();
    const held = holdTimers(3_000);
    await declare("1");
    await screen.findByText("Area complete!");
    expect(harness.shop.scanning.closedAreas.has("A1")).toBe(true);
    expect(harness.path()).toBe("/counter/scan");
    await held.pass();
    await waitFor(() => expect(harness.path()).toBe("/counter"));
  });

  it("a total that does not match shows both numbers and begins again at zero in the new pass [spec:4.finish.mismatch]", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await declare("5");
    await bannerShows("COUNT MISMATCH! You declared 5 but scanned 1. Please recount.");
    expect(screen.queryByRole("dialog", { name: "Finish Area" })).toBeNull();
    await countBecomes("0");
    await hand.scan(shirt);
    await countBecomes("1");
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)).toMatchObject({ status: "counted", payload: { pass: 2 } });
  });

  it("says how many unknown scans were set aside, and asks about them where the total includes them", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await hand.scan("unknown-77");
    await bannerShows("UNKNOWN BARCODE: unknown-77");
    screen.getByText("Undo Last: unknown code unknown-77");
    await allSent(harness);
    await declare("2");
    await screen.findByText("You scanned 1 item and 1 unknown one. Did you count the unknown one in?");
    expect(harness.shop.requests).not.toContain("POST /api/area/finish");
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await screen.findByText("1 unknown scan was set aside for the administrator. It is not counted.");
    await userEvent.type(screen.getByLabelText(/^How many items/), "2");
    await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
    await userEvent.click(await screen.findByRole("button", { name: "Yes: submit 1" }));
    await screen.findByText("Area complete!");
    expect(harness.shop.scanning.closedAreas.has("A1")).toBe(true);
  });

  it("where others counted in the pass, it asks whose count the total is", async () => {
    const shop = new ScriptedShop();
    const harness = await openStation({ shop });
    await hand.firstScan();
    await allSent(harness);
    shop.othersCounted = true;
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await screen.findByText(
      /^Other devices counted here too. Enter the total of all devices. Or give your own count/,
    );
  });

  it("a scan while the dialog is open neither submits it nor is counted, and is told", async () => {
    const alarms = feelAlarms();
    const harness = await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    const field = await screen.findByLabelText<HTMLInputElement>(
      "How many items do you think you scanned in this area?",
    );
    expect(burstInto(field, "123456")).toBe(false);
    expect(alarms()).toBe(1);
    await screen.findByText("Close this dialog to scan. That scan was not counted.");
    expect(field.value).toBe("");
    expect(harness.shop.scanning.closedAreas.size).toBe(0);
    expect(harness.shop.requests).not.toContain("POST /api/area/finish");
  });

  it("a scan while the total is on its way, or asked about, is told as well", async () => {
    const alarms = feelAlarms();
    const harness = await openStation();
    await hand.firstScan();
    await hand.scan("unknown-77");
    await bannerShows("UNKNOWN BARCODE");
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await userEvent.type(screen.getByLabelText(/^How many items/), "2");
    await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
    const yes = await screen.findByRole("button", { name: "Yes: submit 1" });
    burst(shirt);
    await screen.findByText("Close this dialog to scan. That scan was not counted.");
    const release = harness.shop.hold("/api/area/finish");
    await userEvent.click(yes);
    await screen.findByRole("button", { name: "Submitting..." });
    burst(shirt);
    await screen.findByText("The total is being submitted. That scan was not counted.");
    expect([alarms(), count()]).toEqual([2, "1"]);
    release();
    await screen.findByText("Area complete!");
  });

  it("a scan of a code with letters leaves what a person had entered as it was", async () => {
    await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    const field = await screen.findByLabelText<HTMLInputElement>(/^How many items/);
    fireEvent.change(field, { target: { value: "12" } });
    expect(burstInto(field, "BEAC-MOS-20605")).toBe(false);
    await screen.findByText("Close this dialog to scan. That scan was not counted.");
    expect(field.value).toBe("12");
  });

  async function openFinish(): Promise<HTMLInputElement> {
    await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    return screen.findByLabelText<HTMLInputElement>(/^How many items/);
  }

  it.each([
    ["slow scanner", "1234", 60],
    ["scanner that writes as a keyboard app", "29000002", 1],
  ])(
    "what a %s writes behind a total that was typed is no part of it, and submits nothing",
    async (_, code, gap) => {
      const alarms = feelAlarms();
      const field = await openFinish();
      at(500, field, createEvent.input(field, { target: { value: "25" } }));
      writtenInto(field, code, 9_000, gap);
      screen.getByText("Close this dialog to scan. That scan was not counted.");
      expect([field.value, alarms()]).toEqual(["25", 1]);
      screen.getByRole("button", { name: "Submit Count" });
    },
  );

  it.each([
    ["SHIRT12", "25"],
    ["12SHIRT34", "25"],
    ["SHIRT12", ""],
    ["SHIRT", "25"],
  ])("the slow scan %s behind the total '%s' is no part of it", async (code, typed) => {
    const field = await openFinish();
    at(500, field, createEvent.input(field, { target: { value: typed } }));
    keyedInto(field, code, 9_000, 60);
    screen.getByText("Close this dialog to scan. That scan was not counted.");
    expect(field.value).toBe(typed);
    screen.getByRole("button", { name: "Submit Count" });
  });

  it.each(["12,5", "1.5", "1e3", "-3", "+3", "12 5", "0x10"])(
    "%s is no total, stays as it was typed and is not submitted",
    async (typed) => {
      const field = await openFinish();
      fireEvent.change(field, { target: { value: typed } });
      await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
      screen.getByText("Enter a whole number from 0 to 1,000,000.");
      expect(field.value).toBe(typed);
    },
  );

  it("the total is typed as text, which no wheel or arrow key changes, and blanks around it are no part of it", async () => {
    const field = await openFinish();
    expect(screen.getByRole("textbox", { name: /^How many items/ })).toBe(field);
    fireEvent.change(field, { target: { value: " 12 " } });
    await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
    await bannerShows("COUNT MISMATCH! You declared 12 but scanned 1.");
  });

  it("what a slow scanner writes into the empty field is no total where it is as long as a barcode", async () => {
    const field = await openFinish();
    writtenInto(field, "290002", 9_000, 60);
    screen.getByText("Close this dialog to scan. That scan was not counted.");
    expect(field.value).toBe("");
  });

  it("a total that a quick hand types is taken, and a long one that a person types", async () => {
    const field = await openFinish();
    writtenInto(field, "1234", 9_000, 60);
    await bannerShows("COUNT MISMATCH! You declared 1,234 but scanned 1.");
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    const again = await screen.findByLabelText<HTMLInputElement>(/^How many items/);
    writtenInto(again, "123456", 9_000, 200);
    await bannerShows("COUNT MISMATCH! You declared 123,456 but scanned 0.");
  });
});

describe("getting in and out", () => {
  it("missing route state shows so and leads to the dashboard after 2 s [spec:2.scan.missing][spec:8.scan.store]", async () => {
    const held = holdTimers(2_000);
    const harness = await openCounter({ path: "/counter/scan" });
    await screen.findByText("Missing required data. Redirecting...");
    expect(harness.path()).toBe("/counter/scan");
    await held.pass();
    await waitFor(() => expect(harness.path()).toBe("/counter"));
  });

  it("finds the session and the pass by itself where the route state names only the specification's fields", async () => {
    const place = {
      ...{ storeId: "store-1", locationId: "location-1", areaId: "area-1" },
      ...{ area: { code: "A1", name: "Area A1" }, store: { name: "Harbour Street" } },
      location: { name: "Sales Floor" },
    };
    const harness = await openStation({ state: place });
    await hand.firstScan();
    await allSent(harness);
    expect(harness.shop.scanning.scans[0]?.payload).toMatchObject({ sessionId: "session-1", pass: 1 });
  });

  it("without storage for scans, scanning does not begin and shows why", async () => {
    await openCounter({
      path: "/counter/scan",
      deviceState: { status: "unavailable", reason: "This browser does not let the page store scans." },
    });
    await screen.findByText("This browser does not let the page store scans.");
    expect(screen.queryByLabelText("Scanner input")).toBeNull();
  });

  it("Exit Area leads to the dashboard at once [spec:2.scan.exit]", async () => {
    const harness = await openStation();
    await userEvent.click(screen.getByRole("button", { name: "Exit Area" }));
    await waitFor(() => expect(harness.path()).toBe("/counter"));
  });
});

describe("where others counted too", () => {
  const device = { deviceId: "device-of-tom", usernames: ["Tom"], holdsScans: false, silentSince: null };

  async function openFinish(shop: ScriptedShop) {
    shop.othersCounted = true;
    const harness = await openStation({ shop });
    await hand.firstScan();
    await allSent(harness);
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await screen.findByText(
      /^Other devices counted here too. Enter the total of all devices. Or give your own count/,
    );
  }

  it("the dialog names them and their devices, and no figure", async () => {
    const shop = new ScriptedShop();
    shop.devices = [
      device,
      { ...device, deviceId: "another" },
      { ...device, deviceId: "x", usernames: ["Ann"] },
    ];
    await openFinish(shop);
    await screen.findByText("Tom, 2 devices");
    screen.getByText("Ann, 1 device");
    expect(screen.queryByText(/Wait until their scans are sent/)).toBeNull();
  });

  it("the dialog names somebody whose scans so far are unknown, or were accepted by the administrator", async () => {
    const shop = new ScriptedShop();
    shop.devices = [{ ...device, silentSince: "2026-03-01T09:30:00.000Z" }];
    await openStation({ shop });
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await screen.findByText(/^Tom, 1 device · not heard of since .+, may have scans to send$/);
    screen.getByRole("radiogroup", { name: /./ });
  });

  it("the dialog warns of a device that still holds scans, and of one that is not heard of", async () => {
    const shop = new ScriptedShop();
    shop.devices = [
      { ...device, holdsScans: true },
      { ...device, usernames: ["Ann"], silentSince: "2026-03-01T09:30:00.000Z" },
    ];
    await openFinish(shop);
    await screen.findByText("Tom, 1 device · still has scans to send");
    screen.getByText(/^Ann, 1 device · not heard of since .+, may have scans to send$/);
    screen.getByText(/Wait until their scans are sent/);
  });
});
