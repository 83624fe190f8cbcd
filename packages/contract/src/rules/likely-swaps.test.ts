import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cancellingSizes } from "./cancelling-sizes.ts";
import { type CountedSku, likelySwaps } from "./likely-swaps.ts";
import { lookAlike } from "./look-alikes.ts";
import { compareSizes, nextSizesAmong } from "./size-order.ts";

const order = [
  ["Window", "Denim wall", "Till"],
  ["Back 1", "Back 2"],
];

function counted(changes: Partial<CountedSku>): CountedSku {
  return { sku: "LIN-M", productTitle: "Linen Shirt", size: "M", variance: 3, areas: ["Window"], ...changes };
}

const over = counted({});
const short = counted({ sku: "LIN-L", size: "L", variance: -3 });

function pairs(...skus: readonly CountedSku[]): string[] {
  return likelySwaps(skus, order).map(
    (pair) => `${pair.over.sku} ${pair.short.sku} ${pair.units} ${pair.why}`,
  );
}

describe("neighbouring variants of one product", () => {
  it("with as many units too many as too few in the same area are a pair, whichever comes first", () => {
    expect(pairs(over, short)).toEqual(["LIN-M LIN-L 3 neighbours"]);
    expect(pairs(short, over)).toEqual(["LIN-M LIN-L 3 neighbours"]);
  });

  it("are none with other amounts, another product, no title, or a size between them", () => {
    expect(pairs(over, { ...short, variance: -2 })).toEqual([]);
    expect(pairs(over, { ...short, sku: "SILK-9", productTitle: "Silk Shirt" })).toEqual([]);
    expect(pairs({ ...over, productTitle: " " }, { ...short, sku: "SILK-9", productTitle: " " })).toEqual([]);
    expect(pairs(over, { ...short, sku: "LIN-3XL", size: "XXXL" })).toEqual([]);
    const numbers = [
      { ...over, size: "36" },
      { ...short, sku: "LIN-38", size: "38" },
    ];
    expect(pairs(...numbers)).toHaveLength(1);
    expect(pairs(...numbers, counted({ sku: "LIN-37", size: "37", variance: 1 }))).toEqual([]);
  });

  it("may be of one size, as colours are, or of sizes on no scale", () => {
    expect(pairs(over, { ...short, sku: "LIN-NAVY-M", size: "M" })).toHaveLength(1);
    expect(pairs({ ...over, size: "Petite" }, { ...short, sku: "LIN-TALL", size: "Tall" })).toHaveLength(1);
  });

  it("may be in adjacent areas of a location, not in others", () => {
    expect(pairs(over, { ...short, areas: ["Denim wall"] })).toHaveLength(1);
    expect(pairs(over, { ...short, areas: ["Till"] })).toEqual([]);
    expect(pairs({ ...over, areas: ["Till"] }, { ...short, areas: ["Back 1"] })).toEqual([]);
  });

  it("are a pair too where all of the short one was counted as the other, so that it was found nowhere", () => {
    expect(pairs(over, { ...short, areas: [] })).toHaveLength(1);
    expect(pairs({ ...over, areas: [] }, short)).toEqual([]);
  });

  it("are none where neither was counted: less than nothing in stock is too many too", () => {
    expect(pairs({ ...over, areas: [] }, { ...short, areas: [] })).toEqual([]);
  });
});

describe("codes that look alike", () => {
  it("differ in one character, or in two neighbouring ones exchanged", () => {
    expect(lookAlike("TEE-1041", "TEE-1047")).toBe(true);
    expect(lookAlike("TEE-1041", "tee-1401")).toBe(true);
    expect(lookAlike("TEE-1041", "TEE-1041")).toBe(false);
    expect(lookAlike("TEE-1041", "TEE-10411")).toBe(false);
    expect(lookAlike("TEE-1041", "TEE-1143")).toBe(false);
    expect(lookAlike("TEE-1041", "TEE-4011")).toBe(false);
    expect(lookAlike("TEE-1041", "TEE-2143")).toBe(false);
  });

  it("are a pair over two products, where both were found", () => {
    const socks = counted({ sku: "LIN-N", productTitle: "Socks", size: null, variance: -3 });
    expect(pairs(over, socks)).toEqual(["LIN-M LIN-N 3 look_alike"]);
    expect(pairs(over, { ...socks, sku: "LI-NM" })).toEqual(["LIN-M LI-NM 3 look_alike"]);
    expect(pairs(over, { ...socks, areas: [] })).toEqual([]);
    expect(pairs(over, { ...socks, areas: ["Till"] })).toEqual([]);
    expect(pairs({ ...over, sku: "A1" }, { ...socks, sku: "A2" })).toEqual([]);
  });
});

