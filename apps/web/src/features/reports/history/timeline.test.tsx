import { listMoveEvents, type MoveEvent } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { adjustment } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, reportServer } from "../testing/report-server.ts";
import { timelineMessages } from "./timeline-messages.ts";

function event(changes: Partial<MoveEvent>): MoveEvent {
  return {
    _id: "1",
    at: "2026-03-02T08:00:00.000Z",
    action: "deploy.requested",
    by: { username: "admin" },
    ...{ items: 12, units: -30, moved: 0, movedUnits: 0, unclear: 0, notMoved: 0 },
    note: null,
    settled: null,
    ...changes,
  };
}

it("deploys, resumes and rollbacks are a timeline with who, when, how much, and what is left open and why", async () => {
  const moved = { moved: 10, movedUnits: -27, unclear: 1, notMoved: 1 };
  const server = reportServer({ deployed: true }, [adjustment({ status: "partial", resumable: 1 })]);
  server.answer(listMoveEvents, {
    events: [
      event({ _id: "4", action: "row.settled", settled: { sku: "LIN-M", moved: true }, moved: 11 }),
      event({ _id: "3", action: "deploy.resumed", ...moved }),
      event({ _id: "2", action: "deploy.concluded", by: null, ...moved, note: "Shopify refused it." }),
      event({}),
    ],
  });
  openPage(address);
  const list = within(await screen.findByRole("list", { name: "Deploys and Rollbacks" }));
  const texts = (await list.findAllByRole("listitem")).map(({ textContent }) => textContent);
  expect(texts[0]).toMatch(/^Decided of LIN-M: its stock was moved/);
  expect(texts[1]).toMatch(/^Deploy resumed: 10 of 12 SKUs moved so far, a net change of -27 units/);
  expect(texts[2]).toMatch(
    /^Deploy ended: 10 of 12 SKUs moved, a net change of -27 units.*by itselfLeft open: 1 SKU not moved, 1 SKU with an unknown outcomeShopify refused it\.$/,
  );
  expect(texts[3]).toMatch(
    /^Deploy started: 12 SKUs, a net change of -30 unitsMar 2, 2026, 8:00\sAM, admin$/,
  );
});

it("of a rollback it says in plain words how much of it moved back, and what that came to", () => {
  const moved = { moved: 10, movedUnits: -29 };
  expect(timelineMessages.what(event({ action: "rollback.requested", items: 1, units: 1 }))).toBe(
    "Rollback started: 1 SKU, a net change of +1 unit",
  );
  expect(timelineMessages.what(event({ action: "rollback.resumed", ...moved }))).toBe(
    "Rollback resumed: 10 of 12 SKUs moved back so far, a net change of -29 units",
  );
  expect(timelineMessages.what(event({ action: "rollback.concluded", ...moved }))).toBe(
    "Rollback ended: 10 of 12 SKUs moved back, a net change of -29 units",
  );
});

it("of a long history the newest are shown at first, and the others when they are asked for", async () => {
  reportServer({}, [adjustment()]).answer(listMoveEvents, {
    events: Array.from({ length: 14 }, (_none, index) => event({ _id: String(index) })),
  });
  openPage(address);
  const list = within(await screen.findByRole("list", { name: "Deploys and Rollbacks" }));
  expect(await list.findAllByRole("listitem")).toHaveLength(10);
  screen.getByRole("button", { name: "Show 4 entries more" }).click();
  await screen.findByText((_text, element) => element?.tagName === "OL" && element.children.length === 14);
});
