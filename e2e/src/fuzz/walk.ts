import type { Product } from "@stocktake/contract";
import {
  isCountedHere,
  type PendingOperation,
  type PendingScan,
  unitsOf,
} from "../../../apps/web/src/offline/database/records.ts";
import type { CountedArea } from "../../../apps/web/src/offline/outbox/append.ts";
import type { OutboxEvent } from "../../../apps/web/src/offline/outbox/events.ts";
import { chosen } from "../../../apps/web/src/scanner/interpret.ts";
import type { Article } from "../stock.ts";
import type { SimulatedPhone } from "./simulated-phone.ts";

/** An area, with access to its current pass on the server. */
export interface FuzzArea {
  readonly area: Omit<CountedArea, "pass">;
  /** Nobody else counts there, so that exactly what this person scanned must be counted. */
  readonly isOwn: boolean;
  /** Null where the server does not respond, or no longer has the area. */
  readonly currentPass: () => Promise<number | null>;
}

/**
 * One person in one area, as on the scan screen: what was scanned, in which pass, and whether the area is finished. It
 * follows what the device reports, and records where the device is wrong.
 */
export class Walk {
  readonly fuzzArea: FuzzArea;
  pass = 1;
  entries: PendingScan[] = [];
  #unknown: PendingScan[] = [];
  state: "open" | "finishing" | "closed" = "open";
  readonly made: PendingScan[] = [];
  readonly discrepancies: string[] = [];
  #declaredCorrectly = true;
  /** Whose own totals of the pass were declared, and whether they were right. */
  readonly #ownTotals = new Map<string, boolean>();
  #isStale = false;
  readonly #phone: SimulatedPhone;
  #isDisturbed = false;

  constructor(phone: SimulatedPhone, fuzzArea: FuzzArea) {
    this.#phone = phone;
    this.fuzzArea = fuzzArea;
  }

  /** Nobody else has changed the area, so that it must be as this person sees it. */
  get isOwn(): boolean {
    return this.fuzzArea.isOwn && !this.#isDisturbed;
  }

  /** An administrator changed the area or its session. */
  disturb(): void {
    this.#isDisturbed = true;
    this.#isStale = true;
  }

  /** An administrator reopened the area, and the person returns to it. */
  reopen(): void {
    this.disturb();
    if (this.state === "closed") this.state = "open";
  }

