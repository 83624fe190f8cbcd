import type { ProductSeed } from "../catalogue.ts";
import { type CsvRow, cell, type LineNote, type ReadProducts } from "./csv-rows.ts";
import { checkDigit } from "./ean13.ts";
import { type SeededRandom, seededRandom } from "./random.ts";

const GTIN_LENGTHS = [8, 12, 13, 14];

/** Why a code is no GTIN, or null for one. */
function gtinFault(code: string): string | null {
  if (!GTIN_LENGTHS.includes(code.length)) return `${code} has ${code.length} digits, which no GTIN has`;
  return checkDigit(code.slice(0, -1)) === Number(code.at(-1)) ? null : `${code} has a wrong check digit`;
}

type Named = Required<Pick<ProductSeed, "title" | "vendor" | "productType">>;

function product(named: Named, code: string, number: number, random: SeededRandom): ProductSeed {
  const sku = `SKU-${String(number).padStart(6, "0")}`;
  return {
    ...named,
    handle: sku.toLowerCase(),
    variants: [
      {
        sku,
        barcode: code,
        unitCost: random.chance(0.02) ? null : (random.between(40, 3900) / 100).toFixed(2),
        stock: [
          { available: random.between(0, 24) },
          random.chance(0.05) ? null : { available: random.between(0, 24) },
        ],
      },
    ],
  };
}

/**
 * Products of one variant each from gtin,title,brand,category. SKUs run on by line, stock and costs come
 * from a seeded generator, so that the same file always gives the same shop. A code that is no GTIN becomes
 * a plain barcode, as shops have them; a line whose code is not a number is left out, and a code
 * serves as a missing title.
 */
export function gtinProducts(rows: readonly CsvRow[]): ReadProducts {
  const random = seededRandom(rows.length);
  const products: ProductSeed[] = [];
  const notes: LineNote[] = [];
  for (const [index, row] of rows.entries()) {
    const code = cell(row, "gtin");
    const title = cell(row, "title");
    const note = (message: string) => notes.push({ line: row.line, message });
    if (!/^\d+$/.test(code)) {
      note(`${JSON.stringify(code)} is not a number: the line is left out.`);
    } else {
      const fault = gtinFault(code);
      if (fault) note(`${fault}: kept as a plain barcode.`);
      if (title === "") note("The title is empty: the code is used in its place.");
      const [vendor, productType] = [cell(row, "brand"), cell(row, "category")];
      products.push(
        product({ title: title === "" ? code : title, vendor, productType }, code, index + 1, random),
      );
    }
  }
  return { products, notes };
}
