import { describe, expect, it } from "vitest";
import { csvCatalogue } from "./csv.ts";

const EXPORT = `Handle,Title,Body (HTML),Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Price,Variant Barcode,Image Src,Cost per item,Status
rain-hat,Rain Hat,"Keeps rain off,
even on Sundays",Size,S,Colour,Red,HAT-S,shopify,4,20,'2900000000018,https://pictures.example/hat.jpg,6.5,active
rain-hat,,,,M,,Red,,shopify,-1,20,,,,
rain-hat,,,,,,,,,,,,https://pictures.example/hat-2.jpg,,
umbrella,Umbrella,,Title,Default Title,,,UMB,,0,30,,,,draft
`;

describe("a Shopify product export", () => {
  it("becomes products with the rows of one handle as variants", () => {
    const { catalogue, notes } = csvCatalogue(EXPORT, "export.csv");
    expect(notes).toEqual([]);
    expect(catalogue.products).toEqual([
      {
        title: "Rain Hat",
        vendor: "",
        productType: "",
        handle: "rain-hat",
        status: "ACTIVE",
        image: { kind: "address", url: "https://pictures.example/hat.jpg" },
        variants: [
          {
            title: "S / Red",
            sku: "HAT-S",
            barcode: "2900000000018",
            options: [
              { name: "Size", value: "S" },
              { name: "Colour", value: "Red" },
            ],
            tracked: true,
            unitCost: "6.50",
            stock: [{ available: 4 }, { available: 0 }],
          },
          {
            title: "M / Red",
            sku: null,
            barcode: null,
            options: [
              { name: "Size", value: "M" },
              { name: "Colour", value: "Red" },
            ],
            tracked: true,
            unitCost: null,
            stock: [{ available: -1 }, { available: 0 }],
          },
        ],
      },
      {
        title: "Umbrella",
        vendor: "",
        productType: "",
        handle: "umbrella",
        status: "DRAFT",
        image: null,
        variants: [
          {
            title: "Default Title",
            sku: "UMB",
            barcode: null,
            options: [{ name: "Title", value: "Default Title" }],
            tracked: false,
            unitCost: null,
            stock: [{ available: 0 }, { available: 0 }],
          },
        ],
      },
    ]);
  });

  it("names each bad line by its number in the file, line breaks in cells counted", () => {
    const text = `Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant Inventory Qty,Cost per item
hat,Hat,"two
lines",Size,S,many,6
,No handle,,,,,
cap,,,Size,S,1,1
hat,,,,M,1,six
`;
    expect(csvCatalogue(text, "bad.csv").notes).toEqual([
      { line: 2, message: "The quantity many is not a whole number: taken as 0." },
      { line: 4, message: "The handle is empty: the line is left out." },
      { line: 5, message: "cap has no title yet: the line is left out." },
      { line: 6, message: "The cost six is not an amount: left unknown." },
    ]);
  });
});

describe("a list of codes", () => {
  const LIST = `gtin,title,brand,category,source
2900000000018,Oat Biscuits,Miller,Biscuits,list
001151,Short Code,Miller,Biscuits,list
2900000000011,Wrong Digit,Miller,Biscuits,list
,No Code,Miller,Biscuits,list
2900000000025,,Miller,Biscuits,list
`;

  it("becomes one product a line, with SKUs that are not the codes", () => {
    const { catalogue } = csvCatalogue(LIST, "codes.csv");
    expect(
      catalogue.products.map(({ title, variants }) => [title, variants[0]?.sku, variants[0]?.barcode]),
    ).toEqual([
      ["Oat Biscuits", "SKU-000001", "2900000000018"],
      ["Short Code", "SKU-000002", "001151"],
      ["Wrong Digit", "SKU-000003", "2900000000011"],
      ["2900000000025", "SKU-000005", "2900000000025"],
    ]);
  });

  it("says what is wrong with each bad line", () => {
    expect(csvCatalogue(LIST, "codes.csv").notes).toEqual([
      { line: 3, message: "001151 has 6 digits, which no GTIN has: kept as a plain barcode." },
      { line: 4, message: "2900000000011 has a wrong check digit: kept as a plain barcode." },
      { line: 5, message: '"" is not a number: the line is left out.' },
      { line: 6, message: "The title is empty: the code is used in its place." },
    ]);
  });

  it("gives the same stock and costs for the same file, and another mark for another one", () => {
    const first = csvCatalogue(LIST, "codes.csv").catalogue;
    expect(csvCatalogue(LIST, "codes.csv").catalogue).toEqual(first);
    expect(csvCatalogue(`${LIST}2900000000025,More,,,\n`, "codes.csv").catalogue.fingerprint).not.toBe(
      first.fingerprint,
    );
  });
});

describe("a file that cannot be a catalogue", () => {
  it("is refused with what was expected", () => {
    expect(() => csvCatalogue("name,price\na,1\n", "x.csv")).toThrow(
      "The file is neither a Shopify product export",
    );
    expect(() => csvCatalogue("gtin,title\n,\n", "x.csv")).toThrow("x.csv holds no product.");
  });
});
