import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { ReportItem } from "@stocktake/contract";
import { describe, expect, it } from "vitest";
import { reportCsv } from "./csv.ts";

function item(change: Partial<ReportItem> = {}): ReportItem {
  return {
    productTitle: "Tee",
    image: null,
    size: "M",
    sku: "TEE-M",
    startOnHand: 10,
    endOnHand: 7,
    naturalMovement: -3,
    counted: 9,
    variance: 2,
    unitCost: 12.5,
    costImpact: 25,
    areas: ["Front", "Back"],
    manual: false,
    skipReason: null,
    firstCountedAt: null,
    lastCountedAt: null,
    varianceAtCount: { low: 2, high: 2 },
    ...change,
  };
}

const header =
  "Product,Size,SKU,Start ON_HAND,End ON_HAND,Natural Movement,Counted,Variance,Unit Cost,Cost Impact,Areas Found";

// As bytes: decoding as text would drop the byte order mark.
async function read(csv: Readable): Promise<string> {
  return (await buffer(csv)).toString("utf8");
}

describe("the CSV", () => {
  it("has a byte order mark, CR LF, bare numbers and money with two decimals", async () => {
    expect(await read(reportCsv([item()]))).toBe(
      `\uFEFF${header}\r\nTee,M,TEE-M,10,7,-3,9,2,12.50,25.00,Front; Back\r\n`,
    );
  });

  it("leaves unknown values empty", async () => {
    const csv = await read(reportCsv([item({ size: null, unitCost: null, costImpact: null, areas: [] })]));
    expect(csv.split("\r\n")[1]).toBe("Tee,,TEE-M,10,7,-3,9,2,,,");
  });

  it("quotes quotes, commas and line breaks", async () => {
    const csv = await read(reportCsv([item({ productTitle: 'The "Big", red\nTee' })]));
    expect(csv).toContain('"The ""Big"", red\nTee",M,');
  });

  it("makes text of what a spreadsheet would run as a formula", async () => {
    for (const start of ["=", "+", "-", "@", "\t", "\r"]) {
      const csv = await read(reportCsv([item({ productTitle: `${start}1+1` })]));
      expect(csv.slice(header.length + 3).replace(/^"/, "")).toMatch(/^'/);
    }
  });

  it("keeps emoji and right-to-left text", async () => {
    expect(await read(reportCsv([item({ productTitle: "חולצה 👕" })]))).toContain("\r\nחולצה 👕,");
  });

  it("gives the header alone for a report without rows", async () => {
    expect(await read(reportCsv([]))).toBe(`\uFEFF${header}\r\n`);
  });

  it("writes more rows than a stream holds at once", async () => {
    const csv = await read(reportCsv(Array.from({ length: 5000 }, (_, index) => item({ sku: `S${index}` }))));
    expect(csv.trimEnd().split("\r\n")).toHaveLength(5001);
  });
});
