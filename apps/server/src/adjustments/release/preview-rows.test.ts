import { limits } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import type { LiveLevel } from "../../shopify/shopify.ts";
import type { KnownStock } from "./known-stock-queries.ts";
import { previewRow, summarisePreview } from "./preview-rows.ts";
import type { QuestionRow } from "./question.ts";

const backupMadeAt = new Date("2026-03-01T12:00:00Z");

function row(changes: Partial<QuestionRow> = {}): QuestionRow {
  return {
    sku: "A",
    inventoryItemId: "gid://1",
    delta: -2,
    direction: "deploy",
    uncounted: false,
    perhapsBack: false,
    ...changes,
  };
}

function known(changes: Partial<KnownStock> = {}): KnownStock {
  return { productTitle: "Jacket", size: null, measure: "on_hand", before: 7, end: null, ...changes };
}

function level(changes: Partial<LiveLevel> = {}): LiveLevel {
  const untouched = {
    tracked: true,
    stocked: true,
    committed: 2,
    availableUpdatedAt: "2026-03-01T13:00:00Z",
    levelUpdatedAt: null,
  };
  return { ...untouched, onHand: 7, available: 5, ...changes };
}

const looksOf = (live: LiveLevel | null, stock = known(), changes: Partial<QuestionRow> = {}) =>
  previewRow(row(changes), stock, live, backupMadeAt).looks;

describe("a row looks", () => {
  test("moved where Shopify has what it would have, by the quantity that is known", () => {
    expect(looksOf(level({ onHand: 5 }))).toBe("moved");
    expect(looksOf(level({ onHand: 9, available: 3 }), known({ measure: "available", before: 5 }))).toBe(
      "moved",
    );
  });

  test("not moved where it is just as the end found it", () => {
    const levelUpdatedAt = "2026-03-01T11:59:00Z";
    const end = { endOnHand: 7, endLevelUpdatedAt: new Date(levelUpdatedAt) };
    expect(looksOf(level({ levelUpdatedAt }), known({ end }))).toBe("not_moved");
    expect(looksOf(level({ levelUpdatedAt: "2026-03-01T13:00:00Z" }), known({ end }))).toBe("unknown");
  });

  test("by what an inactive level keeps, where it was changed since: stocked, moved and deactivated, it shows nothing as at the end", () => {
    const end = { endOnHand: 0, endLevelUpdatedAt: null };
    const keeps = (onHand: number, at: string | null, levelUpdatedAt: string | null = at) =>
      looksOf(
        level({ stocked: false, onHand, availableUpdatedAt: at, levelUpdatedAt }),
        known({ before: 0, end }),
        { delta: 3 },
      );
    expect(keeps(3, "2026-03-01T13:00:00Z")).toBe("moved");
    expect(keeps(2, "2026-03-01T13:00:00Z")).toBe("unknown");
    expect(keeps(0, "2026-03-01T11:54:00Z")).toBe("not_moved");
    expect(keeps(0, null, "2026-03-01T11:54:00Z")).toBe("not_moved");
    expect(keeps(0, null)).toBe("not_moved");
  });

  test("like neither where it has what it had and was changed since: what a deploy found may have been sold", () => {
    expect(looksOf(level())).toBe("unknown");
  });

  test("like neither, of a rollback, where the deploy itself may have changed it as late as that", () => {
    const ofRollback = { direction: "rollback", delta: 2 } as const;
    const at = (availableUpdatedAt: string) => looksOf(level({ availableUpdatedAt }), known(), ofRollback);
    expect(at("2026-03-01T13:00:00Z")).toBe("unknown");
    expect(at("2026-03-01T11:56:00Z")).toBe("unknown");
    expect(at("2026-03-01T11:54:00Z")).toBe("not_moved");
  });

  test("like neither where anything else moved it, where nothing is known of it, and where it is gone", () => {
    expect(looksOf(level({ onHand: 6 }))).toBe("unknown");
    expect(looksOf(level(), known({ before: null }))).toBe("unknown");
    expect(looksOf(null)).toBe("unknown");
  });

  test("not moved, whatever it has, where Shopify says that it was not touched since well before the backup", () => {
    const sold = { onHand: 5, availableUpdatedAt: "2026-03-01T11:54:00Z" };
    expect(looksOf(level(sold))).toBe("not_moved");
    expect(looksOf(level({ ...sold, availableUpdatedAt: "2026-03-01T11:56:00Z" }))).toBe("moved");
    expect(looksOf(level({ ...sold, availableUpdatedAt: null }))).toBe("moved");
  });
});

describe("all rows together", () => {
  const atEnd = known({ end: { endOnHand: 7, endLevelUpdatedAt: null } });
  const read = (sku: string, onHand: number) =>
    previewRow(row({ sku }), atEnd, level({ onHand }), backupMadeAt);
  const verdictOf = (...onHand: number[]) => {
    const rows = onHand.map((quantity, index) => read(`SKU-${index}`, quantity));
    return summarisePreview(
      onHand.map((_quantity, index) => row({ sku: `SKU-${index}` })),
      rows,
    ).verdict;
  };

  test("are said to be moved all, in part, not at all, or nobody can tell", () => {
    expect(verdictOf(5, 5)).toBe("all");
    expect(verdictOf(5, 7)).toBe("some");
    expect(verdictOf(7, 7)).toBe("none");
    expect(verdictOf(7, 4)).toBe("unclear");
  });

  test("are not all moved while some were not read", () => {
    const asked = [row(), row({ sku: "B" })];
    expect(summarisePreview(asked, [read("A", 5)])).toMatchObject({ total: 2, checked: 1, verdict: "some" });
    expect(summarisePreview(asked, [read("A", 7)])).toMatchObject({ verdict: "unclear" });
  });

  test("are listed up to a bound, what looks moved first, and every one of these by its SKU", () => {
    const many = Array.from({ length: 10_000 }, (_none, index) =>
      read(`SKU-${index}`, [7, 6, 5][index % 3] ?? 0),
    );
    const asked = many.map(({ sku }) => row({ sku }));
    const { rows, movedSkus, ...counts } = summarisePreview(asked, many);
    expect(rows).toHaveLength(limits.previewRows);
    expect(new Set(rows.map(({ looks }) => looks))).toEqual(new Set(["moved"]));
    expect(movedSkus).toHaveLength(3333);
    expect(counts).toMatchObject({
      total: 10_000,
      moved: 3333,
      notMoved: 3334,
      unknown: 3333,
      verdict: "some",
    });
  });

  test("that nobody counted are counted apart", () => {
    const zeroed = row({ sku: "Z", uncounted: true });
    const readZeroed = previewRow(zeroed, known(), level({ onHand: 5 }), backupMadeAt);
    expect(summarisePreview([row(), zeroed], [read("A", 7), readZeroed])).toMatchObject({
      total: 1,
      moved: 0,
      verdict: "none",
      uncounted: { total: 1, moved: 1 },
      movedSkus: ["Z"],
    });
  });
});
