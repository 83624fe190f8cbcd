import { once } from "node:events";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import {
  type CountAdjustment,
  type ReportItem,
  UncertainReason,
  uncertainMessages,
} from "@stocktake/contract";
import { countAdjustment, reportItem } from "@stocktake/contract/examples";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { type ExportedRow, reportCsv } from "./csv.ts";
import type { ExportedSession } from "./exported-session.ts";
import { strictRecords } from "./testing/strict-csv.ts";

function item(change: Partial<ReportItem> = {}): ReportItem {
  return reportItem({
    ...{ productTitle: "Tee", sku: "TEE-M", startOnHand: 10, endOnHand: 7, naturalMovement: -3, counted: 9 },
    ...{ variance: 2, unitCost: 12.5, costImpact: 25, areas: ["Front", "Back"] },
    ...change,
  });
}

function change(over: Partial<CountAdjustment> = {}): CountAdjustment {
  return countAdjustment({ sku: "TEE-M", adjustedAt: "2026-11-20T10:00:00.000Z", ...over });
}

const header = [
  "Product",
  "Size",
  "SKU",
  "Start ON_HAND",
  "End ON_HAND",
  "Natural Movement",
  "Counted",
  "Variance",
  "Unit Cost",
  "Cost Impact",
  "Areas Found",
  "Count History",
  "Uncertain",
  "A Deploy Would Move",
  "Left Out",
  "Session",
  "Audit Hash",
];

/** The column of each field of a row, or null where the page alone shows it. A new field does not compile without. */
const columnOf: Readonly<Record<keyof ReportItem, string | null>> = {
  productTitle: "Product",
  image: null,
  size: "Size",
  sku: "SKU",
  startOnHand: "Start ON_HAND",
  endOnHand: "End ON_HAND",
  naturalMovement: "Natural Movement",
  counted: "Counted",
  variance: "Variance",
  unitCost: "Unit Cost",
  costImpact: "Cost Impact",
  areas: "Areas Found",
  manual: null,
  // Columns of their own behind the history: what a deploy would move, why not all of it, and what is uncertain.
  skipReason: null,
  ...{ leftAlone: null, countedNone: null, withoutEndStock: null, uncertainReasons: null },
  wouldMove: null,
  movedByOthers: null,
  deployed: null,
  firstCountedAt: null,
  lastCountedAt: null,
  varianceAtCount: null,
  uncertain: null,
  included: null,
  search: null,
};

const auditHash = "ab12".repeat(16);
const session = { name: "Spring count", auditHash };

// As bytes: decoding as text would drop the byte order mark.
async function write(rows: readonly ExportedRow[]): Promise<string> {
  return (await buffer(reportCsv(Readable.from([rows]), session))).toString("utf8");
}

function writeItem(change: Partial<ReportItem> = {}): Promise<string> {
  return write([{ item: item(change), history: [] }]);
}

async function cellsOf(row: ExportedRow): Promise<string[]> {
  const [, cells] = strictRecords((await write([row])).slice(1));
  return cells ?? [];
}

/** What a title may hold: what CSV treats specially, what a spreadsheet runs, and text of other scripts. */
const titles = [
  'The "Big" one',
  '"',
  "Red, green, blue",
  "Two\nlines",
  "Two\r\nlines",
  "A lone \r return",
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "＝1+1",
  "\ttab",
  "\rreturn",
  '=HYPERLINK("https://example.com","x")',
  "−1",
  "Tee 👕👩‍👩‍👧",
  "חולצה",
  "قميص",
  "‏RTL mark",
  " padded ",
  "",
];
const formulaStarts = ["=", "+", "-", "@", "＝", "\t", "\r"];

