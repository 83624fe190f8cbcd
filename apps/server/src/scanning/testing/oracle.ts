import type { ScanReason, ScanStatus } from "@stocktake/contract";

/** A scan as a device sends it in the random tests. `pass` null: the device names none; `quantity` null: nor how many. */
export interface OracleScan {
  readonly opId: string;
  readonly device: string;
  readonly seq: number;
  readonly area: string;
  readonly sku: string | null;
  readonly quantity: number | null;
  readonly pass: number | null;
}

interface Outcome {
  readonly status: ScanStatus;
  readonly reason: ScanReason | null;
}

interface StoredScan extends Omit<OracleScan, "sku"> {
  sku: string | null;
  isAccepted: boolean;
  /** What it was before it was accepted. */
  former: Pick<StoredScan, "outcome" | "countedIn" | "sku"> | null;
  outcome: Outcome;
  countedIn: number;
  /** What it was before its pass was voided. */
  before: Outcome | null;
}

interface OracleUndo {
  readonly device: string;
  readonly code: string;
  readonly seq: number | null;
  readonly pass: number | null;
}

interface OracleFinish {
  readonly code: string;
  readonly device: string;
  readonly declaredTotal: number;
  readonly knownAccepted: number | null;
}

type AreaStatus = "not_started" | "in_progress" | "closed";

interface OracleArea {
  status: AreaStatus;
  /** Who closed it, and with what total. */
  finish: { readonly device: string; readonly declaredTotal: number; readonly serverTotal: number } | null;
  pass: number;
  /** Passes that were voided and can be restored. */
  readonly voided: Set<number>;
  readonly passes: Set<number>;
}

/** What the oracle expects of an answer: its HTTP status and the parts of the body that matter. */
export interface Expected {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const refusal = (status: number, code: string): Expected => ({ status, body: { code } });
const undecided = { isAccepted: false, former: null, before: null };
const passReasons: readonly (ScanReason | null)[] = [
  "AREA_RESET",
  "AREA_REOPENED",
  "COUNT_MISMATCHED",
  "PASS_REPLACED",
];

/**
 * The rules of counting written a second time, as plainly as possible and without a database: what the server returns
 * and stores after any sequence of calls must be what this expects.
 */
export class CountingOracle {
  private readonly areas: Map<string, OracleArea>;
  private readonly scans: StoredScan[] = [];

  constructor(areas: Iterable<string>, pass: number) {
    this.areas = new Map(
      [...areas].map((area) => [
        area,
        { status: "not_started", finish: null, pass, voided: new Set(), passes: new Set([pass]) },
      ]),
    );
  }

  area(code: string): OracleArea {
    const area = this.areas.get(code);
    if (area === undefined) throw new Error(`There is no area ${code}.`);
    return area;
  }

  /** Every scan that was stored, with its outcome. */
  get stored(): readonly Readonly<StoredScan>[] {
    return this.scans;
  }

  /** Counted units by area, pass and SKU. */
  totals(): Record<string, number> {
    const totals: Record<string, number> = {};
    for (const { area, countedIn, sku, outcome, quantity } of this.scans) {
      if (outcome.status !== "counted") continue;
      const key = `${area} ${countedIn} ${sku}`;
      totals[key] = (totals[key] ?? 0) + (quantity ?? 1);
    }
    return totals;
  }

  /** `highestSeq`: the highest number of the device in the same call. */
  scan(scan: OracleScan, highestSeq = scan.seq): Expected {
    const known = this.scans.find(({ opId }) => opId === scan.opId);
    if (known !== undefined) return { status: 200, body: { ...known.outcome, duplicate: true } };
    const ofDevice = this.scans.filter(({ device }) => device === scan.device);
    if (ofDevice.some(({ seq }) => seq === scan.seq)) {
      const nextSeq = Math.max(highestSeq, ...ofDevice.map(({ seq }) => seq)) + 1;
      return { status: 409, body: { code: "SEQ_CONFLICT", nextSeq } };
    }
    const stored = this.classified(scan);
    this.scans.push(stored);
    const area = this.area(scan.area);
    if (stored.outcome.status !== "late" && area.status === "not_started") area.status = "in_progress";
    return { status: 201, body: { ...stored.outcome, duplicate: false } };
  }

