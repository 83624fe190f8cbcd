import { isUnsettled } from "../../../apps/web/src/offline/database/records.ts";
import type { Randomness } from "../../../apps/web/src/offline/ports.ts";
import { createSeededRandomness } from "../../../apps/web/src/offline/testing/manual-clock.ts";
import type { Article } from "../stock.ts";
import { FaultyNetwork } from "./faulty-network.ts";
import type { ManualSearch } from "./manual-search.ts";
import { Searcher } from "./searcher.ts";
import { type SignedIn, SimulatedPhone } from "./simulated-phone.ts";
import { type FuzzArea, Walk } from "./walk.ts";

type Draw = (below: number) => number;

const longestPauseMs = 40_000;

/** What a member of the crew counts, and how. */
interface Work {
  readonly pile: readonly Article[];
  readonly search: ManualSearch;
  /** For what is found by hand: the other draws stay what they are without it. */
  readonly byHand: Randomness;
  /** Whether this person is let into an area that they go to. */
  readonly mayOpen: (member: CrewMember, fuzzArea: FuzzArea) => Promise<boolean>;
}

/** One person with one phone, counting at random. */
export class CrewMember {
  readonly phone: SimulatedPhone;
  readonly network: FaultyNetwork;
  readonly searcher: Searcher;
  readonly walks: Walk[];
  readonly #draw: Draw;
  readonly #work: Work;
  #here: Walk;

  constructor(url: string, person: SignedIn, fuzzAreas: readonly FuzzArea[], work: Work, random: Randomness) {
    this.network = new FaultyNetwork(url, person.cookie, random);
    this.phone = new SimulatedPhone(this.network, random, person.userId);
    this.searcher = new Searcher(this.phone, this.network);
    this.walks = fuzzAreas.map((fuzzArea) => new Walk(this.phone, fuzzArea));
    const [first] = this.walks;
    if (first === undefined) throw new Error("There are no areas to count.");
    this.#here = first;
    this.#work = work;
    this.#draw = (below) => Math.floor(random.fraction() * below);
  }

  async open(): Promise<void> {
    await this.phone.open();
    await this.#begin();
  }

  /** Leaves for another area, in a pass of it. */
  goTo(fuzzArea: FuzzArea, pass: number): void {
    const walk = new Walk(this.phone, fuzzArea);
    walk.pass = pass;
    this.walks.push(walk);
    this.#here = walk;
  }

  /** Scans a few things where they are, and finishes with the right total. */
  async countThrough(): Promise<void> {
    for (let left = this.#draw(4); left > 0; left -= 1) await this.#scan();
    await this.#here.finish(true, false);
    await this.phone.settled();
  }

  /** Starts with a copy of everything on another phone. */
  async openAsCloneOf(original: CrewMember): Promise<void> {
    await this.phone.open();
    await this.phone.cloneFrom(original.phone);
    await this.#begin();
  }

  /**
   * Another phone has a copy of what waits here: where it is the first to send a finish or a reset, this phone hears of its scans before
   * that they are voided by it, and only then of its own finish. No area with one is as this person alone has left it.
   */
  async shareQueue(): Promise<void> {
    const operations = await this.phone.device.database.getAll("pendingSubmissions");
    const waiting = operations.filter((row) => isUnsettled(row) && row.kind !== "undo");
    for (const walk of this.walks)
      if (waiting.some(({ areaId }) => areaId === walk.fuzzArea.area.areaId)) walk.disturb();
  }

  async #begin(): Promise<void> {
    this.phone.device.bus.subscribe((event) => {
      for (const walk of this.walks) walk.handleEvent(event);
    });
    await this.phone.device.continueSequence(this.#here.fuzzArea.area.sessionId);
  }

  /** From now on nothing goes out of the phone, and nothing comes in. */
  goOffline(): void {
    this.network.isOnline = false;
  }

  async goOnline(): Promise<void> {
    if (this.network.isOnline) return;
    this.network.isOnline = true;
    this.phone.retryNow();
    await this.searcher.sayAgain();
    await this.phone.settled();
  }

  /** Where somebody signs in there is a network. What the page before it had on screen is gone. */
  async signInAs(person: SignedIn): Promise<void> {
    await this.goOnline();
    this.searcher.forget();
    await this.phone.signInAs(person);
  }

  async #reopen(): Promise<void> {
    this.phone.crash();
    this.searcher.forget();
    await this.open();
    for (const walk of this.walks) await walk.rebuild();
  }

