import {
  isCountedHere,
  type PendingOperation,
  type PendingScan,
} from "../../../apps/web/src/offline/database/records.ts";
import type { CountedArea } from "../../../apps/web/src/offline/outbox/append.ts";
import type { OutboxEvent } from "../../../apps/web/src/offline/outbox/events.ts";
import type { Article } from "../stock.ts";
import type { PocketDevice } from "./simulated-phone.ts";

/** An area, and what the server says of its present pass. */
export interface FuzzArea {
  readonly area: Omit<CountedArea, "pass">;
  /** Nobody else counts there, so that what this person scanned is what must be counted. */
  readonly isOwn: boolean;
  /** Null where the server does not answer, or knows the area no more. */
  readonly passNow: () => Promise<number | null>;
}

/**
 * One person in one area, as the scan screen lets a person count: what was scanned, in which pass, and whether the area is
 * finished. It believes what the device says, and notes what the device says wrongly.
 */
export class Walk {
  readonly place: FuzzArea;
  pass = 1;
  entries: PendingScan[] = [];
  state: "open" | "finishing" | "closed" = "open";
  readonly made: PendingScan[] = [];
  readonly complaints: string[] = [];
  #declaredRightly = true;
  #isStale = false;
  readonly #phone: PocketDevice;
  #isDisturbed = false;

  constructor(phone: PocketDevice, place: FuzzArea) {
    this.#phone = phone;
    this.place = place;
  }

  /** Nobody else has had a hand in the area, so that what this person believes must be so. */
  get isOwn(): boolean {
    return this.place.isOwn && !this.#isDisturbed;
  }

  /** An administrator did something to the area or its session. */
  disturb(): void {
    this.#isDisturbed = true;
    this.#isStale = true;
  }

  /** An administrator reopened the area, and the person goes back to it. */
  reopen(): void {
    this.disturb();
    if (this.state === "closed") this.state = "open";
  }

  get #area(): CountedArea {
    return { ...this.place.area, pass: this.pass };
  }

  async scan(article: Article | null, code: string): Promise<void> {
    if (this.state !== "open") return;
    if (this.#isStale) await this.#learnPass();
    const scan = await this.#phone.device.scan({
      ...{
        area: this.#area,
        input: code,
        inputType: "barcode",
        method: "scan",
        scannedById: this.#phone.userId,
      },
      localOutcome: article === null ? "unresolved" : "counted",
      ...{ sku: article?.sku ?? null, productTitle: article?.title ?? null, size: article?.size ?? null },
    });
    this.made.push(scan);
    if (article !== null) this.entries.push(scan);
  }

  async undo(): Promise<void> {
    if (this.state !== "open") return;
    const target = this.entries.pop();
    if (target === undefined) return;
    const { id: targetId, seq: targetSeq } = target;
    await this.#phone.device.operate({ kind: "undo", area: this.#area, targetId, targetSeq });
  }

  async reset(): Promise<void> {
    if (this.state !== "open") return;
    await this.#phone.device.operate({ kind: "reset", area: this.#area });
    this.pass += 1;
    this.entries = [];
  }

  async finish(isRight: boolean): Promise<void> {
    if (this.state !== "open") return;
    this.state = "finishing";
    this.#declaredRightly = isRight;
    const declaredTotal = this.entries.length + (isRight ? 0 : 1);
    await this.#phone.device.operate({ kind: "finish", area: this.#area, declaredTotal });
  }

  /** After a crash: the tally is what the device's rows say, which must be what the person saw. */
  async rebuild(): Promise<void> {
    const rows = await this.#phone.device.database.getAll("pendingScans");
    const counted = rows.filter(
      (row) => row.areaId === this.place.area.areaId && row.pass === this.pass && isCountedHere(row),
    );
    const seen = this.entries.map(({ opId }) => opId);
    if (this.isOwn && counted.map(({ opId }) => opId).join() !== seen.join()) {
      this.complaints.push(`after a reload ${counted.length} scans are shown in the place of ${seen.length}`);
    }
  }

  hear(event: OutboxEvent): void {
    if (event.type === "scans_settled") for (const scan of event.scans) this.#hearScan(scan);
    if (event.type === "operation_settled") this.#hearOperation(event.operation);
  }

  #hearScan(scan: PendingScan): void {
    if (scan.areaId !== this.place.area.areaId || scan.acknowledgement === null || scan.undone) return;
    const { status, reason } = scan.acknowledgement;
    const isEntry = this.entries.some(({ id }) => id === scan.id);
    if (status === "counted" || !isEntry) return;
    this.entries = this.entries.filter(({ id }) => id !== scan.id);
    if (this.isOwn) this.complaints.push(`${scan.input} was taken back: ${status} ${reason}`);
    if (reason === "AREA_CLOSED" && this.state === "open") this.state = "closed";
    else this.#isStale = true;
  }

  #hearOperation(operation: PendingOperation): void {
    if (operation.areaId !== this.place.area.areaId) return;
    const { answer, refusal } = operation;
    if (refusal !== null) {
      if (this.isOwn) this.complaints.push(`${operation.kind} was refused: ${refusal.error}`);
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
    if (answer?.kind === "finish") this.#hearFinish(answer.matched);
  }

  #hearFinish(matched: boolean): void {
    if (this.isOwn && matched !== this.#declaredRightly) {
      this.complaints.push(matched ? "a wrong total matched" : "the right total did not match");
    }
    this.state = matched ? "closed" : "open";
    if (matched) return;
    this.pass += 1;
    this.entries = [];
    this.#isStale = !this.isOwn;
  }

  async #learnPass(): Promise<void> {
    this.#isStale = false;
    const pass = await this.place.passNow();
    if (pass === null || pass <= this.pass) return;
    this.pass = pass;
    this.entries = [];
  }
}