  get #area(): CountedArea {
    return { ...this.fuzzArea.area, pass: this.pass };
  }

  async scan(article: Article | null, code: string): Promise<void> {
    if (this.state !== "open") return;
    if (this.#isStale) await this.#loadPass();
    const scan = await this.#phone.device.scan({
      ...{
        area: this.#area,
        input: code,
        inputType: "barcode",
        method: "scan",
        scannedById: this.#phone.userId,
      },
      localOutcome: article === null ? "unresolved" : "counted",
      ...(article?.packUnits === undefined ? {} : { packUnits: article.packUnits }),
      ...{ sku: article?.sku ?? null, productTitle: article?.title ?? null, size: article?.size ?? null },
    });
    this.made.push(scan);
    (article === null ? this.#unknown : this.entries).push(scan);
  }

  /** What Manual Entry's search has found, and the person has tapped: a product and no code. */
  async countFound(product: Product): Promise<void> {
    if (this.state !== "open") return;
    if (this.#isStale) await this.#loadPass();
    const { sku, productTitle, size } = product;
    const scan = await this.#phone.device.scan({
      ...{ area: this.#area, ...chosen(product), method: "manual", scannedById: this.#phone.userId },
      ...{ localOutcome: "counted", sku, productTitle, size },
    });
    this.made.push(scan);
    this.entries.push(scan);
  }

  /** Makes the last counted entry so many units in all, as ×N does. */
  async setQuantity(quantity: number): Promise<void> {
    const last = this.state === "open" ? this.entries.pop() : undefined;
    if (last === undefined) return;
    const { id: targetId, seq: targetSeq, sku, productTitle, size } = last;
    const { scan } = await this.#phone.device.replace({
      undo: { kind: "undo", area: this.#area, targetId, targetSeq },
      scan: {
        ...{ area: this.#area, input: sku ?? "", inputType: "sku", method: "manual", quantity },
        ...{ scannedById: this.#phone.userId, localOutcome: "counted", sku, productTitle, size },
      },
    });
    this.made.push(scan);
    this.entries.push(scan);
  }

  async undo(): Promise<void> {
    if (this.state !== "open") return;
    const target = this.#takeLast();
    if (target === undefined) return;
    const { id: targetId, seq: targetSeq } = target;
    await this.#phone.device.operate({ kind: "undo", area: this.#area, targetId, targetSeq });
  }

  /** The last scan, counted or unknown, as Undo Last takes it back. */
  #takeLast(): PendingScan | undefined {
    const [counted, unknown] = [this.entries.at(-1), this.#unknown.at(-1)];
    return (counted?.order ?? 0) > (unknown?.order ?? 0) ? this.entries.pop() : this.#unknown.pop();
  }

  #startAgain(pass: number): void {
    this.pass = pass;
    this.#ownTotals.clear();
    this.entries = [];
    this.#unknown = [];
  }

  async reset(): Promise<void> {
    if (this.state !== "open") return;
    await this.#phone.device.operate({ kind: "reset", area: this.#area, madeById: this.#phone.userId });
    this.#startAgain(this.pass + 1);
  }

  /** Declares the area's total, or what this person counted alone: a phone may have had several people. */
  async finish(isRight: boolean, isOwnTotal: boolean): Promise<void> {
    if (this.state !== "open") return;
    this.state = "finishing";
    const { userId, device } = this.#phone;
    const counted = this.entries.filter(({ scannedById }) => !isOwnTotal || scannedById === userId);
    if (isOwnTotal) this.#ownTotals.set(userId, isRight);
    this.#declaredCorrectly = isOwnTotal ? ![...this.#ownTotals.values()].includes(false) : isRight;
    await device.operate({
      ...{ kind: "finish", area: this.#area, declaredTotal: unitsOf(counted) + (isRight ? 0 : 1) },
      ...{ madeById: userId, ...(isOwnTotal ? { ownOf: userId } : {}) },
    });
  }

  /** Finds nothing here, whatever was scanned before. */
  async leaveEmpty(): Promise<void> {
    await this.reset();
    await this.finish(true, false);
  }

  /** After a crash: the tally is rebuilt from the device's rows, which must be what the person saw. */
  async rebuild(): Promise<void> {
    const rows = await this.#phone.device.database.getAll("pendingScans");
    const counted = rows.filter(
      (row) => row.areaId === this.fuzzArea.area.areaId && row.pass === this.pass && isCountedHere(row),
    );
    const seen = this.entries.map(({ opId }) => opId);
    if (this.isOwn && counted.map(({ opId }) => opId).join() !== seen.join()) {
      this.discrepancies.push(`after a reload ${counted.length} scans are shown instead of ${seen.length}`);
    }
  }

  handleEvent(event: OutboxEvent): void {
    if (event.type === "scans_settled") for (const scan of event.scans) this.#handleScan(scan);
    if (event.type === "operation_settled") this.#handleOperation(event.operation);
  }

  #handleScan(scan: PendingScan): void {
    if (scan.areaId !== this.fuzzArea.area.areaId || scan.acknowledgement === null || scan.undone) return;
    const { status, reason } = scan.acknowledgement;
    const isEntry = this.entries.some(({ id }) => id === scan.id);
    if (status === "counted" || !isEntry) return;
    this.entries = this.entries.filter(({ id }) => id !== scan.id);
    if (this.isOwn) this.discrepancies.push(`${scan.input} was reverted: ${status} ${reason}`);
    if (reason === "AREA_CLOSED" && this.state === "open") this.state = "closed";
    else this.#isStale = true;
  }

  #handleOperation(operation: PendingOperation): void {
    if (operation.areaId !== this.fuzzArea.area.areaId) return;
    const { answer, refusal } = operation;
    if (refusal !== null) {
      if (this.isOwn) this.discrepancies.push(`${operation.kind} was refused: ${refusal.error}`);
      if (refusal.code === "AREA_CLOSED") this.state = "closed";
      else if (operation.kind === "finish") this.state = "open";
      this.#isStale = true;
    }
    if (operation.kind === "reset" && refusal !== null && operation.expectedPass === this.pass) {
      if (refusal.code !== "PASS_OVER") this.pass = operation.pass;
    }
    if (operation.kind === "reset" && answer?.kind === "reset" && operation.expectedPass === this.pass) {
      this.pass = answer.pass;
    }
    if (answer?.kind !== "finish") return;
    // A total of one's own that is kept leaves the count as it is.
    if (answer.waitingFor !== undefined) this.state = "open";
    else this.#handleFinish(answer.matched);
  }

  #handleFinish(matched: boolean): void {
    if (this.isOwn && matched !== this.#declaredCorrectly) {
      this.discrepancies.push(matched ? "a wrong total matched" : "the right total did not match");
    }
    this.state = matched ? "closed" : "open";
    if (matched) return;
    this.#startAgain(this.pass + 1);
    this.#isStale = !this.isOwn;
  }

  /** Without a network the person goes on in the pass that the phone was last told of. */
  async #loadPass(): Promise<void> {
    if (!this.#phone.isOnline) return;
    this.#isStale = false;
    const pass = await this.fuzzArea.currentPass();
    if (pass === null || pass <= this.pass) return;
    this.#startAgain(pass);
  }
}