  private classified(scan: OracleScan): StoredScan {
    const area = this.area(scan.area);
    const late = (reason: ScanReason, countedIn: number): StoredScan => {
      return { ...scan, ...undecided, outcome: { status: "late", reason }, countedIn };
    };
    if (scan.pass !== null && scan.pass < area.pass) return late("PASS_OVER", scan.pass);
    if (area.status === "closed") return late("AREA_CLOSED", area.pass);
    const outcome: Outcome =
      scan.sku === null
        ? { status: "unresolved", reason: "UNKNOWN_CODE" }
        : { status: "counted", reason: null };
    return { ...scan, ...undecided, outcome, countedIn: area.pass };
  }

  /** `pass`: the one that the device names, or null. A named scan's own counts, wherever a restored pass has taken it. */
  undo({ device, code, seq, pass }: OracleUndo): Expected {
    const area = this.area(code);
    const mine = this.scans.filter((scan) => scan.device === device && scan.area === code);
    const open = mine.filter(
      ({ countedIn, outcome: { status } }) => countedIn === area.pass && isOpen(status),
    );
    const newest = open.sort((one, other) => other.seq - one.seq)[0];
    const chosen = seq === null ? newest : mine.find((scan) => scan.seq === seq);
    if (chosen?.outcome.reason === "UNDONE") return undone(chosen);
    const asked = seq === null || chosen === undefined ? pass : chosen.countedIn;
    const former = chosen?.outcome.status ?? "voided";
    // Of a pass that is over, or waiting for an administrator: taken back, whatever the undo is refused with.
    const isWaiting = seq !== null && (former === "late" || former === "unresolved");
    if (chosen !== undefined && (isWaiting || chosen.countedIn < area.pass))
      chosen.outcome = { status: "voided", reason: "UNDONE" };
    if (asked !== null && asked < area.pass) return refusal(409, "PASS_OVER");
    if (area.status === "closed") return refusal(409, "AREA_CLOSED");
    if (chosen === undefined || !isOpen(former)) return refusal(404, "NOTHING_TO_UNDO");
    chosen.outcome = { status: "voided", reason: "UNDONE" };
    return undone(chosen);
  }

  reset(code: string): Expected {
    const area = this.area(code);
    if (area.status === "closed") return refusal(409, "AREA_CLOSED");
    const deletedScans = this.voidPass(code, "AREA_RESET");
    area.status = "not_started";
    return { status: 200, body: { deletedScans } };
  }

  finish({ code, device, declaredTotal, knownAccepted }: OracleFinish): Expected {
    const area = this.area(code);
    const { finish, status } = area;
    const serverTotal = this.totalOf(code);
    if (status === "closed") {
      const isSame = finish?.device === device && finish.declaredTotal === declaredTotal;
      if (!isSame) return refusal(409, "AREA_CLOSED");
      return { status: 200, body: { matched: true, serverTotal: finish.serverTotal } };
    }
    const matched = serverTotal === declaredTotal;
    const isNews = knownAccepted !== null && knownAccepted !== this.acceptedIn(code);
    if (!matched && isNews) return refusal(409, "COUNT_CHANGED");
    if (!matched) this.voidPass(code, "COUNT_MISMATCHED");
    area.status = matched ? "closed" : "in_progress";
    area.finish = { device, declaredTotal, serverTotal };
    return { status: 200, body: { matched, serverTotal } };
  }

  private countedNow(code: string): StoredScan[] {
    const { pass } = this.area(code);
    return this.scans.filter(
      ({ area, countedIn, outcome }) => area === code && countedIn === pass && outcome.status === "counted",
    );
  }

