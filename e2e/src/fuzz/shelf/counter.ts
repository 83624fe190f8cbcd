import type { PendingScan } from "../../../../apps/web/src/offline/database/records.ts";
import type { CountedArea } from "../../../../apps/web/src/offline/outbox/append.ts";
import type { OutboxEvent } from "../../../../apps/web/src/offline/outbox/events.ts";
import type { Randomness } from "../../../../apps/web/src/offline/ports.ts";
import { type SignedIn, SimulatedPhone } from "../simulated-phone.ts";
import type { PhoneLine } from "./phone-line.ts";
import { barcodeOf, type Shelf, type Unit } from "./shelf.ts";
import type { SimulatedTime } from "./simulated-time.ts";

export interface CounterOptions {
  readonly person: SignedIn;
  readonly line: PhoneLine;
  readonly shelf: Shelf;
  readonly time: SimulatedTime;
  readonly random: Randomness;
  /** By how many milliseconds the phone's clock is ahead. */
  readonly clockError: number;
  /** The areas that this person counts alone, by their number on the shelf. */
  readonly areas: readonly { readonly number: number; readonly area: CountedArea }[];
  /** One of so many scans is a mistake; 0: none is. */
  readonly mistakes: number;
  /** One of so many units is scanned twice, and its second scan taken back at once; 0: none is. */
  readonly slips: number;
  /** Sees to it that what was counted of an area on paper is entered; resolves to how many units that is. */
  readonly enterPaper: (areaNumber: number) => Promise<number>;
}

/** An area as it lies on the shelf. */
export type Place = CounterOptions["areas"][number];

/** A person with a phone who walks along the shelf and scans each unit that is there at that moment. */
export class ShelfCounter {
  readonly phone: SimulatedPhone;
  readonly line: PhoneLine;
  readonly made: PendingScan[] = [];
  readonly #options: CounterOptions;
  readonly #seen = new Set<Unit>();
  #here = 0;
  #scansHere = 0;
  #isSentAway = false;

  constructor(options: CounterOptions) {
    const { line, random, person, time, clockError } = options;
    this.#options = options;
    this.line = line;
    this.phone = new SimulatedPhone(line, random, person.userId, time.now() + clockError);
    time.listen((milliseconds) => this.phone.clock.advance(milliseconds));
  }

  async open(): Promise<void> {
    await this.phone.open();
    this.phone.device.bus.subscribe((event) => this.#hear(event));
    const [first] = this.#options.areas;
    if (first !== undefined) await this.phone.device.continueSequence(first.area.sessionId);
  }

  async reload(): Promise<void> {
    this.phone.crash();
    await this.open();
  }

  #draw(below: number): number {
    return Math.floor(this.#options.random.fraction() * below);
  }

  /** The phone said that the session or the area is over. */
  #hear(event: OutboxEvent): void {
    if (event.type !== "scans_settled") return;
    for (const { acknowledgement } of event.scans) {
      const reason = acknowledgement?.reason;
      if (reason === "SESSION_CLOSED" || reason === "AREA_CLOSED") this.#isSentAway = true;
    }
  }

  /** A restored server may count on. */
  comeBack(): void {
    this.#isSentAway = false;
  }

  get isDone(): boolean {
    return this.#isSentAway || this.#here >= this.#options.areas.length;
  }

  /** Whether the unit is in an area that this person has not left, and was not seen yet. */
  isToSee(unit: Unit): boolean {
    return !this.#seen.has(unit) && this.placesLeft.some(({ number }) => number === unit.area);
  }

  /** The areas that this person has not finished. */
  get placesLeft(): readonly Place[] {
    return this.#isSentAway ? [] : this.#options.areas.slice(this.#here);
  }

  /** Whether this person has walked along the whole area. */
  hasWalked(area: number): boolean {
    return this.#options.areas.slice(0, this.#here).some(({ number }) => number === area);
  }

  /** Whether what comes into the area now is seen by nobody any more. */
  hasLeft(area: number): boolean {
    const at = this.#options.areas.findIndex(({ number }) => number === area);
    return at >= 0 && (this.#isSentAway || at < this.#here);
  }

  /** Scans the next unit, or finishes the area where nothing is left in it. Takes no time. */
  async scanNext(): Promise<void> {
    const place = this.#options.areas[this.#here];
    if (place === undefined || this.#isSentAway) return;
    const left = this.#options.shelf.in(place.number).filter((unit) => !this.#seen.has(unit));
    const unit = left[this.#draw(left.length)];
    if (unit === undefined) return this.#finish(place);
    this.#seen.add(unit);
    const { mistakes, slips } = this.#options;
    const mistake = mistakes > 0 && this.#draw(mistakes) === 0 ? this.#draw(2) : null;
    if (mistake === 0) return;
    await this.#scan(place.area, unit);
    if (mistake === 1) await this.#scan(place.area, unit);
    if (slips > 0 && this.#draw(slips) === 0)
      await this.#takeBack(await this.#scan(place.area, unit), place.area, unit);
  }

  /** What is left in one of this person's areas, of which somebody else now counts some on paper: passed over from here on. */
  leaveToPaper(pick: number): { readonly place: Place; readonly units: readonly Unit[] } | null {
    const place = this.placesLeft[pick % this.placesLeft.length];
    if (place === undefined) return null;
    const left = this.#options.shelf.in(place.number).filter((unit) => !this.#seen.has(unit));
    const units = left.filter((_unit, index) => index === 0 || this.#draw(2) === 0);
    for (const unit of units) this.#seen.add(unit);
    return { place, units };
  }

  async #takeBack({ id, seq, opId }: PendingScan, area: CountedArea, unit: Unit): Promise<void> {
    await this.phone.device.operate({ kind: "undo", area, targetId: id, targetSeq: seq });
    unit.takenBack.add(opId);
    this.#scansHere -= 1;
  }

  async #scan(area: CountedArea, unit: Unit): Promise<PendingScan> {
    const { sku } = unit;
    const scan = await this.phone.device.scan({
      ...{ area, input: barcodeOf(sku), inputType: "barcode", method: "scan" },
      scannedById: this.phone.userId,
      ...{ localOutcome: "counted", sku, productTitle: "Jacket", size: null },
    });
    unit.scans.push(scan.opId);
    this.made.push(scan);
    this.#scansHere += 1;
    return scan;
  }

  async #finish({ area, number }: Place): Promise<void> {
    const declaredTotal = this.#scansHere + (await this.#options.enterPaper(number));
    this.#here += 1;
    this.#scansHere = 0;
    await this.phone.device.operate({ kind: "finish", area, declaredTotal });
  }

  /** Resolves when nothing is on its way to the server or back. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < 2; quiet += 1) {
      await this.phone.settled();
      await this.line.idle();
    }
  }
}
