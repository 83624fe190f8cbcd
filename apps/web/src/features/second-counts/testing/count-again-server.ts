import { type CountAgainRow, listSessions, listToCountAgain } from "@stocktake/contract";
import { admin, session } from "../../../testing/examples.ts";
import { FakeServer } from "../../../testing/fake-server.ts";
import { openPage } from "../../../testing/open-page.tsx";

export const place = {
  ...{ _id: "area-1", code: "A1", name: "Window", locationName: "Sales Floor" },
  ...{ units: 4, secondCount: "possible" as const },
};

/** A SKU of the list, with what a test cares about changed. */
export function row(changes: Partial<CountAgainRow> = {}): CountAgainRow {
  return {
    ...{ sku: "LIN-S", productTitle: "Linen Shirt", size: "S", counted: 4, neverCounted: false, onHand: 7 },
    ...{ difference: -3, atStake: 37.2, reasons: [{ kind: "NEGATIVE_STOCK" }], areas: [place] },
    ...changes,
  };
}

/** Opens the list of a session of these rows, over a server that has them page by page. */
export function openList(rows: readonly CountAgainRow[], status: "active" | "closed" = "active"): FakeServer {
  const server = new FakeServer(admin);
  const counted = session(status === "active" ? { status, endedAt: null } : {});
  const unknownCosts = rows.filter(({ atStake }) => atStake === null).length;
  server.answer(listSessions, { sessions: [counted] });
  server.answer(listToCountAgain, ({ query }) => {
    const from = Number(query.cursor ?? 0);
    const page = rows.slice(from, from + 50);
    const next = from + 50 < rows.length ? String(from + 50) : null;
    return { rows: page, currency: "USD", unknownCosts, next, total: rows.length };
  });
  openPage(`/admin/sessions/${counted._id}/count-again`);
  return server;
}