  totalOf(code: string): number {
    return unitsOf(this.countedNow(code));
  }

  acceptedIn(code: string): number {
    return unitsOf(this.countedNow(code).filter(({ isAccepted }) => isAccepted));
  }

  /** The scans that wait for an administrator. */
  exceptions(): readonly Readonly<StoredScan>[] {
    return this.scans.filter(({ outcome: { status } }) => status === "unresolved" || status === "late");
  }

  accept(opId: string, sku: string): Expected {
    const scan = this.exceptions().find((each) => each.opId === opId);
    const stored = this.scans.find((each) => each === scan);
    if (stored === undefined) return refusal(409, "SCAN_NOT_OPEN");
    const area = this.area(stored.area);
    stored.former = { outcome: stored.outcome, countedIn: stored.countedIn, sku: stored.sku };
    stored.outcome = { status: "counted", reason: null };
    stored.countedIn = area.pass;
    stored.isAccepted = true;
    stored.sku = sku;
    if (area.status === "not_started") area.status = "in_progress";
    return { status: 200, body: { scan: { status: "counted", pass: area.pass, sku } } };
  }

  /** The scans that were accepted, whatever became of them since. */
  accepted(): readonly Readonly<StoredScan>[] {
    return this.scans.filter(({ isAccepted }) => isAccepted);
  }

  takeBack(opId: string): Expected {
    const stored = this.scans.find((scan) => scan.opId === opId);
    if (stored?.outcome.status !== "counted" || stored.former === null) {
      return { status: 200, body: { scans: [{ outcome: "voided_since" }] } };
    }
    const { outcome, countedIn, sku } = stored.former;
    const pass = outcome.status === "late" ? countedIn : stored.countedIn;
    Object.assign(stored, undecided, { before: stored.before, outcome, countedIn: pass, sku });
    return { status: 200, body: { scans: [{ outcome: "done", ...outcome, pass, sku }] } };
  }

  reopen(code: string): Expected {
    const area = this.area(code);
    if (area.status !== "closed") return refusal(409, "AREA_NOT_CLOSED");
    this.voidPass(code, "AREA_REOPENED");
    area.status = "not_started";
    return { status: 200, body: {} };
  }

  restore(code: string, pass: number): Expected {
    const area = this.area(code);
    if (!area.passes.has(pass)) return refusal(404, "NOT_FOUND");
    if (!area.voided.has(pass)) return refusal(400, "VALIDATION");
    this.voidPass(code, "PASS_REPLACED");
    area.voided.delete(pass);
    for (const scan of this.scans) {
      if (scan.area !== code || scan.countedIn !== pass || scan.before === null) continue;
      if (!passReasons.includes(scan.outcome.reason)) continue;
      scan.outcome = scan.before;
      scan.countedIn = area.pass;
    }
    area.status = "in_progress";
    return { status: 200, body: {} };
  }

  private voidPass(code: string, reason: ScanReason): number {
    const area = this.area(code);
    const open = this.scans.filter(
      (scan) => scan.area === code && scan.countedIn === area.pass && isOpen(scan.outcome.status),
    );
    for (const scan of open) {
      scan.before = scan.outcome;
      scan.outcome = { status: "voided", reason };
    }
    area.voided.add(area.pass);
    area.pass += 1;
    area.passes.add(area.pass);
    return unitsOf(open);
  }
}

function unitsOf(scans: readonly StoredScan[]): number {
  return scans.reduce((units, { quantity }) => units + (quantity ?? 1), 0);
}

function isOpen(status: ScanStatus): boolean {
  return status === "counted" || status === "unresolved";
}

function undone({ seq, sku, quantity }: StoredScan): Expected {
  const units = quantity === null || quantity === 1 ? {} : { quantity };
  return { status: 200, body: { undone: { seq, sku, ...units } } };
}