  async #scan(): Promise<void> {
    const { pile, search, byHand } = this.#work;
    const article = this.#draw(12) === 0 ? null : (pile[this.#draw(pile.length)] ?? null);
    const hand = Math.floor(byHand.fraction() * 24);
    // A search finds products: of a pack the one that is in it.
    if (article !== null && hand < 3) return this.#here.countFound(search.find(article, hand));
    await this.#here.scan(article, article?.barcode ?? `unknown-${this.#draw(1_000_000)}`);
  }

  /** To another area, as far as they are let in. */
  async #goElsewhere(walk: Walk | undefined): Promise<void> {
    if (walk !== undefined && (await this.#work.mayOpen(this, walk.fuzzArea))) this.#here = walk;
  }

  /** A phone that hears that its area is others' alone stops taking scans: the person looks for another one. */
  async hearOfAssignments(): Promise<void> {
    for (const walk of [this.#here, ...this.walks]) {
      if (!(await this.#work.mayOpen(this, walk.fuzzArea))) continue;
      this.#here = walk;
      return;
    }
  }

  async #burst(): Promise<void> {
    const scans = Array.from({ length: 2 + this.#draw(8) }, () => this.#scan());
    await Promise.all(scans);
  }

  /** Right in two of three cases, and of the area as often as of one's own count. */
  async #finish(choice: number): Promise<void> {
    await this.#here.finish(choice >= 2, choice % 2 === 1);
  }

  /** One random action of the person, the phone or the network. */
  async act(): Promise<void> {
    const choice = this.#draw(100);
    if (choice < 45) await this.#scan();
    else if (choice < 55) await this.#burst();
    else if (choice < 66) await this.#here.undo();
    else if (choice < 67) await this.#here.setQuantity(2 + (this.#here.made.length % 11));
    else if (choice < 70) await this.#here.reset();
    else if (choice < 74) await this.#finish(this.#draw(6));
    else if (choice < 80) await this.#goElsewhere(this.walks[this.#draw(this.walks.length)]);
    else if (choice < 85) await this.#reopen();
    else if (choice < 89) this.phone.signIn();
    else if (choice < 93) await this.network.deliverDelayed();
    else this.phone.clock.advance(this.#draw(longestPauseMs));
    // Half of the time the next action happens while something is still being sent.
    if (this.#draw(2) === 0) await this.phone.settled();
  }

  /** The network works again, and everything that this login may send is sent. */
  async sendEverything(): Promise<void> {
    await this.network.recover();
    await this.searcher.sayAgain();
    this.phone.signIn();
    for (let round = 0; round < 20 && (await this.phone.unsettled()) > 0; round += 1) {
      this.phone.clock.advance(longestPauseMs);
      this.phone.retryNow();
      await this.phone.settled();
    }
    await this.network.recover();
  }
}

/** Runs random actions of the crew for so many steps, by the seed: mostly one at a time, sometimes all at once. */
export async function runSteps(
  crew: readonly CrewMember[],
  seed: number,
  steps: number,
  /** Runs before each step. */
  beforeStep: (step: number) => Promise<void> = async () => {},
): Promise<void> {
  const random = createSeededRandomness(seed);
  const draw: Draw = (below) => Math.floor(random.fraction() * below);
  for (let step = 0; step < steps; step += 1) {
    await beforeStep(step);
    if (draw(6) === 0) await Promise.all(crew.map((member) => member.act()));
    else await crew[draw(crew.length)]?.act();
  }
}
