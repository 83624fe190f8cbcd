import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { adjustment, reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { group, serveWaiting } from "../exceptions/testing/waiting-scans.ts";
import { address, reportServer } from "../testing/report-server.ts";

/** A phone held upright: whatever asks for a width up to a tablet's is told yes, and a wider one no. */
function onPhone(query: string): MediaQueryList {
  return Object.assign(new EventTarget(), {
    matches: query.startsWith("(max-width"),
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
}

beforeEach(() => vi.stubGlobal("matchMedia", onPhone));

const items = [reportItem({ sku: "LIN-S", variance: 3 })];

it("on a phone the parts of the report are lines with what is in them, and unfold one by one", async () => {
  const server = reportServer({ items }, [adjustment()]);
  serveWaiting(server, [group()]);
  openPage(address);
  await screen.findByRole("heading", { name: "Adjustment History 1" });
  await screen.findByRole("heading", { name: "Scans That Need a Decision 3" });
  const main = within(screen.getByRole("main"));
  const heads = main.getAllByRole("button", { expanded: false });
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    "Select Session1 session",
    "More",
    "Comparison, Auto-SaveAt the end",
    "Variance breakdown1 area",
    "Variance Report1 item",
    "Scans That Need a Decision3",
    "Adjustment History1",
  ]);
  expect(screen.queryByRole("table", { name: "Variance Report" })).toBeNull();
  const rows = screen.getByRole("button", { name: "Variance Report 1 item" });
  await userEvent.click(rows);
  screen.getByRole("table", { name: "Variance Report" });
  await userEvent.click(rows);
  expect(screen.queryByRole("table", { name: "Variance Report" })).toBeNull();
});

it("what leads to a part unfolds it", async () => {
  const server = reportServer({ items });
  serveWaiting(server, [group()]);
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Go to These Scans" }));
  await screen.findByRole("button", { name: "Resolve to Product: 4006381" });
  const split = within(screen.getByRole("list", { name: "What the totals are made of" }));
  await userEvent.click(split.getByRole("button", { name: /^Counted, with a variance/ }));
  screen.getByRole("button", { name: "LIN-S" });
});

it("a link to rows shows them at once", async () => {
  reportServer({ items });
  openPage(`${address}&show=counted`);
  await screen.findByRole("button", { name: "LIN-S" });
});

it("the next step is in reach, and the other actions beside it", async () => {
  reportServer({ items });
  openPage(address);
  const actions = within(await screen.findByRole("region", { name: "Report Actions" }));
  actions.getByRole("button", { name: "Deploy to Shopify" });
  expect(actions.queryByRole("button", { name: "Print Report" })).toBeNull();
  await userEvent.click(actions.getByRole("button", { name: "More" }));
  for (const name of ["Export CSV", "Export Scans", "Print Report"]) actions.getByRole("button", { name });
});