it("a SKU is in one pair: neighbours come before look-alikes, the same area before the next, more units before fewer", () => {
  const alike = counted({ sku: "LIN-N", productTitle: "Socks", variance: -3 });
  expect(pairs(alike, over, { ...short, areas: ["Denim wall"] })).toEqual(["LIN-M LIN-L 3 neighbours"]);
  const far = counted({ sku: "LIN-S", size: "S", variance: -3, areas: ["Denim wall"] });
  expect(pairs(far, over, short)).toEqual(["LIN-M LIN-L 3 neighbours"]);
  const few = [counted({ sku: "TEE-1", productTitle: "Tee", variance: 1 })];
  const fewer = counted({ sku: "TEE-2", productTitle: "Tee", size: "L", variance: -1 });
  expect(pairs(...few, fewer, over, short)).toEqual(["LIN-M LIN-L 3 neighbours", "TEE-1 TEE-2 1 neighbours"]);
});

it("the pairs are the same in whatever order the SKUs come", () => {
  const small = counted({ sku: "LIN-S", size: "S", variance: -3 });
  for (const skus of [
    [over, short, small],
    [small, short, over],
    [short, over, small],
  ]) {
    expect(pairs(...skus)).toEqual(["LIN-M LIN-L 3 neighbours"]);
  }
});

describe("of 60 swaps of neighbours among 60 unrelated pairs of as many units too many and too few", () => {
  const letters = ["XS", "S", "M", "L", "XL"];
  const areas = [
    Array.from({ length: 60 }, (_none, index) => `Floor ${index}`),
    Array.from({ length: 20 }, (_none, index) => `Back ${index}`),
  ];
  const names = areas.flat();

  /** A shop of 2,000 products of five sizes on 80 areas; sizes of a product lie together, or spill into the next area. */
  function scene(seed: number) {
    let state = seed;
    const below = (end: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % end;
    };
    const skus = Array.from({ length: 10_000 }, (_none, index) => {
      const product = Math.floor(index / 5);
      const place = Math.min(names.length - 1, Math.floor(product / 25) + (index % 5 > 2 ? below(2) : 0));
      return {
        sku: `SHIRT-${String(product).padStart(4, "0")}-${letters[index % 5]}`,
        productTitle: `Shirt ${product}`,
        size: letters[index % 5] ?? null,
        variance: 0,
        areas: [names[place] ?? ""],
      };
    });
    const free = (index: number) => skus[index]?.variance === 0;
    const draw = () => {
      for (;;) {
        const index = below(10_000);
        if (free(index)) return index;
      }
    };
    const change = (index: number, variance: number) => Object.assign(skus[index] ?? {}, { variance });
    const swapped = new Set<string>();
    while (swapped.size < 60) {
      const index = draw();
      if (index % 5 === 4 || !free(index + 1)) continue;
      const units = 1 + below(4);
      const [one, other] = below(2) === 0 ? [index, index + 1] : [index + 1, index];
      change(one, units);
      change(other, -units);
      // Of three in ten all was counted as the other.
      if (below(10) < 3) Object.assign(skus[other] ?? {}, { areas: [] });
      swapped.add(`${skus[one]?.sku} ${skus[other]?.sku}`);
    }
    const areRelated = (one: number, other: number) =>
      Math.floor(one / 5) === Math.floor(other / 5) ||
      lookAlike(skus[one]?.sku ?? "", skus[other]?.sku ?? "");
    let unrelated = 0;
    while (unrelated < 60) {
      const one = draw();
      // Half of them lie in one area.
      const other = unrelated % 2 === 0 ? one - (one % 125) + below(125) : draw();
      if (!free(other) || areRelated(one, other)) continue;
      const units = 1 + below(4);
      change(one, units);
      change(other, -units);
      unrelated += 1;
    }
    return { skus, swapped };
  }

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    "at least 54 are found, and with sizes that cancel out at most 6 are wrong, and nothing is changed (seed %i)",
    (seed) => {
      const { skus, swapped } = scene(seed);
      const before = structuredClone(skus);
      const pairs = likelySwaps(skus, areas);
      const groups = cancellingSizes(skus, areas, pairs);
      const found = [
        ...pairs.map((pair) => `${pair.over.sku} ${pair.short.sku}`),
        ...groups.map((sizes) => sizes.map(({ sku }) => sku).join(" ")),
      ];
      const right = found.filter((pair) => swapped.has(pair));
      expect(right.length).toBeGreaterThanOrEqual(54);
      expect(found.length - right.length).toBeLessThanOrEqual(6);
      expect(skus).toEqual(before);
    },
  );
});

