import { passOfNoCount } from "@stocktake/contract";
import type { QueryClient } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { type ScanDraft, syncProducts } from "../../../offline/offline.ts";
import { clearDevice } from "../../../offline/testing/fresh-database.ts";
import { deviceRoots } from "../lists/counter-queries.ts";
import { countedArea } from "../opening/counting-area.ts";
import { storeActiveArea } from "../opening/last-area.ts";
import { openCounter } from "../testing/counter-harness.tsx";
import { areaOne, mia, openScriptedDevice } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";

const atAreaOne = countedArea(areaOne, 1);

const draft: ScanDraft = {
  ...{ area: atAreaOne, input: "unknown-77", inputType: "barcode", method: "scan", scannedById: "user-1" },
  ...{ localOutcome: "unresolved", sku: null, productTitle: null, size: null },
};

async function noticeOf(title: string | RegExp) {
  const heading = await screen.findByText(title);
  const notice = heading.closest("[role]") ?? document.body;
  if (!(notice instanceof HTMLElement)) throw new Error("There is no notice.");
  return within(notice);
}

describe("where everything is counted", () => {
  const openAll = async (isCounted: (locationId: string) => boolean) => {
    const shop = new ScriptedShop();
    shop.areas = shop.areas.map((area, index) => {
      const locationId = index === 0 ? "location-2" : "location-1";
      return { ...area, locationId, status: isCounted(locationId) ? "closed" : "not_started" };
    });
    await openCounter({ path: "/counter", shop });
    await userEvent.click(await screen.findByRole("radio", { name: /Sales Floor/ }));
  };

  it("it is said in the place of the button that would lead nowhere", async () => {
    await openAll(() => true);
    await screen.findByText("All areas are counted. Thank you.");
    expect(screen.queryByRole("button", { name: "Start Counting Area" })).toBeNull();
  });

  it("of one location it leads to the others", async () => {
    await openAll((locationId) => locationId === "location-1");
    await screen.findByText("All areas of Sales Floor are counted. Choose another location.");
  });
});

