import { limits } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import type { LiveLevel } from "../../shopify/levels.ts";
import { type DeployedRow, previewRow, summariseRollback } from "./preview-rollback.ts";

function deployed(changes: Partial<DeployedRow> = {}): DeployedRow {
  return { sku: "A", productTitle: "Jacket", size: "M", delta: -3, availableAfterDeploy: 10, ...changes };
}

function level(available: number, changes: Partial<LiveLevel> = {}): LiveLevel {
  const stock = {
    available,
    committed: 2,
    onHand: available + 2,
    availableUpdatedAt: null,
    levelUpdatedAt: null,
  };
  return { tracked: true, stocked: true, ...stock, ...changes };
}

describe("a SKU before its rollback", () => {
  test("that is as it was deployed has not moved", () => {
    expect(previewRow(deployed(), level(10))).toEqual({
      sku: "A",
      productTitle: "Jacket",
      size: "M",
      delta: -3,
      onHandNow: 12,
      afterRollback: 9,
      availableNow: 10,
      availableAfter: 7,
      movedSince: 0,
      wouldGoNegative: false,
      cannotMove: null,
    });
  });

  test.each([
    ["sold", 6, -4],
    ["received", 15, 5],
  ])("that was %s since has moved by just that", (_what, available, movedSince) => {
    expect(previewRow(deployed(), level(available)).movedSince).toBe(movedSince);
  });

  test("goes negative where available does, though what is on hand does not", () => {
    const row = previewRow(deployed(), level(2));
    expect(row).toMatchObject({ afterRollback: 1, availableAfter: -1, wouldGoNegative: true });
    expect(previewRow(deployed(), level(3)).wouldGoNegative).toBe(false);
    const held = level(5, { committed: -3, onHand: 2 });
    expect(previewRow(deployed(), held)).toMatchObject({ afterRollback: -1, wouldGoNegative: true });
  });

  test("that is below zero already is not made so by a rollback that adds", () => {
    expect(previewRow(deployed({ delta: 2 }), level(-9)).wouldGoNegative).toBe(false);
  });

  test("whose level is inactive is moved like any other", () => {
    expect(previewRow(deployed(), level(10, { stocked: false }))).toEqual(previewRow(deployed(), level(10)));
  });

  test("that a person settled has an unknown movement", () => {
    const row = previewRow(deployed({ availableAfterDeploy: null }), level(10));
    expect(row).toMatchObject({ movedSince: null, cannotMove: null, onHandNow: 12 });
  });

  test.each([
    ["DELETED", null],
    ["UNTRACKED", level(1, { tracked: false })],
  ])("that can't be moved (%s) shows no figures", (cannotMove, found) => {
    expect(previewRow(deployed(), found)).toMatchObject({
      cannotMove,
      onHandNow: null,
      afterRollback: null,
      availableAfter: null,
      movedSince: null,
      wouldGoNegative: false,
    });
  });
});

describe("the summary before a rollback", () => {
  test("counts every kind and lists the most serious first, and nothing that has not moved", () => {
    const outlook = summariseRollback([
      previewRow(deployed({ sku: "still" }), level(10)),
      previewRow(deployed({ sku: "sold one" }), level(9)),
      previewRow(deployed({ sku: "sold three" }), level(7)),
      previewRow(deployed({ sku: "unknown", availableAfterDeploy: null }), level(10)),
      previewRow(deployed({ sku: "gone" }), null),
      previewRow(deployed({ sku: "short" }), level(1)),
    ]);
    expect(outlook).toMatchObject({
      checked: 6,
      moved: 3,
      negative: 1,
      cannotMove: 1,
      unknown: 1,
      affected: 5,
    });
    const names = outlook.rows.map(({ sku }) => sku);
    expect(names).toEqual(["short", "gone", "unknown", "sold three", "sold one"]);
  });

  test("lists by how serious it is before anything else", () => {
    const { rows } = summariseRollback([
      previewRow(deployed({ sku: "a sold" }), level(4)),
      previewRow(deployed({ sku: "b unknown", availableAfterDeploy: null }), level(10)),
      previewRow(deployed({ sku: "c gone" }), null),
      previewRow(deployed({ sku: "d short, as it was deployed", availableAfterDeploy: 1 }), level(1)),
    ]);
    expect(rows.map(({ sku }) => sku)).toEqual([
      "d short, as it was deployed",
      "c gone",
      "b unknown",
      "a sold",
    ]);
  });

  test("lists what moved further first, whichever way, and what moved as far by its SKU", () => {
    const moved = [
      ["b", 8],
      ["a", 8],
      ["c", 12],
      ["received", 13],
      ["settled b", null],
      ["settled a", null],
    ] as const;
    const { rows } = summariseRollback(
      moved.map(([sku, available]) =>
        previewRow(
          deployed({ sku, delta: 1, availableAfterDeploy: available === null ? null : 10 }),
          level(available ?? 10),
        ),
      ),
    );
    expect(rows.map(({ sku }) => sku)).toEqual(["settled a", "settled b", "received", "a", "b", "c"]);
  });

  test("lists no more than the limit, and counts all of them", () => {
    const many = Array.from({ length: limits.previewRows + 7 }, (_nothing, index) =>
      previewRow(deployed({ sku: String(index) }), level(9)),
    );
    const { rows, affected, moved } = summariseRollback(many);
    expect({ named: rows.length, affected, moved }).toEqual({
      named: limits.previewRows,
      affected: limits.previewRows + 7,
      moved: limits.previewRows + 7,
    });
  });
});
