import { describe, expect, test } from "vitest";
import type { Direction } from "../queries.ts";
import {
  addBareAdjustment,
  addBareRows,
  type BareRow,
  bareSessionInFile,
  makeBareSession,
} from "../testing/bare-adjustment.ts";
import { requireNotDeployed } from "./plan-deploy.ts";
import { requireApplied, rowsToRollBack } from "./plan-rollback.ts";

const bare = bareSessionInFile();

type Status = "pending" | "applied" | "partial" | "failed";

/** An adjustment of a session of its own; `working`: what is at work on it. */
async function adjusted(
  status: Status,
  { rows = [], working = null }: { rows?: readonly BareRow[]; working?: Direction | null } = {},
) {
  const sessionId = await makeBareSession(bare.database);
  const id = await addBareAdjustment(bare.database, sessionId, "deploy", rows);
  await bare.database.updateTable("adjustments").set({ status }).where("id", "=", id).execute();
  if (working !== null) {
    await bare.database
      .insertInto("operations")
      .values({
        ...{
          kind: working,
          status: "running",
          storeId: null,
          sessionId: null,
          adjustmentId: id,
          total: null,
        },
        ...{ error: null, errorCode: null, startedBy: null, worker: null },
      })
      .execute();
  }
  return { sessionId, id };
}

async function book(adjustmentId: string, direction: Direction, ...skus: readonly string[]): Promise<void> {
  for (const [index, sku] of skus.entries()) {
    const booked = { sessionId: bare.sessionId, adjustmentId, chunkId: null, direction };
    const delta = direction === "deploy" ? index + 1 : -index - 1;
    await bare.database
      .insertInto("stockLedger")
      .values({ ...booked, sku, inventoryItemId: `item ${sku}`, delta })
      .execute();
  }
}

describe("what a rollback moves", () => {
  const settled: BareRow = { state: "not_moved", settledAt: new Date() };

  test("is what was deployed the other way round, in the order of its SKUs, but for what is back or left", async () => {
    const [{ id }, { id: other }] = [await adjusted("applied"), await adjusted("applied")];
    await book(id, "deploy", "e plain", "d back", "c left", "b tried", "a settled");
    await book(id, "rollback", "d back", "z never deployed");
    await addBareRows(bare.database, id, "rollback", [{ ...settled, sku: "c left" }]);
    await addBareRows(bare.database, id, "rollback", [{ state: "not_moved", sku: "b tried" }]);
    await addBareRows(bare.database, id, "deploy", [{ ...settled, sku: "a settled" }]);
    // Another adjustment's are no concern of this one.
    await book(other, "deploy", "y of another");
    await book(other, "rollback", "e plain");
    await addBareRows(bare.database, other, "rollback", [{ ...settled, sku: "e plain" }]);
    expect(await rowsToRollBack(bare.database, id)).toEqual([
      { sku: "a settled", inventoryItemId: "item a settled", delta: -5 },
      { sku: "b tried", inventoryItemId: "item b tried", delta: -4 },
      { sku: "e plain", inventoryItemId: "item e plain", delta: -1 },
    ]);
  });
});

describe("an adjustment", () => {
  const unclear: readonly BareRow[] = [{ state: "confirmed" }, { state: "unclear" }];

  test.each<[string, Status, Parameters<typeof adjusted>[1], string | null]>([
    ["applied", "applied", {}, null],
    ["applied in part, of which all is known", "partial", { rows: [{ state: "not_moved" }] }, null],
    ["applied in part, of which some is unclear", "partial", { rows: unclear }, "UNCLEAR_ROWS"],
    ["under way", "pending", {}, "DEPLOY_RUNNING"],
    ["being rolled back", "applied", { working: "rollback" }, "ROLLBACK_RUNNING"],
    [
      "being rolled back with unclear rows",
      "partial",
      { rows: unclear, working: "rollback" },
      "ROLLBACK_RUNNING",
    ],
    ["that failed", "failed", {}, "NOTHING_TO_ROLL_BACK"],
  ])("%s is rolled back, or not", async (_what, status, more, code) => {
    await adjusted("partial", { rows: unclear });
    const { sessionId, id } = await adjusted(status, more);
    const asked = requireApplied(bare.database, sessionId);
    if (code === null) expect(await asked).toBe(id);
    else await expect(asked).rejects.toMatchObject({ code });
  });

  const running = "This report is being deployed right now. Nothing was changed by this request.";
  const back = "The last deploy of this report is being rolled back right now. Deploy when that is done.";
  const deployed = "This report has been deployed to Shopify. Roll the deploy back before you deploy again.";

  test.each<[string, Status, Parameters<typeof adjusted>[1], string | null, string | null]>([
    ["that failed", "failed", {}, null, null],
    ["under way", "pending", {}, "DEPLOY_RUNNING", running],
    ["being resumed", "partial", { working: "deploy" }, "DEPLOY_RUNNING", running],
    ["being rolled back", "applied", { working: "rollback" }, "DEPLOY_RUNNING", back],
    ["applied", "applied", {}, "REPORT_DEPLOYED", deployed],
    ["applied in part", "partial", {}, "REPORT_DEPLOYED", deployed],
  ])("%s lets its report be deployed again, or not", async (_what, status, more, code, message) => {
    const { sessionId } = await adjusted(status, more);
    const asked = requireNotDeployed(bare.database, sessionId);
    if (code === null) await expect(asked).resolves.toBeUndefined();
    else await expect(asked).rejects.toMatchObject({ code, message });
  });

  test("of another session is none of it", async () => {
    await adjusted("applied");
    await expect(requireNotDeployed(bare.database, bare.sessionId)).resolves.toBeUndefined();
    await expect(requireApplied(bare.database, bare.sessionId)).rejects.toMatchObject({
      code: "NOTHING_TO_ROLL_BACK",
    });
  });
});
