import {
  type CallAnswer,
  type CountSheet,
  listSessions,
  listSheets,
  lookUpCode,
  readSheet,
  type SheetLine,
} from "@stocktake/contract";
import { admin, session } from "../../../../testing/examples.ts";
import { FakeServer } from "../../../../testing/fake-server.ts";

export const running = session({ status: "active", endedAt: null });
export const path = `/admin/sessions/${running._id}/sheets`;

/** A sheet that is out. */
export function sheet(changes: Partial<CountSheet> = {}): CountSheet {
  return {
    number: 8,
    area: { _id: "area-1", code: "A1", name: "Window", locationName: "Sales Floor" },
    ...{ state: "out", order: "walk", products: 2, blankLines: 20 },
    ...{ printedAt: "2026-03-02T10:15:00.000Z", printedBy: { username: "admin" } },
    ...{ returnedAt: null, returnedBy: null, countedBy: null, keyed: null },
    ...{ voidedAt: null, voidedBy: null, voidReason: null },
    ...changes,
  };
}

export const lines: readonly SheetLine[] = [
  { line: 1, productTitle: "Linen Shirt", size: "M", code: "5000000000010" },
  { line: 2, productTitle: "Wool Sock", size: null, code: "SOCK-1" },
];

/** A running session with a sheet of two products that is out; `code` 12PACK is a pack, NONE fits nothing. */
export function sheetsServer(shown: CountSheet = sheet()): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listSessions, { sessions: [running] });
  server.answer(listSheets, { sheets: [shown] });
  server.answer(readSheet, {
    ...{ sheet: shown, lines: [...lines], entries: null },
    ...{ areaStatus: "not_started", isAreaRestarted: false },
  });
  server.answer(lookUpCode, ({ query }): CallAnswer<typeof lookUpCode> => {
    const product = { productTitle: "Wool Sock", size: null };
    if (query.code === "12PACK") return { match: "one", product, units: 12, problem: null };
    return { match: "none", product: null, units: 1, problem: null };
  });
  return server;
}
