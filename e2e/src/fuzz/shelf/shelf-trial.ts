import type { Randomness } from "../../../../apps/web/src/offline/ports.ts";
import { createSeededRandomness } from "../../../../apps/web/src/offline/testing/manual-clock.ts";
import { Administrator } from "./administrator.ts";
import type { ShelfCounter } from "./counter.ts";
import { type Environment, Installation } from "./installation.ts";
import { gatherCounters, names } from "./opening.ts";
import { PaperDesk } from "./paper.ts";
import { areasOfShelf, Shelf, shopLocation, skuOf, type Unit } from "./shelf.ts";
import { checkShelf, type Tally } from "./shelf-oracle.ts";
import type { ShelfPlan, Step } from "./shelf-plan.ts";
import { SimulatedTime } from "./simulated-time.ts";
import { readTags } from "./tag-reads.ts";

const opensAt = Date.parse("2026-03-02T08:00:00.000Z");
const pollEachMs = 60_000;
const clockCheckedEachMs = 15_000;
/** Longer than a phone waits before it tries again. */
const longEnoughToSend = 40_000;

/** Everything that a count of a shelf takes place in, made anew for each plan. */
export class ShelfTrial {
  readonly plan: ShelfPlan;
  readonly time: SimulatedTime;
  readonly installation: Installation;
  readonly shelf: Shelf;
  readonly administrator: Administrator;
  readonly paper: PaperDesk;
  readonly #random: Randomness;
  #counters: readonly ShelfCounter[] = [];
  #nextPoll = opensAt + pollEachMs;
  #nextClockCheck = opensAt + clockCheckedEachMs;
  #pollsWork = true;
  /** The newest backup, and how many movements Shopify had by then. */
  #backup: { readonly file: string; readonly movements: number } | null = null;

  private constructor(plan: ShelfPlan, time: SimulatedTime, installation: Installation, random: Randomness) {
    this.plan = plan;
    this.time = time;
    this.installation = installation;
    this.#random = random;
    this.shelf = new Shelf(installation.shop, time, plan.skus);
    this.administrator = new Administrator(this);
    this.paper = new PaperDesk(this);
  }