describe("the CSV", () => {
  it("has a byte order mark, CR LF, bare numbers and money with two decimals", async () => {
    expect(await writeItem()).toBe(
      `\uFEFF${header.join(",")}\r\nTee,M,TEE-M,10,7,-3,9,2,12.50,25.00,Front; Back,,,2,,Spring count,${auditHash}\r\n`,
    );
  });

  it("has a column for every field that is not for the page alone", async () => {
    const [found = []] = strictRecords((await write([])).slice(1));
    const named = Object.values(columnOf).filter((column) => column !== null);
    expect(found).toEqual([...named, ...header.slice(-6)]);
  });

  it("says why a figure is uncertain, and where an administrator included it", async () => {
    const reason = { uncertain: "COUNTED_AFTER_END" } as const;
    const words = "counted after the end, and its stock may have moved since";
    expect((await cellsOf({ item: item(reason), history: [] })).at(-5)).toBe(words);
    const included = item({ ...reason, included: true });
    expect((await cellsOf({ item: included, history: [] })).at(-5)).toBe(
      `${words}; included by an administrator`,
    );
    const deployed = await cellsOf({ item: item({ ...reason, deployed: -2 }), history: [] });
    expect(deployed.at(-5)).toBe(`${words}; found after it was deployed`);
  });

  it.each(UncertainReason.options)(
    "says in words that a figure is uncertain because %s",
    async (uncertain) => {
      const cell = (await cellsOf({ item: item({ uncertain }), history: [] })).at(-5);
      expect(cell).toBe(uncertainMessages[uncertain]);
      expect(cell).toMatch(/^[a-z][a-z ,]+$/);
    },
  );

  it("says of a row whose stock moved while it was counted between what its variance lies", async () => {
    const range = { skipReason: "AMBIGUOUS_MOVEMENT", varianceAtCount: { low: -3, high: -1 } } as const;
    expect((await cellsOf({ item: item(range), history: [] })).at(-5)).toBe(
      "its stock moved while it was counted: the variance when counted is between -3 and -1",
    );
    const others = { ...range, movedByOthers: null, varianceAtCount: { low: -2, high: -2 } };
    const cells = await cellsOf({ item: item(others), history: [] });
    expect([cells.at(-5), cells.at(-3)]).toEqual([
      "",
      "another session moved its stock when it was counted, so nobody can tell whether the variance includes that",
    ]);
  });

  it("says what a deploy would move, and why it leaves a row alone", async () => {
    const later = { skipReason: "COUNTED_LATER", wouldMove: null } as const;
    const tail = async (change: Partial<ReportItem>) =>
      (await cellsOf({ item: item(change), history: [] })).slice(-4, -2);
    expect(await tail({ wouldMove: -3 })).toEqual(["-3", ""]);
    expect(await tail(later)).toEqual(["", "Counted in a later session"]);
  });

  it("has no part that another program's separator makes a formula of", async () => {
    const areas = ["Front", "+1", 'Back;"=1+1'];
    const csv = await writeItem({ productTitle: "Tee;=1+1", areas });
    expect(csv.split("\r\n")[1]).toBe(
      `"Tee;'=1+1",M,TEE-M,10,7,-3,9,2,12.50,25.00,"Front; +1; Back;""'=1+1",,,2,,Spring count,${auditHash}`,
    );
  });

  it("leaves unknown values empty", async () => {
    const csv = await writeItem({ size: null, unitCost: null, costImpact: null, areas: [] });
    expect(csv.split("\r\n")[1]).toBe(`Tee,,TEE-M,10,7,-3,9,2,,,,,,2,,Spring count,${auditHash}`);
  });

  it.each(titles)(
    "keeps the title %j through a strict parser and through papaparse",
    async (productTitle) => {
      const csv = (await writeItem({ productTitle, areas: [productTitle] })).slice(1);
      const records = strictRecords(csv);
      const shown = formulaStarts.includes(productTitle.charAt(0)) ? `'${productTitle}` : productTitle;
      expect(records).toEqual([
        header,
        [
          shown,
          "M",
          "TEE-M",
          "10",
          "7",
          "-3",
          "9",
          "2",
          "12.50",
          "25.00",
          shown,
          "",
          "",
          "2",
          "",
          "Spring count",
          auditHash,
        ],
      ]);
      const parsed = Papa.parse<string[]>(csv, { newline: "\r\n", delimiter: "," });
      expect(parsed.errors).toEqual([]);
      expect(parsed.data.slice(0, 2)).toEqual(records);
    },
  );

  it("quotes no number, negative ones included, and treats none as a formula", async () => {
    const csv = await writeItem({ variance: -12, costImpact: -150, naturalMovement: 0 });
    expect(csv).toContain(",10,7,0,9,-12,12.50,-150.00,");
  });

  it("ends each line with the session's name and the hash of its audit log, each empty where there is none", async () => {
    const endOf = async (given: ExportedSession) => {
      const csv = await buffer(reportCsv(Readable.from([[{ item: item(), history: [] }]]), given));
      return strictRecords(csv.toString("utf8").slice(1))[1]?.slice(-2);
    };
    expect(await endOf(session)).toEqual(["Spring count", auditHash]);
    expect(await endOf({ name: "=1+1", auditHash })).toEqual(["'=1+1", auditHash]);
    expect(await endOf({ name: null, auditHash: null })).toEqual(["", ""]);
  });

  it("gives the header alone for a report without rows", async () => {
    expect(await write([])).toBe(`\uFEFF${header.join(",")}\r\n`);
  });

  it("writes page after page, each row with as many fields as the header", async () => {
    const pages = Array.from({ length: 50 }, (_page, page) =>
      Array.from({ length: 100 }, (_row, index) => ({
        item: item({ sku: `S${page}-${index}`, productTitle: titles[index % titles.length] ?? "" }),
        history: [],
      })),
    );
    const csv = (await buffer(reportCsv(Readable.from(pages), session))).toString("utf8");
    const records = strictRecords(csv.slice(1));
    expect(records).toHaveLength(5001);
    expect(records.every((cells) => cells.length === header.length)).toBe(true);
  });
});

describe("the history of manual counts", () => {
  it("shows when, who, from, to and why, oldest first", async () => {
    const history = [
      change({ reason: "Two behind the till; really" }),
      change({ adjustedAt: "2026-11-20T11:30:00.000Z", previousCount: 6, newCount: 0 }),
    ];
    const cells = await cellsOf({ item: item(), history });
    expect(cells.at(-6)).toBe(
      "2026-11-20T10:00:00.000Z admin 4 -> 6 (Two behind the till; really); 2026-11-20T11:30:00.000Z admin 6 -> 0",
    );
  });

  it("keeps a reason with quotes and line breaks in one cell", async () => {
    const cells = await cellsOf({ item: item(), history: [change({ reason: '"found"\r\n=1+1' })] });
    expect(cells).toHaveLength(header.length);
    expect(cells.at(-6)).toBe('2026-11-20T10:00:00.000Z admin 4 -> 6 ("found"\r\n\'=1+1)');
  });
});

describe("whoever reads the lines", () => {
  const page = [{ item: item(), history: [] }];

  it("gets an error when the rows break off, instead of a file that looks whole", async () => {
    async function* pagesThatBreakOff() {
      yield page;
      throw new Error("The database is gone.");
    }
    await expect(buffer(reportCsv(pagesThatBreakOff(), session))).rejects.toThrow("The database is gone.");
  });

  it("has no more pages made than there is room for, and none after going away", async () => {
    let made = 0;
    async function* pages() {
      for (; ; made += 1) yield Array.from({ length: 100 }, () => page).flat();
    }
    const lines = reportCsv(pages(), session);
    await once(lines, "readable");
    lines.destroy();
    await once(lines, "close");
    const room = made;
    expect(room).toBeLessThan(50);
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBe(room);
  });
});
