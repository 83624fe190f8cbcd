import {
  type ExceptionScan,
  listAreas,
  listLocations,
  productMap,
  resolveScan,
  sessionExceptions,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { area, location, reportItem } from "../../../testing/examples.ts";
import type { FakeServer } from "../../../testing/fake-server.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, type Report, reportServer } from "../testing/report-server.ts";

describe("scans that need a decision", () => {
  function scan(changes: Partial<ExceptionScan> = {}): ExceptionScan {
    return {
      _id: "11",
      status: "unresolved",
      reason: "UNKNOWN_CODE",
      input: "4006381",
      inputType: "barcode",
      sku: null,
      productTitle: null,
      size: null,
      area: { _id: "area-1", code: "A1", name: "Window" },
      pass: 1,
      deviceId: "d1",
      username: "Mia",
      scannedAt: "2026-03-01T09:00:00.000Z",
      afterEnd: false,
      before: null,
      after: null,
      ...changes,
    };
  }

  function exceptionsServer(scans: ExceptionScan[], changes: Partial<Report> = {}): FakeServer {
    const server = reportServer(changes);
    server.answer(sessionExceptions, { scans });
    server.answer(listLocations, { locations: [location()] });
    server.answer(listAreas, { areas: [area()] });
    server.answer(productMap, {
      products: [
        {
          sku: "LIN-M",
          barcode: null,
          productTitle: "Linen Shirt",
          size: "M",
          image: null,
          storeId: "store-1",
        },
        { sku: "HAT-1", barcode: null, productTitle: "Hat", size: null, image: null, storeId: "store-1" },
      ],
      etag: "1",
    });
    return server;
  }

  it("an unknown code is accepted as the product that the administrator finds", async () => {
    const server = exceptionsServer([scan()]);
    const sent = server.answer(resolveScan, {
      scan: { _id: "11", status: "counted", reason: null, sku: "LIN-M", areaId: "area-1", pass: 1 },
    });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Resolve to Product: 4006381" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
    await userEvent.type(await dialog.findByRole("textbox", { name: "Product" }), "linen");
    expect(dialog.queryByText(/Hat/)).toBeNull();
    await userEvent.click(dialog.getByRole("radio", { name: /Linen Shirt/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Accept as This Product" }));
    await screen.findByText("The scan was accepted and is now in the count.");
    expect(sent[0]).toMatchObject({
      path: "/api/scans/11/resolve",
      body: { action: "accept", sku: "LIN-M", areaId: "area-1" },
    });
  });

  it("a late scan of a known product is accepted as it is", async () => {
    const server = exceptionsServer([scan({ status: "late", reason: "SESSION_CLOSED", sku: "LIN-M" })]);
    const sent = server.answer(resolveScan, {
      scan: { _id: "11", status: "counted", reason: null, sku: "LIN-M", areaId: "area-1", pass: 1 },
    });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Accept: 4006381" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Accept scan?" }));
    dialog.getByText("Are you sure you want to accept this scan of LIN-M?");
    dialog.getByText("It is then counted in area A1 – Window.");
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Accept" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ action: "accept" }));
  });

  const afterEnd =
    /^It was scanned after the session's end\. If Shopify's stock has moved since, the row becomes uncertain/;

  it.each([
    [true, 1],
    [false, 0],
  ])("accepting says that a scan was made after the end, where it was (%s)", async (wasAfter, times) => {
    const late = { status: "late", reason: "SESSION_CLOSED", sku: "LIN-M", afterEnd: wasAfter } as const;
    exceptionsServer([scan(late), scan({ _id: "12", input: "77", afterEnd: wasAfter })]);
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Accept: 4006381" }));
    const accept = within(await screen.findByRole("dialog", { name: "Accept scan?" }));
    expect(accept.queryAllByText(afterEnd)).toHaveLength(times);
    await userEvent.click(accept.getByRole("button", { name: "Cancel" }));
    await userEvent.click(await screen.findByRole("button", { name: "Resolve to Product: 77" }));
    const choose = within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
    expect(choose.queryAllByText(afterEnd)).toHaveLength(times);
  });

  it("a count set by hand stays, and the message mentions it", async () => {
    const late = scan({ status: "late", reason: "SESSION_CLOSED", sku: "LIN-M" });
    const server = exceptionsServer([late], {
      items: [reportItem({ sku: "LIN-M", counted: 0, manual: true })],
    });
    server.answer(resolveScan, {
      scan: { _id: "11", status: "counted", reason: null, sku: "LIN-M", areaId: "area-1", pass: 1 },
    });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Accept: 4006381" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Accept scan?" }));
    await userEvent.click(dialog.getByRole("button", { name: "Accept" }));
    await screen.findByText(/^The scan was accepted\. The count of LIN-M was set by hand and stays 0/);
  });

  describe("several of the same unknown code", () => {
    const shelf = { _id: "area-9", code: "S9", name: "Shelf" };
    const three = [
      scan(),
      scan({ _id: "12", area: shelf }),
      scan({ _id: "13", input: "999" }),
      scan({ _id: "14" }),
    ];

    it("are resolved together on request, each in its own area", async () => {
      const server = exceptionsServer(three);
      server.answer(listAreas, { areas: [area(), area({ ...shelf })] });
      const sent = server.answer(resolveScan, {
        scan: { _id: "11", status: "counted", reason: null, sku: "LIN-M", areaId: "area-1", pass: 1 },
      });
      openPage(address);
      const [first] = await screen.findAllByRole("button", { name: "Resolve to Product: 4006381" });
      await userEvent.click(first ?? document.body);
      const dialog = within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
      await userEvent.type(await dialog.findByRole("textbox", { name: "Product" }), "linen");
      await userEvent.click(dialog.getByRole("radio", { name: /Linen Shirt/ }));
      await userEvent.click(dialog.getByRole("checkbox", { name: "Apply to all 3 scans of this code" }));
      dialog.getByText("Each is counted in the area where it was scanned.");
      await userEvent.click(dialog.getByRole("button", { name: "Accept as This Product" }));
      await screen.findByText("3 scans were accepted and are now in the count.");
      const accept = { action: "accept", sku: "LIN-M" };
      expect(sent.map(({ path, body }) => [path, body])).toEqual([
        ["/api/scans/11/resolve", { ...accept, areaId: "area-1" }],
        ["/api/scans/12/resolve", { ...accept, areaId: "area-9" }],
        ["/api/scans/14/resolve", { ...accept, areaId: "area-1" }],
      ]);
    });

    it("are dismissed together on request", async () => {
      const sent = exceptionsServer(three).answer(resolveScan, {
        scan: { _id: "11", status: "voided", reason: "DISMISSED", sku: null, areaId: "area-1", pass: 1 },
      });
      openPage(address);
      const [first] = await screen.findAllByRole("button", { name: "Dismiss: 4006381" });
      await userEvent.click(first ?? document.body);
      const dialog = within(await screen.findByRole("dialog", { name: "Dismiss scan?" }));
      await userEvent.click(dialog.getByRole("checkbox", { name: "Apply to all 3 scans of this code" }));
      await userEvent.click(dialog.getByRole("button", { name: "Dismiss" }));
      await screen.findByText("3 scans were dismissed.");
      expect(sent.map(({ path }) => path)).toEqual([11, 12, 14].map((id) => `/api/scans/${id}/resolve`));
    });

    it("are not offered for a code scanned once", async () => {
      exceptionsServer(three);
      openPage(address);
      await userEvent.click(await screen.findByRole("button", { name: "Resolve to Product: 999" }));
      const dialog = within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
      await dialog.findByRole("textbox", { name: "Product" });
      expect(dialog.queryByRole("checkbox")).toBeNull();
    });
  });

  it("are announced at the top of the report, with a button that leads to them", async () => {
    exceptionsServer([scan(), scan({ _id: "12", input: "999" })], {
      exceptions: { unresolved: 2, late: 0 },
    });
    openPage(address);
    const notice = await screen.findByText("2 scans need a decision");
    const table = await screen.findByRole("table", { name: "Variance Report" });
    expect(notice.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
    await userEvent.click(screen.getByRole("button", { name: "Go to These Scans" }));
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Scans That Need a Decision" }));
  });

  it("come in pages: as many are waiting as the server says, and the next page is read when it is to be shown", async () => {
    const server = exceptionsServer([]);
    const numbered = (from: number, count: number) =>
      Array.from({ length: count }, (_none, index) =>
        scan({ _id: String(from + index), input: `code-${from + index}` }),
      );
    const sent = server.answer(sessionExceptions, ({ query }) =>
      query.cursor === undefined
        ? { scans: numbered(1, 30), next: "abc", total: 60 }
        : { scans: numbered(31, 30), next: null, total: 60 },
    );
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Show 25 more" }));
    await screen.findByRole("button", { name: "Dismiss: code-50" });
    expect(screen.queryByRole("button", { name: "Dismiss: code-51" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Show 10 more" }));
    await screen.findByRole("button", { name: "Dismiss: code-60" });
    expect(sent.map(({ query }) => query)).toEqual([{}, { cursor: "abc" }]);
  });

  it("dismissing asks first", async () => {
    const server = exceptionsServer([scan()]);
    const sent = server.answer(resolveScan, {
      scan: { _id: "11", status: "voided", reason: "DISMISSED", sku: null, areaId: "area-1", pass: 1 },
    });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Dismiss: 4006381" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Dismiss scan?" }));
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Dismiss" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ action: "dismiss" }));
  });

  it("nothing can be decided while the report is deployed", async () => {
    exceptionsServer([scan()], { deployed: true });
    openPage(address);
    const button = await screen.findByRole("button", { name: "Dismiss: 4006381" });
    expect(button).toHaveProperty("disabled", true);
  });
});