describe("what the server would not take", () => {
  it("S32: is named with what it said, that all is safe, and what to do next", async () => {
    const { shop, device } = await openCounter({ path: "/counter" });
    const words = "This request came from another site and was refused.";
    shop.scanning.chance = ({ path }) =>
      path === "/api/area/reset"
        ? { kind: "answers", status: 403, body: { error: words, code: "FORBIDDEN" } }
        : null;
    await device.operate({ kind: "reset", area: atAreaOne });
    await device.scan({ ...draft, area: { ...atAreaOne, pass: 2 } });
    await screen.findByText("The reset of area A1 was not accepted yet");
    screen.getByText(`The server said: ${words}`);
    await screen.findByText("1 entry of this area waits behind it on this device. Nothing is lost.");
    screen.getByText(/It is tried again every minute. If it stays like this, show this to the administrator/);
    shop.scanning.chance = () => null;
    await userEvent.click(screen.getByRole("button", { name: "Sync Now" }));
    await waitFor(() => expect(screen.queryByText(/was not accepted yet/)).toBeNull());
  });

  it("S32: is said to keep no other area waiting only once that is so", async () => {
    const { shop, device } = await openCounter({ path: "/counter" });
    const error = "This request came from another site and was refused.";
    const body = { error, code: "FORBIDDEN" };
    shop.scanning.chance = () => ({ kind: "answers", status: 403, body });
    const reset = await device.operate({ kind: "reset", area: atAreaOne });
    await screen.findByText("Nothing is lost.");
    const row = await device.database.get("pendingSubmissions", reset.id);
    if (row === undefined) throw new Error("The reset was not stored.");
    const declined = { refusal: { httpStatus: 403, ...body }, times: 4 };
    await device.database.put("pendingSubmissions", { ...row, declined });
    await userEvent.click(screen.getByRole("button", { name: "Sync Now" }));
    await screen.findByText("Nothing is lost, and other areas are sent.");
    await device.scan({ ...draft, area: { ...atAreaOne, areaId: "area-2", areaCode: "A2" } });
    await waitFor(() => expect(screen.getAllByText("Nothing is lost.")).toHaveLength(2));
    expect(screen.queryByText(/other areas are sent/)).toBeNull();
  });

  it("S17: is named where it is of a session that this login can't send to, with who can; the rest is sent", async () => {
    const { shop, device } = await openCounter({ path: "/counter" });
    const before = { ...draft, area: { ...atAreaOne, sessionId: "session-before" } };
    await device.scan(before);
    await device.scan(before);
    await device.scan(draft);
    const notice = await noticeOf("2 entries are of a counting session that you can't send to");
    notice.getByText(
      "They are kept on this device, and nothing is lost. Let the administrator sign in on this device, and they are sent. Or save them as a file for the administrator to import under Sessions.",
    );
    expect(screen.queryByText(/wait to be sent|waits to be sent/)).toBeNull();
    screen.getByRole("button", { name: "Save Queue as File" });
    shop.scanning.reachable.add("session-before");
    device.engine.setLogin("admin");
    await waitFor(() => expect(screen.queryByText(/that you can't send to/)).toBeNull());
  });

  it("for good: a total that came after the end is told as what it is, and no scan is called lost", async () => {
    const { shop, device } = await openCounter({ path: "/counter" });
    const words = "This counting session has ended, so nothing in it can be changed from here.";
    shop.scanning.chance = ({ path }) =>
      path === "/api/area/finish"
        ? { kind: "answers", status: 409, body: { error: words, code: "SESSION_CLOSED" } }
        : null;
    await device.operate({ kind: "finish", area: atAreaOne, declaredTotal: 3 });
    const notice = await noticeOf("1 refused by the server");
    await notice.findByText(`The finish of area A1: ${words}`);
    notice.getByText(/^No scan is among it, so nothing that was scanned is lost/);
    expect(notice.queryByText(/not counted/)).toBeNull();
  });

  it("S16: an undo of a scan that counts elsewhere is told once, with the server's sentence, and can be closed", async () => {
    const { shop, device } = await openCounter({ path: "/counter" });
    const scan = await device.scan(draft);
    await device.engine.settled();
    expect(shop.scanning.accept(scan.opId, "A2")).toBe(true);
    await device.operate({ kind: "undo", area: atAreaOne, targetId: scan.id, targetSeq: scan.seq });
    const notice = await noticeOf("A correction was not possible");
    notice.getByText("Area A1: Refused: NOTHING_TO_UNDO.");
    expect(screen.queryByText(/refused by the server/)).toBeNull();
    await userEvent.click(notice.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByText("A correction was not possible")).toBeNull());
  });
});

/** The phone reads the server's lists again, as it does on an event. */
async function readAgain(client: QueryClient): Promise<void> {
  for (const root of [queryRoots.sessions, deviceRoots.book]) {
    await client.invalidateQueries({ queryKey: [root] });
  }
}

describe("a scan that was not counted", () => {
  const counted: ScanDraft = {
    ...{ area: atAreaOne, input: "4006381333931", inputType: "barcode", method: "scan" },
    ...{ scannedById: "user-1", localOutcome: "counted", sku: "SHIRT-M" },
    ...{ productTitle: "Linen Shirt", size: "M" },
  };

  it.each([
    ["of a count that is over", atAreaOne.pass],
    ["of no count", passOfNoCount],
  ])("is told until its area was counted again and completed: one %s", async (_name, pass) => {
    const harness = await openCounter({ path: "/counter" });
    harness.shop.scanning.nextPass("A1", "AREA_RESET");
    await harness.device.scan({ ...counted, area: { ...atAreaOne, pass } });
    const notice = await noticeOf("1 scan was not counted");
    notice.getByText("The server has stored it, and an administrator reviews it.");
    const change = async (area: Partial<ScriptedShop["areas"][number]>) => {
      const { shop, client } = harness;
      shop.areas = shop.areas.map((each) => (each.code === "A1" ? { ...each, pass: 2, ...area } : each));
      await readAgain(client);
    };
    await change({ status: "in_progress" });
    screen.getByText("1 scan was not counted");
    const closedAt = new Date(harness.device.clock.now() + 60_000).toISOString();
    await change({ status: "closed", closedAt });
    await waitFor(() => expect(screen.queryByText("1 scan was not counted")).toBeNull());
  });

  it("is told as what it is where its area was closed before it arrived: of no count, and for the administrator", async () => {
    const { shop, device, client } = await openCounter({ path: "/counter" });
    const closedAt = new Date(device.clock.now() - 60_000).toISOString();
    shop.areas = shop.areas.map((each) =>
      each.code === "A1" ? { ...each, status: "closed", closedAt, pass: 1 } : each,
    );
    await readAgain(client);
    await device.scan({ ...counted, area: { ...atAreaOne, pass: passOfNoCount } });
    const notice = await noticeOf("1 scan was not counted");
    notice.getByText(/This area was not started again, so an administrator will decide\.$/);
  });

  it("is told no longer once its session is over", async () => {
    const { shop, device, client } = await openCounter({ path: "/counter" });
    shop.scanning.nextPass("A1", "AREA_RESET");
    await device.scan(counted);
    await screen.findByText("1 scan was not counted");
    shop.hasSession = false;
    shop.isOver = true;
    await readAgain(client);
    await screen.findByText("Count finished, thank you");
    expect(screen.queryByText("1 scan was not counted")).toBeNull();
  });
});

describe("a recount that an administrator asks for", () => {
  const recount = {
    ...{ pass: 2, reason: "The top shelf was left out.", requestedBy: "admin" },
    requestedAt: "2026-03-01T10:00:00.000Z",
  };

  it("S34: is a notice with its reason and a mark on its area, and leads to it", async () => {
    const shop = new ScriptedShop();
    const [first, ...others] = shop.areas;
    if (first === undefined) throw new Error("There is no area.");
    shop.areas = [{ ...first, pass: 2, recount }, ...others];
    const { path } = await openCounter({ path: "/counter", shop });
    const notice = await noticeOf("Area A1 - Area A1 is to be counted again");
    notice.getByText(
      "The administrator asks for this area in Sales Floor to be counted again from zero. The top shelf was left out.",
    );
    await userEvent.click(await screen.findByRole("radio", { name: /Sales Floor/ }));
    await screen.findByText("Recount requested");
    await userEvent.click(notice.getByRole("button", { name: "Count This Area" }));
    await waitFor(() => expect(path()).toBe("/counter/scan"));
  });

  it.each([
    { pass: 2, card: "Resume Area", other: "Count This Area", when: "is being counted again already" },
    { pass: 1, card: "Count This Area", other: "Resume Area", when: "was left before it was asked for" },
  ])("has one card: $card, where the area $when", async ({ pass, card, other }) => {
    const shop = new ScriptedShop();
    vi.stubGlobal("fetch", shop.fetch);
    clearDevice();
    const device = await openScriptedDevice(shop);
    await syncProducts(device, "store-1");
    await storeActiveArea(device.database, mia._id, { ...areaOne, pass });
    shop.areas = shop.areas.map((area) => (area.code === "A1" ? { ...area, pass: 2, recount } : area));
    const { path } = await openCounter({ path: "/counter", shop, device });
    const way = await screen.findByRole("button", { name: card });
    await userEvent.click(await screen.findByRole("radio", { name: /Sales Floor/ }));
    await screen.findByText("Recount requested");
    await waitFor(() => expect(screen.queryByRole("button", { name: other })).toBeNull());
    await userEvent.click(way);
    await waitFor(() => expect(path()).toBe("/counter/scan"));
  });

  it("says who is already at it, and leads nobody else there; whoever is goes on", async () => {
    const begun = (usernames: string[]) => {
      const shop = new ScriptedShop();
      const activity = { devices: 1, usernames, lastScanAt: "2026-03-01T10:05:00.000Z" };
      shop.areas = shop.areas.map((area) =>
        area.code === "A2" ? { ...area, pass: 2, recount, activity } : area,
      );
      return openCounter({ path: "/counter", shop });
    };
    await begun(["Tom", "Ana"]);
    const notice = await noticeOf("Area A2 - Area A2 is to be counted again");
    notice.getByText("Tom and Ana are counting it again already. Choose another area.");
    expect(notice.queryByRole("button")).toBeNull();
    await userEvent.click(await screen.findByRole("radio", { name: /Sales Floor/ }));
    const area = await screen.findByRole("radio", {
      name: /A2.*Tom and Ana are counting it again already\.$/,
    });
    expect(area).toHaveProperty("checked", false);
    document.body.innerHTML = "";
    await begun(["Mia"]);
    (await noticeOf("Area A2 - Area A2 is to be counted again")).getByRole("button", {
      name: "Count This Area",
    });
    await userEvent.click(await screen.findByRole("radio", { name: /Sales Floor/ }));
    await screen.findByRole("radio", { name: /A2.*You are counting it again\.$/ });
    expect(screen.queryByText(/is counting it again already/)).toBeNull();
  });
});
