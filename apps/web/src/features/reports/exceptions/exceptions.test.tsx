import {
  type DecidedScan,
  decidedExceptions,
  decideExceptions,
  type ExceptionGroup,
  exceptionGroups,
  productMap,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, type Report, reportServer } from "../testing/report-server.ts";
import { group, lateGroup, serveWaiting } from "./testing/waiting-scans.ts";

function open(groups: readonly ExceptionGroup[], changes: Partial<Report> = {}) {
  const server = reportServer(changes);
  const calls = serveWaiting(server, groups);
  openPage(address);
  return { server, ...calls };
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const findDialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

describe("scans that need a decision", () => {
  it("are listed by code, with how many, where, by whom and what lay beside them", async () => {
    const near = { _id: "1", input: "1", sku: "HAT-1", productTitle: "Hat", size: null };
    open([
      group({ units: 14, areaCount: 22, people: ["Mia", "Tom"], peopleCount: 2 }),
      lateGroup({ before: { ...near, scannedAt: "2026-03-01T09:00:00.000Z" } }),
    ]);
    await screen.findByText("3 scans, 14 units");
    screen.getByText(/No product has this code\. Areas A1 – Window and 21 more · Mia, Tom · /);
    screen.getByText("The last scan of its device, after Hat · HAT-1");
    screen.getByText("Linen Shirt · M · LIN-M");
  });

  it("of a count that the server does not have say so, not that a count was restarted", async () => {
    open([lateGroup({ reasons: ["PASS_OVER"], countsSince: ["not_begun"] })]);
    await screen.findByText(/From a count that the server has not begun, or has lost\. Area A1/);
    screen.getByText(
      /which was not carried out, or the server was restored .*Another count of the area stands/,
    );
    expect(screen.queryByText(/a count that was restarted/)).toBeNull();
  });

  it("of a second count that is over can only be dismissed", async () => {
    open([lateGroup({ reasons: ["AREA_CLOSED"], ofSecondCounts: 1, acceptable: false })]);
    await screen.findByText(/A count has the item already: .* It can't be accepted\. Dismiss it\./);
    await screen.findByRole("button", { name: "Dismiss: 777" });
    expect(screen.queryByRole("button", { name: /^(Accept|Resolve to Product): 777/ })).toBeNull();
  });

  it("an unknown code is accepted as the product that the administrator finds, all its scans at once", async () => {
    const { decisions } = open([group()]);
    await press("Resolve to Product: 4006381");
    const dialog = await findDialog("Resolve Scan");
    await userEvent.type(await dialog.findByRole("textbox", { name: "Product" }), "linen");
    expect(dialog.queryByText(/Hat/)).toBeNull();
    await userEvent.click(dialog.getByRole("radio", { name: /Linen Shirt/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Accept as This Product" }));
    await screen.findByText("3 scans were accepted and are now in the count.");
    const body = { action: "accept", sku: "LIN-M", scanIds: ["11", "12", "13"] };
    expect(decisions.map((sent) => sent.body)).toEqual([body]);
  });

  it("of several products none is chosen by itself: one press chooses, and only another accepts", async () => {
    const { decisions } = open([group()]);
    await press("Resolve to Product: 4006381");
    const dialog = await findDialog("Resolve Scan");
    const field = await dialog.findByRole("textbox", { name: "Product" });
    const accept = dialog.getByRole<HTMLButtonElement>("button", { name: "Accept as This Product" });
    await userEvent.type(field, "t");
    expect(dialog.getAllByRole("radio", { checked: false })).toHaveLength(2);
    dialog.getByText("None is chosen yet.");
    expect(accept.disabled).toBe(true);
    await userEvent.type(field, "{Enter}");
    dialog.getByText("Chosen: Linen Shirt · M · LIN-M");
    expect([accept.disabled, decisions.length]).toEqual([false, 0]);
    await userEvent.type(field, "{ArrowDown}");
    dialog.getByText("Chosen: Hat · HAT-1");
    await userEvent.type(field, "{Enter}");
    await waitFor(() => expect(decisions[0]?.body).toMatchObject({ sku: "HAT-1" }));
  });

  it("a key that is held down chooses, and accepts nothing", async () => {
    const { decisions } = open([group()]);
    await press("Resolve to Product: 4006381");
    const dialog = await findDialog("Resolve Scan");
    await userEvent.type(await dialog.findByRole("textbox", { name: "Product" }), "t");
    await userEvent.keyboard("{Enter>3/}");
    dialog.getByText("Chosen: Linen Shirt · M · LIN-M");
    expect(decisions).toEqual([]);
  });

  it("can be counted in an area of the administrator's choice", async () => {
    const { decisions } = open([group()]);
    await press("Resolve to Product: 4006381");
    const dialog = await findDialog("Resolve Scan");
    await userEvent.type(await dialog.findByRole("textbox", { name: "Product" }), "hat");
    await dialog.findByRole("option", { name: /A1/ });
    await userEvent.selectOptions(dialog.getByRole("combobox", { name: "Area" }), "area-1");
    await userEvent.click(dialog.getByRole("button", { name: "Accept as This Product" }));
    await waitFor(() => expect(decisions[0]?.body).toMatchObject({ sku: "HAT-1", areaId: "area-1" }));
  });

  it("a code that is one of a pack by now says so, and how many units it counts as the product that is chosen", async () => {
    const { server } = open([group()], { items: [reportItem({ sku: "LIN-M", counted: 4, variance: -36 })] });
    const product = { barcode: null, size: null, image: null, storeId: "store-1" };
    server.answer(productMap, {
      products: [
        { ...product, sku: "LIN-M", productTitle: "Linen Shirt" },
        { ...product, sku: "HAT-1", productTitle: "Hat" },
      ],
      packs: [{ code: "4006381", sku: "LIN-M", units: 12 }],
      etag: "2",
    });
    await press("Resolve to Product: 4006381");
    const dialog = await findDialog("Resolve Scan");
    const field = await dialog.findByRole("textbox", { name: "Product" });
    dialog.getByText("4006381 is by now the code of a pack of 12 units of LIN-M.");
    await userEvent.type(field, "linen");
    dialog.getByText(/^Accepting changes the count of LIN-M from 4 to 40, and its variance from .36 to 0\.$/);
    dialog.getByText("That counts the units of 3 packs of 12.");
    await userEvent.clear(field);
    await userEvent.type(field, "hat");
    dialog.getByText("Accepting adds 3 units to the count of HAT-1.");
    dialog.getByText(/^The pack is not one of HAT-1: each scan counts what was scanned/);
  });

  it("a late scan of a known product is accepted as it is", async () => {
    const { decisions } = open([lateGroup()]);
    await press("Accept: 777");
    const dialog = await findDialog("Accept scan?");
    dialog.getByText("Are you sure you want to accept this scan of Linen Shirt · M · LIN-M?");
    dialog.getByText("You can take this back until the report is deployed.");
    expect(decisions).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Accept" }));
    await waitFor(() => expect(decisions[0]?.body).toEqual({ action: "accept", scanIds: ["21"] }));
  });

  it.each([true, false])(
    "accepting says that a scan was made after the end, where it was (%s)",
    async (afterEnd) => {
      open([lateGroup({ afterEnd })]);
      await press("Accept: 777");
      const dialog = await findDialog("Accept scan?");
      expect(dialog.queryAllByText(/^Scanned after the session's end\./)).toHaveLength(afterEnd ? 1 : 0);
    },
  );

  it("an accepted scan of a product whose count was set by hand says that this stays", async () => {
    open([lateGroup()], { items: [reportItem({ sku: "LIN-M", counted: 0, manual: true })] });
    await press("Accept: 777");
    const dialog = await findDialog("Accept scan?");
    await userEvent.click(dialog.getByRole("button", { name: "Accept" }));
    await screen.findByText(/^The scan was accepted\. The count of LIN-M was set by hand and stays 0/);
  });

  it("dismissing asks first, and for a reason", async () => {
    const { decisions } = open([group()]);
    await press("Dismiss: 4006381");
    const dialog = await findDialog("Dismiss 3 scans?");
    await userEvent.click(dialog.getByRole("button", { name: "Not our product", pressed: false }));
    expect(dialog.getByRole("textbox", { name: "Reason (Optional)" })).toHaveProperty(
      "value",
      "Not our product",
    );
    expect(decisions).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Dismiss" }));
    await screen.findByText("3 scans were dismissed.");
    expect(decisions[0]?.body).toMatchObject({ action: "dismiss", reason: "Not our product" });
  });

  it("are announced at the top of the report, with a button that leads to them", async () => {
    open([group({ scans: 2, scanIds: ["11", "12"] })], { exceptions: { unresolved: 2, late: 0 } });
    const notice = await screen.findByText("2 scans need a decision");
    const table = await screen.findByRole("table", { name: "Variance Report" });
    expect(notice.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
    await userEvent.click(screen.getByRole("button", { name: "Go to These Scans" }));
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Scans That Need a Decision" }));
  });

  it("stay where the focus is: what was decided on gives it to what takes its place, the last one to the heading", async () => {
    const hats = group({ input: "5000112", scanIds: ["31"], lastScanId: "31", scans: 1, units: 1 });
    open([group(), lateGroup(), hats]);
    await press("Dismiss: 777");
    await userEvent.click((await findDialog("Dismiss scan?")).getByRole("button", { name: "Dismiss" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Dismiss: 777" })).toBeNull());
    const next = screen.getByRole("button", { name: "Resolve to Product: 5000112" });
    await waitFor(() => expect(document.activeElement).toBe(next));
    await press("Dismiss: 5000112");
    await userEvent.click((await findDialog("Dismiss scan?")).getByRole("button", { name: "Dismiss" }));
    const left = screen.getByRole("button", { name: "Resolve to Product: 4006381" });
    await waitFor(() => expect(document.activeElement).toBe(left));
    await press("Dismiss: 4006381");
    await userEvent.click((await findDialog("Dismiss 3 scans?")).getByRole("button", { name: "Dismiss" }));
    const heading = screen.getByRole("heading", { name: "Scans That Need a Decision" });
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });

  it("are not spoken of before it is known that there are any", async () => {
    const server = reportServer();
    const waiting = { groups: [], devices: [], waiting: 0, next: null, total: 0 };
    const { release } = server.answerLater(exceptionGroups, waiting);
    const { client } = openPage(address);
    await screen.findByRole("table", { name: "Variance Report" });
    expect(screen.queryByRole("heading", { name: /^Scans That Need a Decision/ })).toBeNull();
    release();
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(screen.queryByRole("heading", { name: /^Scans That Need a Decision/ })).toBeNull();
  });

  it("come in pages: the next one is read when it is to be shown", async () => {
    const { server } = open([]);
    const numbered = (from: number) =>
      Array.from({ length: 30 }, (_none, index) => group({ input: `code-${from + index}` }));
    const lists = server.answer(exceptionGroups, ({ query }) => ({
      ...{ devices: [], waiting: 180, total: 60 },
      ...(query.cursor === undefined
        ? { groups: numbered(1), next: "abc" }
        : { groups: numbered(31), next: null }),
    }));
    const nextAsked = () => lists.flatMap(({ query }) => query.cursor ?? []);
    await screen.findByRole("button", { name: "Show 25 more" });
    expect(nextAsked()).toEqual([]);
    await press("Show 25 more");
    await screen.findByRole("button", { name: "Dismiss: code-50" });
    expect(screen.queryByRole("button", { name: "Dismiss: code-51" })).toBeNull();
    await press("Show 10 more");
    await screen.findByRole("button", { name: "Dismiss: code-60" });
    expect(nextAsked()).toEqual(["abc"]);
  });

  it("nothing can be decided while the report is deployed", async () => {
    open([group()], { deployed: true });
    const button = await screen.findByRole("button", { name: "Dismiss: 4006381" });
    expect(button).toHaveProperty("disabled", true);
    expect(screen.queryByRole("checkbox", { name: "Select all" })).toBeNull();
  });

  it("what had been settled already is told", async () => {
    const { server } = open([lateGroup({ scans: 2, scanIds: ["21", "22"], lastScanId: "22" })]);
    const settled = { status: "voided", reason: "UNDONE", sku: "LIN-M", areaId: "area-1", pass: 1 } as const;
    server.answer(decideExceptions, {
      scans: [
        { ...settled, _id: "21", status: "counted", reason: null, outcome: "done" },
        { ...settled, _id: "22", outcome: "settled_meanwhile" },
      ],
    });
    await press("Accept: 777");
    await userEvent.click((await findDialog("Accept 2 scans?")).getByRole("button", { name: "Accept" }));
    await screen.findByText(
      "The scan was accepted and is now in the count. 1 scan had been settled already.",
    );
  });
});

describe("a decision can be taken back", () => {
  it("from the notice, right after it was made", async () => {
    const { takenBack } = open([group()]);
    await press("Dismiss: 4006381");
    await userEvent.click((await findDialog("Dismiss 3 scans?")).getByRole("button", { name: "Dismiss" }));
    await press("Undo");
    await screen.findByText("3 scans wait for a decision again.");
    expect(takenBack.map(({ body }) => body)).toEqual([{ scanIds: ["11", "12", "13"] }]);
    await screen.findByRole("button", { name: "Dismiss: 4006381" });
  });

  it("later, from the list of what was decided, unless it was voided since", async () => {
    const { server, takenBack } = open([]);
    const scan: DecidedScan = {
      ...{ _id: "21", decision: "accepted", input: "777", quantity: 1, sku: "LIN-M" },
      ...{ productTitle: "Linen Shirt", size: "M", area: { _id: "area-1", code: "A1", name: "Window" } },
      ...{ username: "Mia", decidedBy: "admin", decidedAt: "2026-03-01T10:00:00.000Z", reason: null },
      canBeTakenBack: true,
    };
    const dismissed: DecidedScan = { ...scan, decision: "dismissed", reason: "torn", canBeTakenBack: false };
    const scans = [scan, { ...dismissed, _id: "22", input: "888" }];
    server.answer(decidedExceptions, { scans, next: null, total: 2 });
    await userEvent.click(await screen.findByText("Decided (2)"));
    screen.getByText("Accepted as Linen Shirt · M · LIN-M in area A1 – Window");
    screen.getByText("Dismissed: torn");
    screen.getByText("Undone or voided since");
    await press("Take Back: 777");
    await waitFor(() => expect(takenBack[0]?.body).toEqual({ scanIds: ["21"] }));
  });
});
