import { type CountedArea, listCountedAreas } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { lateGroup, serveWaiting } from "../exceptions/testing/waiting-scans.ts";
import { address, reportServer } from "../testing/report-server.ts";
import { areaFigures } from "./area-figures.ts";

function area(name: string, skus: number, changes: Partial<CountedArea> = {}): CountedArea {
  const code = name.slice(0, 1);
  return { _id: `${code}-${changes.code}`, code, name, locationName: "Floor", skus, fast: null, ...changes };
}

const items = [
  reportItem({ sku: "A", variance: -2, costImpact: -20.1, areas: ["Window"] }),
  reportItem({ sku: "B", variance: 1, costImpact: 10.2, areas: ["Window", "Back"] }),
  reportItem({ sku: "C", variance: 1, costImpact: null, areas: ["Back"] }),
  reportItem({ sku: "D", variance: 0, areas: ["Back"] }),
];

it("each area has its share of SKUs with a variance and their money up or down, the most first", () => {
  expect(
    areaFigures(items, [area("Till", 3), area("Back", 10, { fast: 2.5 }), area("Window", 4)]),
  ).toMatchObject([
    { name: "Window", skus: 4, varying: 2, atStake: 30.3, unknown: 0, fast: null },
    { name: "Back", skus: 10, varying: 2, atStake: 10.2, unknown: 1, fast: 2.5 },
    { name: "Till", skus: 3, varying: 0, atStake: 0, unknown: 0, fast: null },
  ]);
});

it("areas that share a name are one, as in the rows", () => {
  const areas = [
    area("Back", 3, { code: "B1" }),
    area("Back", 4, { code: "B2", locationName: "Store room", fast: 3 }),
  ];
  expect(areaFigures(items, areas)).toMatchObject([
    { name: "Back", codes: ["B1", "B2"], locations: ["Floor", "Store room"], skus: 7, varying: 2, fast: 3 },
  ]);
});

it("of areas that share a name no share is told: a SKU that lies in two of them is one row", async () => {
  const server = reportServer({ items });
  server.answer(listCountedAreas, {
    areas: [area("Back", 3, { code: "B1" }), area("Back", 4, { code: "B2" })],
  });
  openPage(address);
  const table = within(await screen.findByRole("table", { name: "How Each Area Was Counted" }));
  expect(table.getAllByRole("row").map(({ textContent }) => textContent)[1]).toMatch(
    /^BackB1, B2 · Floor2\$10\.20/,
  );
  expect(table.queryByRole("columnheader", { name: "Pace" })).toBeNull();
});

it("the areas are as many where the page leads to them as in their table", async () => {
  const server = reportServer({ items: [reportItem({ sku: "B", variance: 1, areas: ["Window", "Back"] })] });
  server.answer(listCountedAreas, { areas: [area("Window", 4), area("Back", 10), area("Till", 3)] });
  openPage(address);
  await screen.findByRole("button", { name: "Areas (3)" });
  const table = within(await screen.findByRole("table", { name: "How Each Area Was Counted" }));
  expect(table.getAllByRole("row")).toHaveLength(4);
});

it("is read again with the report, as a scan is accepted", async () => {
  const server = reportServer({ items, exceptions: { unresolved: 0, late: 1 } });
  serveWaiting(server, [lateGroup()]);
  server.answer(listCountedAreas, { areas: [area("Back", 3)] });
  openPage(address);
  await screen.findByText("2 of 3 (67%)");
  server.answer(listCountedAreas, { areas: [area("Back", 4)] });
  await userEvent.click(await screen.findByRole("button", { name: "Accept: 777" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Accept scan?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Accept" }));
  await screen.findByText("2 of 4 (50%)");
});

it("an area that was counted badly is seen beside the others, and leads to all of its rows", async () => {
  const server = reportServer({ items });
  server.answer(listCountedAreas, { areas: [area("Window", 4), area("Back", 10, { fast: 2.5 })] });
  const page = openPage(address);
  const table = within(await screen.findByRole("table", { name: "How Each Area Was Counted" }));
  const [, first, second] = table.getAllByRole("row").map(({ textContent }) => textContent);
  expect(first).toBe("WindowW · Floor2 of 4 (50%)$30.30");
  expect(second).toBe(
    "BackB · Floor2 of 10 (20%)$10.20, 1 SKU of unknown costFast area2.5 times as fast as usual here",
  );
  await userEvent.click(table.getByRole("button", { name: "Back" }));
  await waitFor(() => expect(page.address()).toContain("place=in%3ABack"));
  screen.getByText("Found in: Back");
  const rows = await screen.findByRole("table", { name: "Variance Report" });
  await waitFor(() =>
    expect(Array.from(rows.querySelectorAll("button[data-sku]"), ({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(["B", "C"]),
    ),
  );
  expect(within(rows).queryByRole("button", { name: "A" })).toBeNull();
});
