import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allSteps } from "../in-steps.ts";
import { barcodeKey } from "./gtin.ts";
import { indexProducts, type MatchableProduct, matchProduct } from "./matching.ts";
import { beginPackedTables, packedIndex } from "./packed-index.ts";

/** The contract's sentences taken one by one over the whole catalogue, without any table. */
function matchOneByOne(products: readonly MatchableProduct[], input: string, inputType: "barcode" | "sku") {
  const code = input.trim();
  const label = (product: MatchableProduct) => product.plainSku ?? product.sku;
  const hasBarcode = ({ barcode }: MatchableProduct) =>
    barcode !== null && barcode.trim() !== "" && barcodeKey(barcode) === barcodeKey(code);
  const isNamed = ({ sku }: MatchableProduct) => inputType === "sku" && sku === code;
  const hasSku = (product: MatchableProduct) => product.sku === code || label(product) === code;
  const endsWithCode = (product: MatchableProduct) =>
    /^[0-9]{4,8}$/.test(code) && label(product).endsWith(code);
  const barcodes = { by: "barcode", found: products.filter(hasBarcode) };
  const skus = { by: "sku", found: products.filter(products.some(isNamed) ? isNamed : hasSku) };
  const endings = { by: "short_code", found: products.filter(endsWithCode) };
  const steps = inputType === "sku" ? [skus, barcodes, endings] : [barcodes, skus, endings];
  const step = code === "" ? undefined : steps.find(({ found }) => found.length > 0);
  if (step === undefined) return { kind: "none" };
  const { by, found } = step;
  return found.length === 1
    ? { kind: "one", product: found[0], by }
    : { kind: "several", products: found, by };
}

// Few digits and few lengths, so that codes meet: shared barcodes, a UPC-A beside its EAN-13, a SKU that is a barcode.
const digits = (lengths: number[]) =>
  fc.oneof(
    ...lengths.map((length) =>
      fc
        .array(fc.constantFrom("0", "1"), { minLength: length, maxLength: length })
        .map((all) => all.join("")),
    ),
  );
const withCheckDigit = digits([7, 11, 12, 13]).map((body) => {
  const sum = [...body]
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0);
  return body + String((10 - (sum % 10)) % 10);
});
const code = fc.oneof(
  digits([3, 4, 5, 8, 9]),
  withCheckDigit,
  fc.constantFrom("", " ", "TEE-0011", "tee-0011", "BAG", "A1", "é-0110"),
);
const padded = code.map((text) => ` ${text}`);

const products = fc.uniqueArray(
  fc.record(
    { sku: code, barcode: fc.option(fc.oneof(code, padded)), plainSku: code },
    { requiredKeys: ["sku", "barcode"] },
  ),
  { selector: (product) => product.sku, maxLength: 30 },
);

/** Products that lie elsewhere, as both sides keep them. */
function packProducts(products: readonly MatchableProduct[]) {
  const { add, tables } = beginPackedTables();
  for (const product of products) add(product);
  return packedIndex(allSteps(tables()), (row) => {
    const product = products[row];
    if (product === undefined) throw new Error(`There is no row ${row}.`);
    return product;
  });
}

describe.each([
  ["look-up tables", indexProducts],
  ["packed tables", packProducts],
])("matching by %s", (_name, indexOf) => {
  it("gives what reading the whole catalogue gives, in its order", () => {
    fc.assert(
      fc.property(
        products,
        fc.oneof(code, padded),
        fc.constantFrom("barcode" as const, "sku" as const),
        (catalogue, input, inputType) => {
          expect(matchProduct(indexOf(catalogue), input, inputType)).toEqual(
            matchOneByOne(catalogue, input, inputType),
          );
        },
      ),
      { numRuns: 2000 },
    );
  });
});
