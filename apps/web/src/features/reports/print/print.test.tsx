import { exportScans } from "@stocktake/contract";
import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { reportItem, session } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, reportServer } from "../testing/report-server.ts";
import { fileTitle } from "./report-title.ts";

it("the printed report begins with where, when and by whom it was counted, what it came to, and lines to sign on", async () => {
  const hash = "0123456789abcdef".repeat(4);
  const never = reportItem({ sku: "TEE", areas: [], counted: 0, endOnHand: 9, variance: -9, unitCost: 1 });
  reportServer({
    items: [reportItem({ sku: "LIN-S", variance: 3 }), reportItem({ sku: "LIN-M", variance: -2 }), never],
    exceptions: { unresolved: 1, late: 1 },
    auditHash: hash,
    cover: {
      shopifyLocationId: "gid://shopify/Location/7",
      areas: 12,
      counters: [
        { username: "Mia", units: 1200 },
        { username: "Ben", units: 1 },
      ],
    },
  });
  openPage(address);
  await screen.findByRole("table", { name: "Variance Report" });
  expect(screen.queryByText("Audit hash", { selector: "dt" })).toBeNull();
  act(() => globalThis.dispatchEvent(new Event("beforeprint")));
  const title = await screen.findByText("Variance Report", { selector: ".print-only p" });
  const cover = title.parentElement;
  if (cover === null) throw new Error("The cover is nowhere.");
  const facts = new Map(
    within(cover)
      .getAllByRole("term", { hidden: true })
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );
  expect(Object.fromEntries(facts)).toMatchObject({
    Store: "Harbour Street",
    "Shopify location": "gid://shopify/Location/7",
    Session: session()._id,
    "Counted by": "Mia (1,200 units), Ben (1 unit)",
    Areas: "12 areas, all closed",
    "Variances over": "+3 units, +$30.00",
    "Variances short": "-11 units, -$29.00",
    "Of these never counted": "-9 units, -$9.00",
    "Scans that need a decision": "2 scans need a decision",
    "In Shopify": "Not deployed",
    "Audit hash": hash,
    "Total Items": "10",
  });
  expect(within(cover).getAllByText("Name, date, signature")).toHaveLength(3);
  expect(document.title).toBe("Variance report 2026-03-01 Harbour Street abcdefgh");
});

it("the document is named as a file can be, whatever the store is called", () => {
  const storeId = { _id: "1", name: ' Bags/Belts: "5 & 6"  ' };
  expect(fileTitle(session({ storeId }))).toBe("Variance report 2026-03-01 Bags Belts 5 & 6 abcdefgh");
});

it("the file of scans that can't be had says so", async () => {
  reportServer().answerRaw(exportScans, 502, "");
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Export Scans" }));
  await screen.findByText("Failed to export the scans");
});