/** The rule as it is said, each SKU with each other: the pairs of all ranks in their order, of which each is taken whose SKUs are free. */
function asItIsSaid(skus: readonly CountedSku[], order: readonly (readonly string[])[]): string[] {
  const isBeside = (one: string, other: string) =>
    order.some((names) =>
      names.some((name, at) => name === one && [names[at - 1], names[at + 1]].includes(other)),
    );
  const distance = (one: CountedSku, other: CountedSku) => {
    if (one.areas.some((area) => other.areas.includes(area))) return 0;
    return one.areas.some((area) => other.areas.some((next) => isBeside(area, next))) ? 1 : null;
  };
  const rankOf = (over: CountedSku, short: CountedSku): number | null => {
    const title = over.productTitle.trim();
    const product = skus.filter((each) => each.variance !== 0 && each.productTitle.trim() === title);
    const apart = distance(over, short);
    const isNext = nextSizesAmong(product.map(({ size }) => size));
    if (title !== "" && title === short.productTitle.trim() && isNext(over.size, short.size)) {
      if (apart !== null) return apart;
      if (short.areas.length === 0 && over.areas.length > 0) return 4;
    }
    const areLong = over.sku.length >= 5 && short.sku.length >= 5;
    return apart !== null && areLong && lookAlike(over.sku, short.sku) ? 2 + apart : null;
  };
  const candidates = skus
    .filter(({ variance }) => variance > 0)
    .flatMap((over) =>
      skus.flatMap((short) => {
        const rank = short.variance === -over.variance ? rankOf(over, short) : null;
        return rank === null ? [] : [{ over, short, rank }];
      }),
    )
    .sort(
      (one, other) =>
        one.rank - other.rank ||
        other.over.variance - one.over.variance ||
        (one.over.sku === other.over.sku
          ? Number(one.short.sku > other.short.sku) - Number(one.short.sku < other.short.sku)
          : Number(one.over.sku > other.over.sku) - Number(one.over.sku < other.over.sku)),
    );
  const taken = new Set<CountedSku>();
  return candidates.flatMap(({ over, short, rank }) => {
    if (taken.has(over) || taken.has(short)) return [];
    taken.add(over).add(short);
    const why = rank === 2 || rank === 3 ? "look_alike" : "neighbours";
    return [`${over.sku} ${short.sku} ${over.variance} ${why}`];
  });
}

it("the pairs of any SKUs are those that comparing each with each other finds", () => {
  const code = fc.oneof(
    fc.array(fc.constantFrom("A", "B", "a", "1"), { minLength: 4, maxLength: 6 }).map((all) => all.join("")),
    fc.nat(300).map((number) => `TEE-${number}`),
  );
  const sku = fc.record({
    sku: code,
    productTitle: fc.constantFrom("Shirt", " Shirt ", "Tee", ""),
    size: fc.constantFrom(null, "S", "m", "L", "XXL", "36", "37", "38,5", "FREE", "Tall"),
    variance: fc.integer({ min: -2, max: 2 }),
    areas: fc.uniqueArray(fc.constantFrom(...order.flat()), { maxLength: 2 }),
  });
  const skus = fc.uniqueArray(sku, { selector: ({ sku: each }) => each, maxLength: 40, size: "max" });
  fc.assert(
    fc.property(skus, (drawn) => {
      expect(pairs(...drawn)).toEqual(asItIsSaid(drawn, order));
    }),
  );
});

it("one size is next to another on its scale where it is a step away and none of the others is between them", () => {
  const sizes = fc.array(
    fc.constantFrom(null, "S", "m", "L", "XXL", "6XL", "36", "37", "37,5", "38", "41", "FREE", "Tall"),
  );
  fc.assert(
    fc.property(sizes, (drawn) => {
      const isNext = nextSizesAmong(drawn);
      for (const one of drawn) {
        for (const other of drawn) {
          const between = drawn.some((each) => compareSizes(one, each) * compareSizes(each, other) > 0);
          if (between) expect(isNext(one, other)).toBe(false);
          if (compareSizes(one, other) === 0) expect(isNext(one, other)).toBe(true);
          expect(isNext(one, other)).toBe(isNext(other, one));
        }
      }
    }),
  );
});
