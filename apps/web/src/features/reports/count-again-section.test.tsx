import { type CountAgainRow, listToCountAgain } from "@stocktake/contract";
import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { queryRoots } from "../../http/query-roots.ts";
import { openPage } from "../../testing/open-page.tsx";
import { address, reportServer } from "./testing/report-server.ts";

function row(index: number): CountAgainRow {
  return {
    ...{ sku: `LIN-${index}`, productTitle: "Linen Shirt", size: null, counted: 4, neverCounted: false },
    ...{ onHand: 7, difference: -3, atStake: 37.2, reasons: [{ kind: "NEGATIVE_STOCK" }], areas: [] },
  };
}

it("the report shows the first of what to count again, each with its reasons, and leads to all of it", async () => {
  const rows = Array.from({ length: 7 }, (_none, index) => row(index));
  reportServer().answer(listToCountAgain, { rows, currency: "USD", unknownCosts: 0, next: null, total: 7 });
  openPage(address);
  const section = within(await screen.findByRole("region", { name: "What to Count Again (7 SKUs)" }));
  expect(section.queryByRole("list")).toBeNull();
  await userEvent.click(section.getByRole("button", { name: "Show the First 5" }));
  const list = within(await screen.findByRole("list", { name: "What to Count Again" }));
  expect(list.getAllByText(/^LIN-/).map(({ textContent }) => textContent)).toEqual(
    rows.slice(0, 5).map(({ sku }) => sku),
  );
  expect(list.getAllByText("Negative stock: Shopify has less than nothing of it on hand.")).toHaveLength(5);
  const all = screen.getByRole("link", { name: "Show All (7)" });
  expect(all.getAttribute("href")).toMatch(/^\/admin\/sessions\/[^/]+\/count-again$/);
});

it("what is shown stays where a later reading fails", async () => {
  const server = reportServer();
  server.answer(listToCountAgain, { rows: [row(1)], currency: "USD", unknownCosts: 0, next: null, total: 1 });
  const { client } = openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Show It" }));
  await screen.findByText("LIN-1");
  server.refuse(listToCountAgain, "INTERNAL", "It did not work.");
  await act(() => client.invalidateQueries({ queryKey: [queryRoots.passes] }));
  await screen.findByText("It did not work.");
  screen.getByText("LIN-1");
});

it("its place is there before anything is found, and stays where nothing looks like a mistake", async () => {
  const server = reportServer();
  const { client } = openPage(address);
  const section = within(await screen.findByRole("region", { name: "What to Count Again" }));
  await section.findByText("No count looks like a mistake.");
  expect(section.queryByRole("link")).toBeNull();
  server.refuse(listToCountAgain, "INTERNAL", "It did not work.");
  await act(() => client.resetQueries({ queryKey: [queryRoots.passes] }));
  await section.findByText("It did not work.");
  expect(section.queryByText("No count looks like a mistake.")).toBeNull();
});
