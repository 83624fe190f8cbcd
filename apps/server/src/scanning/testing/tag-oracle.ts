import type { ScanReason, ScanStatus } from "@stocktake/contract";

interface Outcome {
  readonly status: ScanStatus;
  readonly reason: ScanReason | null;
}

/** A read of a tag: `pass` is the one that it counts in. */
export interface OracleRead {
  readonly opId: string;
  readonly seq: number;
  readonly device: string;
  readonly area: number;
  readonly tag: number;
  pass: number;
  outcome: Outcome;
  /** What it was before it was voided. */
  before: Outcome | null;
}

interface OracleArea {
  pass: number;
  isClosed: boolean;
  /** The passes that were voided, each with its reason. */
  readonly voided: Map<number, ScanReason>;
}

const counted: Outcome = { status: "counted", reason: null };
const again: Outcome = { status: "voided", reason: "TAG_COUNTED" };
const elsewhere: Outcome = { status: "unresolved", reason: "TAG_ELSEWHERE" };
const endings: readonly (ScanReason | null)[] = [
  "AREA_RESET",
  "AREA_REOPENED",
  "COUNT_MISMATCHED",
  "PASS_REPLACED",
];
const isVoidedWithPass = ({ outcome }: OracleRead) => endings.includes(outcome.reason);

/** What docs/SYNC.md (S41 to S43) says of tags, written a second time, as plainly as possible and without a database. */
export class TagOracle {
  readonly reads: OracleRead[] = [];
  readonly areas: readonly OracleArea[];

  constructor(areas: number, pass: number) {
    this.areas = Array.from({ length: areas }, () => ({ pass, isClosed: false, voided: new Map() }));
  }

  area(index: number): OracleArea {
    const area = this.areas[index];
    if (area === undefined) throw new Error("There is no such area.");
    return area;
  }

  /** How many items count in the area, and of them all in the session. */
  totalOf(index: number): number {
    return this.reads.filter(({ area, outcome }) => area === index && outcome.status === "counted").length;
  }

  read(read: Omit<OracleRead, "pass" | "outcome" | "before">, sentPass: number): Outcome {
    const made = { ...read, pass: sentPass, before: null, outcome: this.outcomeOf(read, sentPass) };
    this.reads.push(made);
    return made.outcome;
  }

  private outcomeOf({ area, tag }: Pick<OracleRead, "area" | "tag">, pass: number): Outcome {
    const { pass: present, isClosed } = this.area(area);
    const others = this.reads.filter((other) => other.tag === tag);
    const here = others.filter((other) => other.area === area);
    const inPass = here.filter((other) => other.pass === pass);
    const dismissed = inPass.filter(({ outcome }) => outcome.reason === "DISMISSED");
    if (dismissed.some(({ before }) => before?.reason !== "TAG_ELSEWHERE")) return again;
    if (pass !== present || isClosed) {
      const isKnown =
        here.some(({ outcome }) => outcome.status === "late") ||
        inPass.some(({ outcome }) => outcome.status === "counted");
      return isKnown ? again : { status: "late", reason: pass === present ? "AREA_CLOSED" : "PASS_OVER" };
    }
    const holder = others.find(({ outcome }) => outcome.status === "counted");
    if (holder === undefined) return counted;
    const isShown = dismissed.length > 0 || inPass.some(({ outcome }) => outcome.status === "unresolved");
    return holder.area === area || isShown ? again : elsewhere;
  }

  /** The code of the refusal, or null. */
  undo(read: OracleRead): string | null {
    const { outcome, area } = read;
    if (outcome.reason === "UNDONE") return null;
    const { pass, isClosed } = this.area(area);
    const isOut = outcome.status === "voided" && outcome.reason !== "TAG_COUNTED";
    const isOver = read.pass < pass && (outcome.status === "late" || outcome.status === "voided");
    if (isOver && outcome.reason !== "DISMISSED") {
      this.takeOut(read);
      return "PASS_OVER";
    }
    const refusal = read.pass < pass ? "PASS_OVER" : isClosed ? "AREA_CLOSED" : null;
    // What counts stays as it is where the undo is refused; what counts nothing is taken back all the same.
    const isDismissed = outcome.reason === "DISMISSED";
    const isKept = (isOut && !isDismissed) || (refusal !== null && outcome.status === "counted");
    if (!isKept) this.takeOut(read);
    return refusal ?? (isOut || outcome.status === "late" ? "NOTHING_TO_UNDO" : null);
  }

  /** The next read of the tag in the pass becomes what this one was. */
  private takeOut(read: OracleRead): void {
    const { tag, area, pass, outcome, before } = read;
    read.outcome = { status: "voided", reason: "UNDONE" };
    if (outcome.reason === "TAG_COUNTED") return;
    const next = this.reads.find(
      (other) =>
        other.tag === tag &&
        other.area === area &&
        other.pass === pass &&
        other.outcome.reason === "TAG_COUNTED",
    );
    if (next !== undefined) Object.assign(next, this.undecided(read, { outcome, before }));
  }

  /** Nobody dismissed the next read of a tag: it waits, or was voided while it would have waited. */
  private undecided({ area, pass }: OracleRead, was: Pick<OracleRead, "outcome" | "before">): typeof was {
    if (was.outcome.reason !== "DISMISSED" || was.before === null) return was;
    const reason = this.area(area).voided.get(pass);
    if (was.before.status === "late" || reason === undefined) return { outcome: was.before, before: null };
    return { outcome: { status: "voided", reason }, before: was.before };
  }

  private endPass(index: number, reason: ScanReason): void {
    const area = this.area(index);
    for (const read of this.reads) {
      const { status } = read.outcome;
      if (read.area !== index || read.pass !== area.pass) continue;
      if (status !== "counted" && status !== "unresolved") continue;
      read.before = read.outcome;
      read.outcome = { status: "voided", reason };
    }
    area.voided.set(area.pass, reason);
    area.pass += 1;
    area.isClosed = false;
  }

  reset(index: number): void {
    this.endPass(index, "AREA_RESET");
  }

  reopen(index: number): void {
    this.endPass(index, "AREA_REOPENED");
  }

  finish(index: number, isRight: boolean): void {
    if (isRight) this.area(index).isClosed = true;
    else this.endPass(index, "COUNT_MISMATCHED");
  }

  restore(index: number, pass: number): void {
    this.endPass(index, "PASS_REPLACED");
    const area = this.area(index);
    area.voided.delete(pass);
    const countedTags = new Set(
      this.reads.filter(({ outcome }) => outcome.status === "counted").map(({ tag }) => tag),
    );
    for (const read of this.reads) {
      if (read.area !== index || read.pass !== pass) continue;
      if (read.outcome.reason === "TAG_COUNTED") read.pass = area.pass;
      if (!isVoidedWithPass(read) || read.before === null) continue;
      const isTaken = read.before.status === "counted" && countedTags.has(read.tag);
      Object.assign(read, { outcome: isTaken ? elsewhere : read.before, before: null, pass: area.pass });
    }
  }

  open(): OracleRead[] {
    return this.reads.filter(({ outcome: { status } }) => status === "unresolved" || status === "late");
  }

  accept(read: OracleRead): "done" | "tag_counted" {
    if (this.reads.some(({ tag, outcome }) => tag === read.tag && outcome.status === "counted"))
      return "tag_counted";
    Object.assign(read, { outcome: counted, pass: this.area(read.area).pass });
    return "done";
  }

  dismiss(read: OracleRead): void {
    read.before = read.outcome;
    read.outcome = { status: "voided", reason: "DISMISSED" };
  }
}
