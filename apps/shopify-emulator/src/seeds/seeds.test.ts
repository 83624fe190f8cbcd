import { describe, expect, it } from "vitest";
import type { VariantSeed } from "../catalogue.ts";
import { demoCatalogue } from "./demo.ts";
import { garmentDrawing } from "./drawings.ts";
import { inStoreEan13, inStoreUpc } from "./ean13.ts";
import { GARMENTS } from "./garments.ts";
import { syntheticCatalogue } from "./synthetic.ts";

function variantsOf(catalogue = demoCatalogue()): VariantSeed[] {
  return catalogue.products.flatMap(({ variants }) => variants);
}

/** Texts that occur more than once. */
function repeated(texts: readonly (string | null | undefined)[]): string[] {
  const given = texts.filter((text) => typeof text === "string");
  return [...new Set(given.filter((text, index) => given.indexOf(text) !== index))];
}

/** The sum of a GS1 number with its check digit, which is a multiple of ten for a right one. */
function gs1Sum(code: string): number {
  return [...code]
    .reverse()
    .reduce((sum, digit, place) => sum + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
}

describe("the demo shop", () => {
  it("is the same every time", () => {
    expect(demoCatalogue()).toEqual(demoCatalogue());
  });

  it("sells about sixty styles and four hundred variants in two shops", () => {
    const { products, locations } = demoCatalogue();
    expect([products.length, variantsOf().length, locations.length]).toEqual([63, 394, 2]);
  });

  it("has valid codes that no real company can have", () => {
    const codes = variantsOf().flatMap(({ barcode }) => (barcode ? [barcode] : []));
    expect(codes.filter((code) => gs1Sum(code) % 10 !== 0)).toEqual([]);
    expect(codes.filter((code) => !/^(2[0-9]\d{11}|2\d{11})$/.test(code))).toEqual([]);
  });

  it("has the irregularities of real catalogues", () => {
    const variants = variantsOf();
    const count = (fits: (variant: VariantSeed) => boolean) => variants.filter(fits).length;
    const onHand = (stock: object) => Object.values(stock).reduce((sum, part) => sum + Number(part), 0);
    expect({
      untracked: count(({ tracked }) => tracked === false),
      bundles: count(({ requiresComponents }) => requiresComponents === true),
      notStockedSomewhere: count(({ stock }) => stock?.includes(null) ?? false),
      withoutSku: count(({ sku }) => sku === null),
      sharedSkus: repeated(variants.map(({ sku }) => sku)),
      sharedBarcodes: repeated(variants.map(({ barcode }) => barcode)).length,
      withoutCost: count(({ unitCost }) => (unitCost ?? null) === null),
      negative: count(({ stock }) => stock?.some((level) => level !== null && onHand(level) < 0) ?? false),
    }).toEqual({
      untracked: 3,
      bundles: 1,
      notStockedSomewhere: 8,
      withoutSku: 1,
      sharedSkus: ["RIBB-OAT-SOCK"],
      sharedBarcodes: 1,
      withoutCost: 4,
      negative: 3,
    });
  });

  it("has a SKU of its own ending in five digits for nearly every variant", () => {
    const endings = variantsOf().flatMap(({ sku }) => /\d{5}$/.exec(sku ?? "")?.[0] ?? []);
    expect([endings.length, new Set(endings).size]).toEqual([390, 390]);
  });

  it("has a handle of its own for every product", () => {
    expect(repeated(demoCatalogue().products.map(({ handle }) => handle))).toEqual([]);
  });
});

describe("codes", () => {
  it("carry the check digit of GS1", () => {
    expect([inStoreEan13(20_401), inStoreUpc(20_401)]).toEqual(["2900000204010", "200000204013"]);
  });
});

describe("drawings", () => {
  it.each(Object.keys(GARMENTS))("show a %s in its colour", (garment) => {
    const drawing = garmentDrawing(garment, "#a9583b");
    expect(drawing).toMatch(/^<svg [^>]*viewBox="0 0 400 600"/);
    expect(drawing).toContain("rgb(169 88 59)");
    expect(drawing).not.toMatch(/undefined|NaN/);
  });

  it("take nothing but a colour into the picture", () => {
    const drawing = garmentDrawing("tee", '"/><script>alert(1)</script>');
    expect(drawing).not.toContain("script");
    expect(drawing).toBe(garmentDrawing("hat that nobody drew", "#8a8f94"));
  });
});

describe("a generated shop", () => {
  it("has exactly the variants asked for, each with its own SKU and code", () => {
    const variants = variantsOf(syntheticCatalogue(1003));
    expect(variants).toHaveLength(1003);
    expect(repeated(variants.flatMap(({ sku, barcode }) => [sku, barcode]))).toEqual([]);
  });
});
