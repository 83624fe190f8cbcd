import assert from "node:assert/strict";
import {
  type CountRow,
  printSheets,
  readSheet,
  returnSheet,
  storeCountRows,
  voidSheet,
} from "@stocktake/contract";
import type { StoredScan } from "../../../../apps/server/src/testing/simulated-installation.ts";
import type { Place, ShelfCounter } from "./counter.ts";
import { barcodeOf, type Unit } from "./shelf.ts";
import type { ShelfTrial } from "./shelf-trial.ts";

/** One line of a sheet or row of a file, and what it is called in `Unit.scans`. */
interface Line {
  readonly sku: string;
  readonly quantity: number;
  readonly key: string;
}

/** Some of an area's units, counted at one moment without a phone: on a count sheet, or elsewhere for a file. */
interface Paper {
  readonly kind: "file" | "sheet";
  readonly place: Place;
  readonly who: string;
  /** By the clock of whoever counted. */
  readonly at: string;
  readonly lines: readonly Line[];
  /** The number of the sheet: another one once a restored server has lost it. */
  sheet: number;
  isEntered: boolean;
}

/** What was sent, under the name that `Unit.scans` has for it: a phone's operation id, or a line on paper. */
export type NamedScans = ReadonlyMap<string, StoredScan>;

const unitsOf = (lines: readonly Line[]) => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** What is counted on paper or in files, and what the administrator makes of it while the session is counted. */
export class PaperDesk {
  readonly #trial: ShelfTrial;
  readonly #papers: Paper[] = [];
  /** Numbers of sheets that were printed. */
  readonly #numbers = new Set<number>();
  #wasRestored = false;

  constructor(trial: ShelfTrial) {
    this.#trial = trial;
  }