  /** Runs the plan and compares every figure with the shelf. Throws where one is wrong and looks certain. */
  static async run(environment: Environment, plan: ShelfPlan): Promise<Tally> {
    const random = createSeededRandomness(plan.seed);
    const time = new SimulatedTime(opensAt, environment.databases);
    const installation = await Installation.open(environment, time, plan, () => random.fraction());
    const trial = new ShelfTrial(plan, time, installation, random);
    try {
      return await trial.#play();
    } finally {
      for (const { phone } of trial.#counters) phone.crash();
      await installation.close();
    }
  }

  get counters(): readonly ShelfCounter[] {
    return this.#counters;
  }

  draw(below: number): number {
    return Math.floor(this.#random.fraction() * below);
  }

  async #play(): Promise<Tally> {
    const { plan, administrator } = this;
    for (const [index, { level }] of plan.skus.entries()) {
      const place = { item: skuOf(index), location: shopLocation };
      if (level === "inactive") await this.installation.shop.deactivateLevel(place);
    }
    await administrator.openSession(() => this.#take(plan.starting));
    this.#counters = await gatherCounters(this, this.#random);
    await this.backUp();
    await this.#take(plan.counting);
    await this.#finishCounting((counter, index) => index >= plan.unfinished || counter.line.isOnline);
    await this.paper.enterAll();
    await administrator.end(
      () => this.#take(plan.ending.filter(({ kind }) => kind !== "restore")),
      plan.endingAgain.length > 0 ? () => this.#take(plan.endingAgain) : null,
    );
    await this.#take(plan.ended);
    await this.#finishCounting((counter) => !counter.line.isOnline);
    await administrator.settle();
    await administrator.deploy();
    const tally = await checkShelf(this, "after the deploy");
    await this.#take(plan.deployed);
    await administrator.settle();
    await administrator.deploy();
    await checkShelf(this, "in the end");
    if (plan.isRolledBack) await this.#rollBack();
    return { ...tally, ...administrator.byHand };
  }

  async #rollBack(): Promise<void> {
    const { plan, administrator } = this;
    await administrator.rollBack();
    await this.#take(plan.rolledBack);
    await administrator.settle();
    await administrator.deployByTheOther();
    await checkShelf(this, "after a rollback and a deploy by the other comparison");
  }

  /** Lets time pass: phones do what they do by themselves, and the servers read what moved, each minute. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.time.now() + milliseconds;
    while (this.time.now() < until) {
      const due = this.#counters.map(({ phone }) => phone.clock.nextIn() ?? milliseconds);
      const checks = [this.#nextPoll, this.#nextClockCheck].map((at) => at - this.time.now());
      const next = Math.min(until - this.time.now(), ...checks, ...due);
      this.time.move(Math.max(1, Math.ceil(next)));
      for (const counter of this.#counters) await counter.settled();
      if (this.time.now() >= this.#nextClockCheck) {
        this.#nextClockCheck = this.time.now() + clockCheckedEachMs;
        await this.installation.checkClocks();
      }
      if (this.time.now() < this.#nextPoll) continue;
      this.#nextPoll = this.time.now() + pollEachMs;
      if (this.#pollsWork) await this.installation.poll(this.draw(2));
    }
  }

  async #take(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      await this.pass(step.wait);
      await this.#step(step);
      for (const counter of this.#counters) await counter.settled();
    }
  }

  async #step({ kind, who, pick }: Step): Promise<void> {
    const { shelf, installation } = this;
    const sku = skuOf(who % this.plan.skus.length);
    const place = { item: sku, location: shopLocation };
    const counter = this.#counters[who % this.#counters.length];
    // Before anybody is there, everything is still to be come by.
    const isToBeSeen = (unit: Unit) =>
      this.#counters.length === 0 || this.#counters.some((each) => each.isToSee(unit));
    switch (kind) {
      case "scans":
        return this.#scans(counter, 1 + (pick % 6));
      case "paper_counted":
        return counter && this.paper.count(counter, names[who % names.length] ?? "", pick);
      case "paper_entered":
        return pick % 2 === 0 ? this.paper.enterAll() : this.paper.enterAgain();
      case "sheet_voided":
        return counter && this.paper.voidOne(counter, pick);
      case "tags_read":
        return counter && readTags(this, counter, pick);
      case "sale":
        return shelf.sell(sku, pick, isToBeSeen);
      case "order":
        return shelf.order(sku);
      case "shipment":
        return shelf.ship(sku, pick, isToBeSeen);
      case "receipt": {
        const area = pick % areasOfShelf;
        const isCounted = this.#counters.some((each) => each.hasLeft(area));
        return shelf.receive(sku, area, isCounted);
      }
      case "phone_offline":
        if (counter !== undefined) counter.line.isOnline = false;
        return;
      case "phone_online":
        return this.connect(counter);
      case "page_reloaded":
        return counter?.reload();
      case "clock_set":
        return counter?.phone.clock.setBy((pick / 500 - 1) * 2 * 60 * pollEachMs);
      case "server_clock_set":
        return this.time.setKeeperBy((pick / 500 - 1) * 10 * pollEachMs);
      case "level_deactivated":
        await installation.shop.deactivateLevel(place);
        return;
      case "level_activated":
        await installation.shop.activateLevel(place);
        return;
      case "polls_fail":
      case "polls_work":
        this.#pollsWork = kind === "polls_work";
        return;
      case "backup":
        return this.backUp();
      case "restore":
        return this.#restore();
    }
  }

  async #scans(counter: ShelfCounter | undefined, many: number): Promise<void> {
    for (let done = 0; counter !== undefined && done < many && !counter.isDone; done += 1) {
      await counter.scanNext();
      await this.pass(20 + this.draw(6_000));
    }
  }

  async #finishCounting(goesOn: (counter: ShelfCounter, index: number) => boolean): Promise<void> {
    for (const [index, counter] of this.#counters.entries()) {
      while (goesOn(counter, index) && !counter.isDone) await this.#scans(counter, 1);
    }
  }

  connect(counter: ShelfCounter | undefined): void {
    if (counter === undefined) return;
    counter.line.isOnline = true;
    counter.phone.signIn();
    counter.phone.retryNow();
  }

  async backUp(): Promise<void> {
    const { movements } = await this.installation.shop.movements({});
    this.#backup = { file: await this.installation.backUp(), movements: movements.length };
  }

  async #restore(): Promise<void> {
    if (this.#backup === null) return;
    await this.installation.restore(this.#backup.file);
    this.administrator.meetRestored(this.#backup.movements);
    await this.paper.meetRestored();
    for (const [index, counter] of this.#counters.entries()) {
      counter.line.url = this.installation.url(index);
      counter.comeBack();
    }
  }

  /** Every phone comes back to a network and sends what it has. */
  async deliverAll(): Promise<void> {
    for (const counter of this.#counters) this.connect(counter);
    for (let round = 0; round < 20; round += 1) {
      await this.pass(longEnoughToSend);
      const left = await Promise.all(this.#counters.map((counter) => counter.phone.unsettled()));
      if (left.every((rows) => rows === 0)) return;
      for (const { phone } of this.#counters) phone.retryNow();
    }
    throw new Error("A phone could not send everything.");
  }
}
