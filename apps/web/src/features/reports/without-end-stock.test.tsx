import { explainRow, listSessions } from "@stocktake/contract";
import { act, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { reportItem, session } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { explanation } from "./testing/explanation-example.ts";
import { address, reportServer } from "./testing/report-server.ts";

const ended = session({ withoutEndStock: true });
const item = reportItem({
  ...{ sku: "LIN-S", startOnHand: 7, endOnHand: 7, naturalMovement: 0, counted: 9, variance: 2 },
  ...{ withoutEndStock: true, skipReason: "NOT_STOCKED", wouldMove: null },
});

it("the report of a session whose location was gone says what its figures are of, and can't be deployed", async () => {
  reportServer({ session: ended, items: [item] }).answer(listSessions, { sessions: [ended] });
  openPage(address);
  const title = await screen.findByText("The Shopify location was gone when this session ended");
  expect(title.parentElement?.textContent).toMatch(/compare the counts with Shopify's stock .* at the start/);
  expect(screen.getByRole("button", { name: "Deploy to Shopify" })).toHaveProperty("disabled", true);
  expect(screen.getByRole("button", { name: "Export CSV" })).toHaveProperty("disabled", false);
  screen.getByRole("option", { name: "Stock at the start of the session" });
  expect(screen.queryByRole("option", { name: "Stock at the end of the session" })).toBeNull();
  const table = await screen.findByRole("table", { name: "Variance Report" });
  const figures = ["Start ON_HAND", "End ON_HAND", "Natural Movement", "Counted", "Variance"].map(
    (label) => table.querySelector(`td[data-label="${label}"]`)?.textContent,
  );
  expect(figures).toEqual(["7", "–", "–", "9", "+2"]);
});

it("its row has no stock at the end, and says why", async () => {
  const server = reportServer({ session: ended, items: [item] });
  server.answer(listSessions, { sessions: [ended] });
  server.answer(explainRow, explanation({ item, costFrom: "start" }));
  openPage(`${address}&row=LIN-S`);
  const drawer = within(await screen.findByRole("dialog", { name: "Why 9?" }));
  await drawer.findByText(/^The Shopify location was gone when the session ended/);
  expect(drawer.queryByText("End ON_HAND")).toBeNull();
  expect(drawer.queryByText("Natural Movement")).toBeNull();
});

it.each([
  ["end", /^Stock at the start of the session: the Shopify location was gone at the end/],
  ["count", /^Stock at the time of counting: the Shopify location was gone at the end/],
] as const)("so does its print where counts are compared by %s", async (basis, compared) => {
  reportServer({ session: ended, items: [item], basis }).answer(listSessions, { sessions: [ended] });
  openPage(address);
  await screen.findByRole("table", { name: "Variance Report" });
  act(() => globalThis.dispatchEvent(new Event("beforeprint")));
  const term = await screen.findByText("Compared with", { selector: "dt" });
  expect(term.nextElementSibling?.textContent).toMatch(compared);
});
