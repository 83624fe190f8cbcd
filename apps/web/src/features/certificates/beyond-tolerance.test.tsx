import {
  type BeyondTolerance,
  listBeyondTolerance,
  listUncoveredStock,
  stateBeyondTolerance,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { countAgainPath } from "../../http/count-again.ts";
import { coveragePath } from "../../http/coverage.ts";
import { reportPath } from "../../http/report-path.ts";
import { session } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { pressOnceEnabled } from "../../testing/press.ts";
import { coverageServer, ended, row } from "./testing/coverage-server.ts";

const active = session({ status: "active", endedAt: null });
const furtherOpen = [{ kind: "beyond_tolerance" as const, count: 2, names: ["TEE-M", "TEE-L"] }];
const coverage = { open: [], furtherOpen, certificate: null, canIssue: false };

function beyond(sku: string, changes: Partial<BeyondTolerance> = {}): BeyondTolerance {
  const product = { sku, productTitle: "Tern Tee", size: sku.slice(-1) };
  return { ...product, counted: 4, difference: -20, said: null, ...changes };
}

const open = [beyond("TEE-L"), beyond("TEE-M")];

it("lists what is beyond tolerance and was not counted again, to be done without one by one or all at once", async () => {
  const user = userEvent.setup();
  const server = coverageServer(coverage);
  server.answer(listBeyondTolerance, ({ query }) => ({
    ...{ rows: query.which === "open" ? open : [], next: null, total: 2 },
  }));
  const said = server.answer(stateBeyondTolerance, { changed: 1 });
  await openPage(coveragePath(ended._id));
  await screen.findByText("2 SKUs beyond tolerance not counted again");
  expect(screen.getByRole("link", { name: "To the Report" }).getAttribute("href")).toBe(
    reportPath(ended._id),
  );
  const table = await screen.findByRole("table", { name: "Beyond tolerance, not counted again" });
  expect(within(table).getAllByRole("row")[1]?.textContent).toContain("-20");
  await user.click(
    within(table).getByRole("button", { name: "Do without another count: Tern Tee · M · TEE-M" }),
  );
  const dialog = await screen.findByRole("dialog", { name: "Do without another count of 1 SKU?" });
  within(dialog).getByText("Product: Tern Tee · M · TEE-M");
  await user.type(within(dialog).getByLabelText(/Reason/), "The stockroom is flooded");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Do Without for All 2 SKUs…" }));
  const all = await screen.findByRole("dialog", { name: "Do without another count of 2 SKUs?" });
  await user.type(within(all).getByLabelText(/Reason/), "No time");
  await user.click(within(all).getByRole("button", { name: "Save" }));
  await expect
    .poll(() => said.map(({ body }) => body))
    .toEqual([
      { skus: ["TEE-M"], stated: true, reason: "The stockroom is flooded" },
      { stated: true, reason: "No time" },
    ]);
});

it("leads to the list to count again while the session counts, when nothing can be done without", async () => {
  coverageServer(coverage, active).answer(listBeyondTolerance, { rows: open, next: null, total: 2 });
  await openPage(coveragePath(active._id));
  const link = await screen.findByRole("link", { name: "To the List to Count Again" });
  expect(link.getAttribute("href")).toBe(countAgainPath(active._id));
  await screen.findByRole("table", { name: "Beyond tolerance, not counted again" });
  expect(screen.queryByRole("button", { name: /Do Without/ })).toBeNull();
});

it("shows what is done without, with who said so, to be taken back", async () => {
  const user = userEvent.setup();
  const server = coverageServer({ ...coverage, furtherOpen: [] });
  const said = { reason: "No time", by: "admin", at: "2026-03-02T09:00:00.000Z", holds: true };
  server.answer(listBeyondTolerance, ({ query }) => ({
    rows:
      query.which === "open"
        ? []
        : [beyond("TEE-L", { said }), beyond("TEE-M", { said: { ...said, holds: false } })],
    ...{ next: null, total: 2 },
  }));
  const sent = server.answer(stateBeyondTolerance, { changed: 1 });
  await openPage(coveragePath(ended._id));
  const table = await screen.findByRole("table", { name: "Done without another count" });
  within(table).getByText(/^No time \(admin, .*\)$/);
  within(table).getByText(/no longer holds$/);
  await user.click(within(table).getByRole("button", { name: "Take back: Tern Tee · M · TEE-M" }));
  await pressOnceEnabled(screen.getByRole("button", { name: "Take Back All 2 SKUs" }));
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ skus: ["TEE-M"], stated: false }, { stated: false }]);
});

it("shows what a deploy has set to zero without a count, and who deployed it", async () => {
  const zeroed = { by: "admin", at: "2026-03-02T09:00:00.000Z" };
  coverageServer({ ...coverage, furtherOpen: [] }).answer(listUncoveredStock, ({ query }) => ({
    rows: query.state === "zeroed" ? [{ ...row, zeroed }] : [],
    ...{ next: null, total: 1 },
  }));
  await openPage(coveragePath(ended._id));
  const table = await screen.findByRole("table", { name: "Stock set to zero" });
  screen.getByRole("heading", { name: "Set to Zero by a Deploy (1)" });
  expect(within(table).getAllByRole("row")[1]?.textContent).toMatch(/Tern Tee · M · TEE-M.*4.*admin, /);
});