  get #admin() {
    return this.#trial.installation.admin;
  }

  get #session() {
    return { id: this.#trial.administrator.sessionId };
  }

  /** Some of what a person has still to count is counted on paper or for a file. */
  async count(counter: ShelfCounter, who: string, pick: number): Promise<void> {
    const left = counter.leaveToPaper(pick);
    if (left === null || left.units.length === 0) return;
    const { place, units } = left;
    const name = `paper ${this.#papers.length + 1}`;
    const kind = pick % 4 < 2 ? "file" : "sheet";
    this.#papers.push({
      ...{ kind, place, who: pick % 5 === 0 ? "" : who },
      at: new Date(counter.phone.clock.now()).toISOString(),
      lines: this.#write(units, name, kind),
      sheet: kind === "sheet" ? await this.#print(place) : 0,
      isEntered: false,
    });
  }

  /** A file has some SKUs in several rows; a sheet has a box for each. */
  #write(units: readonly Unit[], name: string, kind: Paper["kind"]): Line[] {
    return [...new Set(units.map(({ sku }) => sku))].flatMap((sku) => {
      const of = units.filter((unit) => unit.sku === sku);
      const each = kind === "file" && this.#trial.draw(2) === 0 ? 1 : of.length;
      return Array.from({ length: of.length / each }, (_line, index) => {
        const key = `${name} ${sku} ${index + 1}`;
        for (const unit of of.slice(index * each, (index + 1) * each)) unit.scans.push(key);
        return { sku, quantity: each, key };
      });
    });
  }

  async #print({ area }: Place): Promise<number> {
    const order = this.#trial.draw(2) === 0 ? ("walk" as const) : ("title" as const);
    const { sheets } = await this.#admin.call(printSheets, {
      ...{ params: this.#session, body: { areaIds: [area.areaId], order } },
    });
    const [sheet] = sheets;
    assert.ok(sheet !== undefined && sheets.length === 1, "one area is one sheet");
    assert.ok(!this.#numbers.has(sheet.number), `sheet ${sheet.number} is printed twice`);
    this.#numbers.add(sheet.number);
    return sheet.number;
  }

  /** Everything on paper of an area is entered. Resolves to its units. */
  async enterOf(areaNumber: number): Promise<number> {
    const papers = this.#papers.filter(({ place }) => place.number === areaNumber);
    for (const paper of papers) if (!paper.isEntered) await this.#enter(paper, "new");
    return papers.reduce((sum, { lines }) => sum + unitsOf(lines), 0);
  }

  async enterAll(): Promise<void> {
    for (const paper of this.#papers) if (!paper.isEntered) await this.#enter(paper, "new");
  }

  /** Somebody enters what was entered already: nothing changes, whatever they key. */
  async enterAgain(): Promise<void> {
    for (const paper of this.#papers) {
      if (!paper.isEntered) continue;
      await this.#enter(paper, "repeated");
      if (paper.kind === "sheet") await this.#expectOver(paper.sheet);
    }
  }

  /** Restored servers may have lost what was entered: it is entered anew before any phone sends. */
  async meetRestored(): Promise<void> {
    this.#wasRestored = true;
    for (const paper of this.#papers) if (paper.isEntered) await this.#enter(paper, "lost");
  }

  async #enter(paper: Paper, state: "new" | "repeated" | "lost"): Promise<void> {
    if (paper.kind === "file") await this.#load(paper, state);
    else await this.#key(paper, state);
    paper.isEntered = true;
  }

  async #load(paper: Paper, state: "new" | "repeated" | "lost"): Promise<void> {
    // Two counts of one minute may look alike, and each is one.
    const body = { file: "counts.csv", rows: this.#rowsOf(paper), countAlike: true };
    const outcome = await this.#admin.attempt(storeCountRows, { params: this.#session, body });
    // A restored session that had ended has everything that was loaded before.
    if (!outcome.ok) return assert.deepEqual([outcome.body.code, state], ["SESSION_CLOSED", "lost"]);
    const { bad, known, counted, unresolved, late } = outcome.body;
    assert.deepEqual({ bad, unresolved, late }, nothingBad);
    const all = { rows: paper.lines.length, units: unitsOf(paper.lines) };
    if (state === "new") assert.deepEqual(counted, all, "a file is counted once");
    else assert.equal(known.rows + counted.rows, all.rows, "a file that is loaded again");
    if (state === "repeated") assert.deepEqual(counted, { rows: 0, units: 0 }, "a file that is loaded twice");
  }

  /** In any order. */
  #rowsOf({ place, who, at, lines }: Paper): CountRow[] {
    const copies = new Map<string, number>();
    const rows = lines.map(({ sku, quantity }, index) => {
      const copy = (copies.get(sku) ?? 0) + 1;
      copies.set(sku, copy);
      const cells = { area: place.area.areaCode, code: barcodeOf(sku), quantity: `${quantity}` };
      return { ...cells, row: index + 2, who, when: at, at, copy };
    });
    const turn = this.#trial.draw(rows.length);
    return [...rows.slice(turn), ...rows.slice(0, turn)];
  }

  async #key(paper: Paper, state: "new" | "repeated" | "lost"): Promise<void> {
    let outcome = await this.#return(paper, state);
    if (!outcome.ok && this.#wasRestored && outcome.body.code === "NOT_FOUND") {
      paper.sheet = await this.#print(paper.place);
      outcome = await this.#return(paper, state);
    }
    assert.ok(outcome.ok, JSON.stringify(outcome.body));
    const { isRepeat, bad, unresolved, late } = outcome.body;
    assert.deepEqual({ bad, unresolved, late }, nothingBad);
    if (state !== "lost") assert.equal(isRepeat, state === "repeated", `sheet ${paper.sheet}`);
  }

  async #return({ sheet: number, who, at, lines }: Paper, state: "new" | "repeated" | "lost") {
    const params = { ...this.#session, number: String(number) };
    const printed = await this.#admin.attempt(readSheet, { params });
    const lineOf = new Map(printed.ok ? printed.body.lines.map(({ code, line }) => [code, line]) : []);
    // Whoever keys a sheet a second time reads something else on it.
    const more = state === "repeated" ? 1 + this.#trial.draw(3) : 0;
    const entries = lines.map(({ sku, quantity }) => {
      const code = barcodeOf(sku);
      return { code, line: lineOf.get(code), quantity: quantity + more };
    });
    const keyed = entries.flatMap(({ line, quantity }) => (line === undefined ? [] : [{ line, quantity }]));
    const others = entries.flatMap(({ code, line, quantity }) =>
      line === undefined ? [{ code, quantity }] : [],
    );
    return this.#admin.attempt(returnSheet, {
      params,
      body: {
        ...{ who, at, declaredTotal: unitsOf(lines) },
        ...(keyed.length > 0 ? { lines: keyed } : {}),
        ...(others.length > 0 ? { others } : {}),
      },
    });
  }

  /** A sheet is printed, lost, declared void, and keyed all the same. */
  async voidOne(counter: ShelfCounter, pick: number): Promise<void> {
    const left = counter.placesLeft;
    const place = left[pick % left.length];
    if (place === undefined) return;
    const number = await this.#print(place);
    const params = { ...this.#session, number: String(number) };
    await this.#admin.call(voidSheet, { params, body: { reason: "Lost" } });
    const others = this.#trial.shelf.skus.map((sku) => ({ code: barcodeOf(sku), quantity: 9 }));
    const outcome = await this.#admin.attempt(returnSheet, { params, body: { who: "", others } });
    assert.equal(outcome.ok ? "kept" : outcome.body.code, "SHEET_OVER", "keying a void sheet");
  }

  /** A sheet that was returned can't become void. */
  async #expectOver(number: number): Promise<void> {
    const params = { ...this.#session, number: String(number) };
    const outcome = await this.#admin.attempt(voidSheet, { params, body: { reason: "Lost" } });
    assert.equal(outcome.ok ? "void" : outcome.body.code, "SHEET_OVER", "declaring a returned sheet void");
  }

  /** Every line of what was entered. */
  keys(): string[] {
    return this.#papers.flatMap(({ isEntered, lines }) => (isEntered ? lines.map(({ key }) => key) : []));
  }

  /** Whether any unit of the SKU was counted so. */
  has(sku: string): boolean {
    return this.#papers.some(({ lines }) => lines.some((line) => line.sku === sku));
  }

  /** Names the stored scans; those of paper that nobody has entered keep their operation ids. */
  name(stored: readonly StoredScan[]): NamedScans {
    const left = new Set(stored);
    const named = new Map<string, StoredScan>();
    for (const paper of this.#papers) {
      for (const { sku, quantity, key } of paper.lines) {
        const isIt = (scan: StoredScan) =>
          scan.sku === sku && scan.quantity === quantity && isOfPaper(paper, scan);
        const scan = [...left].find(isIt);
        if (scan === undefined) continue;
        left.delete(scan);
        named.set(key, scan);
      }
    }
    for (const scan of left) named.set(scan.opId, scan);
    return named;
  }
}

const nothingBad = { bad: [], unresolved: 0, late: 0 };

function isOfPaper({ kind, place, at, sheet }: Paper, { deviceId, areaId, givenAt }: StoredScan): boolean {
  if (areaId !== place.area.areaId) return false;
  return kind === "sheet"
    ? deviceId === `sheet ${sheet}`
    : deviceId === "a file" && givenAt === Date.parse(at);
}
