import { describe, expect, test } from "vitest";
import { attemptsAlone, regroup } from "./regroup.ts";

const rows = (...skus: string[]) => skus.map((sku) => ({ sku, stale: sku.startsWith("busy") }));

describe("rows that were not applied", () => {
  test("go together once more after the first attempt", () => {
    expect(regroup(1, rows("a", "busy-1"))).toEqual({ kind: "together" });
  });

  test("then go apart from the busy ones", () => {
    expect(regroup(2, rows("a", "busy-1", "b"))).toEqual({ kind: "apart", parts: [["a", "b"], ["busy-1"]] });
  });

  test("or in halves where Shopify names none or all of them", () => {
    expect(regroup(2, rows("a", "b", "c"))).toEqual({ kind: "apart", parts: [["a", "b"], ["c"]] });
    expect(regroup(2, rows("busy-1", "busy-2"))).toEqual({ kind: "apart", parts: [["busy-1"], ["busy-2"]] });
  });

  test("are given up alone, after some attempts", () => {
    expect(regroup(attemptsAlone - 1, rows("busy-1"))).toEqual({ kind: "together" });
    expect(regroup(attemptsAlone, rows("busy-1"))).toEqual({ kind: "given-up" });
    expect(attemptsAlone).toBe(6);
  });
});
