import { describe, expect, it } from "vitest";
import { cancellingSizes } from "./cancelling-sizes.ts";
import { type CountedSku, likelySwaps } from "./likely-swaps.ts";

const order = [
  ["Window", "Denim wall", "Till"],
  ["Back 1", "Back 2"],
];

function size(name: string, variance: number, changes: Partial<CountedSku> = {}): CountedSku {
  return {
    ...{ sku: `LIN-${name}`, productTitle: "Linen Shirt", size: name, variance, areas: ["Window"] },
    ...changes,
  };
}

function groups(...skus: readonly CountedSku[]): string[] {
  return cancellingSizes(skus, order, likelySwaps(skus, order)).map((sizes) =>
    sizes.map(({ sku, variance }) => `${sku} ${variance}`).join(", "),
  );
}

const [small, medium, large] = [size("S", -1), size("M", 3), size("L", -2)];

describe("sizes of one product that cancel out", () => {
  it("are two or more that vary and come to nothing, in the order of their sizes, whichever comes first", () => {
    expect(groups(small, medium, large)).toEqual(["LIN-S -1, LIN-M 3, LIN-L -2"]);
    expect(groups(large, small, medium, size("XL", 0))).toEqual(["LIN-S -1, LIN-M 3, LIN-L -2"]);
    expect(groups(size("S", 2), size("XL", -2))).toEqual(["LIN-S 2, LIN-XL -2"]);
  });

  it("are none where anything is left over, of two products, or without a title", () => {
    expect(groups(small, medium)).toEqual([]);
    expect(groups(small, medium, large, size("XL", -1))).toEqual([]);
    expect(groups(small, medium, { ...large, productTitle: "Silk Shirt" })).toEqual([]);
    expect(groups(...[small, medium, large].map((sku) => ({ ...sku, productTitle: " " })))).toEqual([]);
  });

  it("are none of which one is half of a pair; what the pair leaves is one", () => {
    const pair = [size("36", 1), size("38", -1)];
    expect(groups(...pair)).toEqual([]);
    expect(groups(...pair, size("48", -1), size("52", 3), size("60", -2))).toEqual([
      "LIN-48 -1, LIN-52 3, LIN-60 -2",
    ]);
  });

  it("were counted: what was found nowhere is none of them", () => {
    expect(groups(small, medium, { ...large, areas: [] })).toEqual([]);
  });

  it("lie in the same area or in adjacent ones, each beside another of them", () => {
    const wall = { areas: ["Denim wall"] };
    expect(groups(small, size("M", 3, wall), size("L", -2, { areas: ["Till"] }))).toHaveLength(1);
    expect(groups(small, medium, size("L", -2, { areas: ["Till"] }))).toEqual([]);
    expect(groups(small, medium, size("L", -2, { areas: ["Back 1"] }))).toEqual([]);
    const both = { areas: ["Window", "Back 2"] };
    expect(groups(small, size("M", 3, both), size("L", -2, { areas: ["Back 1"] }))).toHaveLength(1);
    // What varies far from them is no part of them.
    expect(groups(small, medium, large, size("XL", 9, { areas: ["Back 1"] }))).toHaveLength(1);
  });
});

it("those of most units come first, then in the order of their SKUs, in whatever order the SKUs come", () => {
  const of = (productTitle: string, units: number) =>
    [units, 1, -1 - units].map((variance, index) =>
      size(["S", "M", "L"][index] ?? "", variance, { sku: `${productTitle}-${index}`, productTitle }),
    );
  const skus = [...of("Tee", 2), ...of("Belt", 2), ...of("Socks", 5)];
  for (const given of [skus, skus.toReversed()]) {
    expect(groups(...given)).toEqual([
      "Socks-0 5, Socks-1 1, Socks-2 -6",
      "Belt-0 2, Belt-1 1, Belt-2 -3",
      "Tee-0 2, Tee-1 1, Tee-2 -3",
    ]);
  }
});
