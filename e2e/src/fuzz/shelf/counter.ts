import type { LocalOutcome, PendingScan } from "../../../../apps/web/src/offline/database/records.ts";
import type { CountedArea } from "../../../../apps/web/src/offline/outbox/append.ts";
import type { OutboxEvent } from "../../../../apps/web/src/offline/outbox/events.ts";
import type { Randomness } from "../../../../apps/web/src/offline/ports.ts";
import { type SignedIn, SimulatedPhone } from "../simulated-phone.ts";
import type { PhoneLine } from "./phone-line.ts";
import { barcodeOf, type Shelf, type Unit } from "./shelf.ts";
import type { SimulatedTime } from "./simulated-time.ts";
import { knownRead, tagsOfArea } from "./tag-reads.ts";

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
  /** Everybody who counts, this person too. */
  readonly everybody: () => readonly ShelfCounter[];
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
  /** Units by the number of the area, but for those that were read by their tags. */
  readonly #scanned = new Map<number, number>();
  #here = 0;
  /** Areas of which the total is to be declared again: the person walks along them once more. */
  #owed: readonly Place[] = [];
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
    if (event.type === "operation_settled" && event.operation.refusal?.code === "COUNT_CHANGED") {
      const { areaId } = event.operation;
      this.#owed = [...this.#owed, ...this.#options.areas.filter(({ area }) => area.areaId === areaId)];
    }
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
    return this.placesLeft.length === 0;
  }

  get isSentAway(): boolean {
    return this.#isSentAway;
  }

  /** Whether the unit is in an area that this person has not left, and was not seen yet. */
  isToSee(unit: Unit): boolean {
    return !this.#seen.has(unit) && this.placesLeft.some(({ number }) => number === unit.area);
  }

  /** The areas that this person has not finished. */
  get placesLeft(): readonly Place[] {
    return this.#isSentAway ? [] : [...this.#owed, ...this.#options.areas.slice(this.#here)];
  }

  /** Whether this person has walked along the whole area. */
  hasWalked(area: number): boolean {
    return this.#options.areas.slice(0, this.#here).some(({ number }) => number === area);
  }

  /** Whether what comes into the area now is seen by nobody any more. */
  hasLeft(area: number): boolean {
    const isOwn = this.#options.areas.some(({ number }) => number === area);
    return isOwn && !this.placesLeft.some(({ number }) => number === area);
  }

  /** Scans the next unit, or finishes the area where nothing is left in it. Takes no time. */
  async scanNext(): Promise<void> {
    const [place] = this.placesLeft;
    if (place === undefined) return;
    const left = this.#options.shelf.in(place.number).filter((unit) => !this.#seen.has(unit));
    const unit = left[this.#draw(left.length)];
    if (unit === undefined) return this.#finish(place);
    this.#seen.add(unit);
    const { mistakes, slips } = this.#options;
    const mistake = mistakes > 0 && this.#draw(mistakes) === 0 ? this.#draw(2) : null;
    if (mistake === 0) return;
    if (unit.tag !== null) return this.read(place.area, unit);
    await this.#scan(place, unit);
    if (mistake === 1) await this.#scan(place, unit);
    if (slips > 0 && this.#draw(slips) === 0)
      await this.#takeBack(await this.#scan(place, unit), place, unit);
  }

  /** Reads the unit's tag in an area, this person's own or not, wherever it hangs. */
  async read(area: CountedArea, unit: Unit): Promise<void> {
    const { tag } = unit;
    const known = tag === null ? "read_here" : await knownRead(this.phone, area, tag);
    if (tag === null || known === "read_here") return;
    await this.#store(area, unit, tag, known === "new" ? "counted" : "unresolved");
  }

  /** What is left in one of this person's areas, of which somebody else now counts some on paper: passed over from here on. */
  leaveToPaper(pick: number): { readonly place: Place; readonly units: readonly Unit[] } | null {
    const place = this.placesLeft[pick % this.placesLeft.length];
    if (place === undefined) return null;
    const unseen = this.#options.shelf.in(place.number).filter((unit) => !this.#seen.has(unit));
    const left = unseen.filter(({ tag }) => tag === null);
    const units = left.filter((_unit, index) => index === 0 || this.#draw(2) === 0);
    for (const unit of units) this.#seen.add(unit);
    return { place, units };
  }

  async #takeBack({ id, seq, opId }: PendingScan, { area, number }: Place, unit: Unit): Promise<void> {
    await this.phone.device.operate({ kind: "undo", area, targetId: id, targetSeq: seq });
    unit.takenBack.add(opId);
    this.#scanned.set(number, (this.#scanned.get(number) ?? 0) - 1);
  }

  async #scan({ area, number }: Place, unit: Unit): Promise<PendingScan> {
    this.#scanned.set(number, (this.#scanned.get(number) ?? 0) + 1);
    return this.#store(area, unit, barcodeOf(unit.sku), "counted");
  }

  async #store(
    area: CountedArea,
    unit: Unit,
    input: string,
    localOutcome: LocalOutcome,
  ): Promise<PendingScan> {
    const scan = await this.phone.device.scan({
      ...{ area, input, inputType: "barcode", method: "scan", localOutcome },
      scannedById: this.phone.userId,
      ...{ sku: unit.sku, productTitle: "Jacket", size: null },
    });
    unit.scans.push(scan.opId);
    this.made.push(scan);
    return scan;
  }

  /** Declares what everybody counted there. Some forget what is on paper, and are told so. */
  async #finish(place: Place): Promise<void> {
    const { area, number } = place;
    const isAgain = this.#owed.includes(place);
    const onPaper = await this.#options.enterPaper(number);
    const { tags, isUnheard } = await tagsOfArea(this, this.#options.everybody(), area);
    const isForgotten = onPaper > 0 && !isAgain && this.#draw(4) === 0;
    const declaredTotal = (this.#scanned.get(number) ?? 0) + tags.size + (isForgotten ? 0 : onPaper);
    if (isAgain) this.#owed = this.#owed.filter((owed) => owed !== place);
    else this.#here += 1;
    await this.phone.device.operate({
      ...{ kind: "finish", area, declaredTotal, knownAccepted: 0, madeById: this.phone.userId },
      ...(isUnheard ? { tagsUnheard: true } : {}),
    });
  }

  /** Resolves when nothing is on its way to the server or back. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < 2; quiet += 1) {
      await this.phone.settled();
      await this.line.idle();
    }
  }
}
