import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { sessionEndSentence } from "../station/session-end.ts";
import { type CounterHarness, openCounter, openStation } from "../testing/counter-harness.tsx";
import {
  allSent,
  banner,
  bannerShows,
  countBecomes,
  feelAlarms,
  scannerInEachTest,
  shirt,
} from "../testing/scanning-hand.ts";
import { areaOne } from "../testing/scripted-device.ts";

const hand = scannerInEachTest();

const kept = "The count has ended. Your last 2 scans were kept for the administrator.";

/** Two scans without the server, and the session's end before they are sent. */
async function scanPastTheEnd(): Promise<CounterHarness> {
  const harness = await openStation();
  await hand.firstScan();
  await allSent(harness);
  harness.shop.isAway = true;
  harness.device.connectivity.report(false);
  await hand.scan("4006381333948");
  await countBecomes("2");
  await hand.scan(shirt);
  await countBecomes("3");
  harness.shop.scanning.closedSessions.add("session-1");
  harness.shop.hasSession = false;
  harness.shop.isAway = false;
  harness.device.engine.retryNow();
  return harness;
}

describe("the end of a session, for a person who is still in an area", () => {
  it("S22: is shown with what became of the last scans, and Exit Area leads out", async () => {
    const harness = await scanPastTheEnd();
    await screen.findByRole("heading", { name: "Count finished, thank you" });
    await screen.findByText(`No active session found. ${kept}`);
    await screen.findByText("You scanned 1 item in 1 area on this device.");
    screen.getByText(
      /^That is by this device alone: what was accepted, restored or counted again elsewhere is not in it/,
    );
    await screen.findByText(
      "2 items that you scanned reached the server after the count had ended. The administrator decides about them.",
    );
    await screen.findByText("Everything on this device has reached the server. You can put it away.");
    // Nothing is red: the count went well.
    expect(banner()).toBeNull();
    expect(screen.queryByRole("button", { name: "Finish Area" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Exit Area" }));
    await waitFor(() => expect(harness.path()).toBe("/counter"));
    await screen.findByText("2 scans were not counted");
    expect(screen.getAllByText(/Received after the count ended\./)).toHaveLength(2);
  });

  it("S22: is shown likewise after a reload", async () => {
    const harness = await scanPastTheEnd();
    await screen.findByText(`No active session found. ${kept}`);
    document.body.innerHTML = "";
    await openCounter({
      ...{ path: "/counter/scan", state: areaOne, shop: harness.shop, device: harness.device },
    });
    await screen.findByText(`No active session found. ${kept}`);
  });

  it("is where a scan is told in red that it was not counted", async () => {
    const harness = await scanPastTheEnd();
    await screen.findByText(`No active session found. ${kept}`);
    const alarms = feelAlarms();
    const sent = harness.shop.scanning.scans.length;
    await hand.scan(shirt);
    await bannerShows("No active session found");
    await bannerShows(`The count has ended. ${shirt} was not counted.`);
    expect([banner()?.getAttribute("data-state"), alarms()]).toEqual(["error", 1]);
    expect(harness.shop.scanning.scans).toHaveLength(sent);
    screen.getByRole("heading", { name: "Count finished, thank you" });
  });

  it("is no count of nothing where all of it came too late", async () => {
    const harness = await openStation();
    await screen.findByText("READY TO SCAN");
    harness.shop.isAway = true;
    harness.device.connectivity.report(false);
    await hand.scan(shirt);
    await countBecomes("1");
    harness.shop.scanning.closedSessions.add("session-1");
    harness.shop.hasSession = false;
    harness.shop.isAway = false;
    harness.device.engine.retryNow();
    await screen.findByText(
      "1 item that you scanned reached the server after the count had ended. The administrator decides about it.",
    );
    expect(screen.queryByText("Nothing was scanned on this device.")).toBeNull();
    expect(screen.queryByText(/^That is by this device alone/)).toBeNull();
  });

  it("says what was kept, where anything was", () => {
    expect(sessionEndSentence({ kept: 1 })).toBe(
      "The count has ended. Your last scan was kept for the administrator.",
    );
    expect(sessionEndSentence({ kept: 0 })).toBe("The count has ended.");
  });

  it("whether the device holds anything is said in one place, while scans are on their way and afterwards", async () => {
    const said: string[] = [];
    const look = new MutationObserver(() => said.push(document.body.textContent));
    look.observe(document.body, { childList: true, subtree: true, characterData: true });
    const harness = await openStation();
    await hand.firstScan();
    await allSent(harness);
    harness.shop.isAway = true;
    harness.device.connectivity.report(false);
    await hand.scan("4006381333948");
    await countBecomes("2");
    await hand.scan(shirt);
    await countBecomes("3");
    // The list of sessions comes before what waits is sent.
    const releases = ["/api/scan", "/api/scan/batch"].map((path) => harness.shop.hold(path));
    harness.shop.scanning.closedSessions.add("session-1");
    harness.shop.hasSession = false;
    harness.shop.isAway = false;
    harness.device.connectivity.report(true);
    await screen.findByText(/^2 entries on this device still have to reach the server/);
    await screen.findByText("You scanned 3 items in 1 area on this device.");
    for (const release of releases) release();
    harness.device.engine.retryNow();
    await screen.findByText(`No active session found. ${kept}`);
    look.disconnect();
    const holding = /still (has|have) to reach|wait on this device|has reached the server/g;
    const over = said.filter((text) => text.includes("Count finished"));
    expect(over.length).toBeGreaterThan(0);
    expect(over.filter((text) => (text.match(holding)?.length ?? 0) !== 1)).toEqual([]);
  });

  it("where a reload finds no session to count in, there is a way out too", async () => {
    const { sessionId: _session, pass: _pass, ...place } = areaOne;
    const first = await openStation();
    first.shop.hasSession = false;
    document.body.innerHTML = "";
    const harness = await openCounter({
      ...{ path: "/counter/scan", state: place, shop: first.shop, device: first.device },
    });
    await screen.findByText("No active session found");
    await userEvent.click(screen.getByRole("button", { name: "Exit Area" }));
    await waitFor(() => expect(harness.path()).toBe("/counter"));
  });
});
