import assert from "node:assert/strict";
import {
  areaScans,
  askSecondCount,
  type CountDifference,
  controlSamples,
  countDifferences,
  drawSample,
  type SecondCount,
  secondCounts,
  settleDifference,
  voidSample,
} from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import { unitsOfScan } from "../../../apps/web/src/offline/database/records.ts";
import type { RunningCount } from "../running-count.ts";
import type { Article } from "../stock.ts";
import type { CrewMember } from "./crew.ts";
import type { StoredScan } from "./oracle.ts";
import type { FuzzArea } from "./walk.ts";

/** Second counts of one count, those of control samples too: what asks for them, and what must come of them. */
export class CountedAgain {
  /** Areas with second counts, whether somebody, a control sample or the tolerance asks for them; by id. */
  readonly areaIds = new Set<string>();
  /** The SKUs of which another count took the place of a first that had some, with none: 0 is a count. */
  readonly settledAsNone = new Set<string>();
  readonly #count: RunningCount;
  readonly #url: string;
  #attempts: readonly SecondCount[] = [];

  constructor(count: RunningCount, url: string) {
    this.#count = count;
    this.#url = url;
  }

  /**
   * Has a closed area counted a second time, whole or of some products, by a member of the crew; false where it is not closed, or cannot be
   * counted again.
   */
  async ask(
    fuzzArea: FuzzArea,
    member: CrewMember,
    pile: readonly Article[],
    pick: number,
  ): Promise<boolean> {
    const { areaId } = fuzzArea.area;
    const some = pile.map(({ sku }) => sku).filter((_sku, index) => (pick >> index) % 2 === 1);
    const skus = pick % 3 === 0 || some.length === 0 ? undefined : [...new Set(some)];
    const ofSome = await this.#count.admin.attempt(askSecondCount, { body: { areaId, skus } });
    // Whatever is open there, a third count too, is what this person counts.
    const outcome = ofSome.ok
      ? ofSome
      : await this.#count.admin.attempt(askSecondCount, { body: { areaId } });
    if (!outcome.ok) return false;
    this.areaIds.add(areaId);
    this.#send(member, fuzzArea, outcome.body.secondCount.pass);
    return true;
  }

  #send(member: CrewMember, fuzzArea: FuzzArea, pass: number): void {
    const currentPass = () => this.#passSeenBy(member, fuzzArea);
    member.goTo({ ...fuzzArea, isOwn: false, currentPass }, pass);
  }

  /** Draws a control sample of one or two closed areas; the areas drawn, none where it can't be drawn. */
  async draw(fuzzAreas: readonly FuzzArea[], pick: number): Promise<readonly FuzzArea[]> {
    const params = { id: this.#count.sessionId };
    const drawing = (areas: number) =>
      this.#count.admin.attempt(drawSample, { params, body: { areas, reason: "Another one" } });
    const several = await drawing(1 + (pick % 2));
    const outcome = several.ok ? several : await drawing(1);
    if (!outcome.ok) return [];
    const ids = new Set(outcome.body.sample.drawn.map(({ area }) => area._id));
    for (const id of ids) this.areaIds.add(id);
    return fuzzAreas.filter(({ area }) => ids.has(area.areaId));
  }

  /** Somebody counts an area that was drawn, as far as they are shown that there is something to count. */
  async control(member: CrewMember, fuzzArea: FuzzArea): Promise<void> {
    const pass = await this.#passSeenBy(member, fuzzArea);
    if (pass !== null) this.#send(member, fuzzArea, pass);
  }

  /** Declares the control sample that is being counted void. */
  async voidSample(): Promise<void> {
    const params = { id: this.#count.sessionId };
    const { samples } = await this.#count.admin.call(controlSamples, { params });
    const number = samples.find(({ status }) => status === "counting")?.number;
    if (number === undefined) return;
    await this.#count.admin.attempt(voidSample, { params, body: { number, reason: "Nobody is left" } });
  }

  /** Null where this person can't know: without a network or a server the walk continues in its last known pass. */
  async #passSeenBy({ network }: CrewMember, { area }: FuzzArea): Promise<number | null> {
    if (!network.isOnline) return null;
    const { cookie } = network;
    const { sessionId, areaCode, locationId } = area;
    const given = { params: { sessionId, areaCode }, query: { locationId }, headers: { cookie } };
    try {
      const outcome = await new ApiClient(this.#url).attempt(areaScans, given);
      return outcome.ok ? outcome.body.pass : null;
    } catch {
      return null;
    }
  }

  /** The administrator chooses where counts differ and nobody is to count a third time. */
  async settle(): Promise<void> {
    const params = { id: this.#count.sessionId };
    const { differences } = await this.#count.admin.call(countDifferences, { params });
    for (const { area, ofPass, sku, first, third, settledAs, thirdCountOpen } of differences) {
      if (settledAs !== null || thirdCountOpen) continue;
      const choice = first % 2 === 0 ? "second" : third === null ? "first" : "third";
      const body = { areaId: area._id, ofPass, sku, choice, reason: "Looked at the shelf" } as const;
      await this.#count.admin.call(settleDifference, { params, body });
    }
  }

  /** Reads which passes are of second counts, once everything is sent. */
  async read(): Promise<void> {
    const answer = await this.#count.admin.call(secondCounts, { params: { id: this.#count.sessionId } });
    this.#attempts = answer.secondCounts;
    // The tolerance asks for some by itself.
    for (const { area } of this.#attempts) this.areaIds.add(area._id);
  }

  /** A scan that is, or was made, in the pass of a second count: it is in no figure as it is. */
  isOfAttempt(areaId: string, pass: number): boolean {
    return this.#attempts.some((attempt) => attempt.area._id === areaId && attempt.pass === pass);
  }

  /** Every figure that was counted more than once is that of the rule, and each count is what the phones scanned. */
  async check(
    stored: readonly StoredScan[],
    listed: ReadonlySet<string>,
    countedIn: (areaId: string, sku: string) => number,
  ): Promise<void> {
    const params = { id: this.#count.sessionId };
    const { differences } = await this.#count.admin.call(countDifferences, { params });
    this.#checkReplaced(differences, stored, listed);
    for (const difference of differences) {
      const { area, sku, first, second, third, settledAs, settledBy } = difference;
      const counts = { first, second, third: third ?? 0, equal: first };
      const agreed = first === third ? first : second === third ? second : null;
      if (settledAs !== null && settledBy === null) {
        assert.equal(counts[settledAs], agreed, `${area.code} ${sku}: settled`);
      }
      assert.equal(countedIn(area._id, sku), counts[settledAs ?? "first"], `${area.code} ${sku}: the figure`);
      if (first > 0 && counts[settledAs ?? "first"] === 0) this.settledAsNone.add(sku);
      for (const round of [2, 3]) this.#checkRound(difference, round, stored);
    }
  }

  /** The first count's scans of a SKU no longer count only where it is settled as another count's. */
  #checkReplaced(
    differences: readonly CountDifference[],
    stored: readonly StoredScan[],
    listed: ReadonlySet<string>,
  ): void {
    const isReplaced = (areaId: string, sku: string | null) =>
      differences.some(
        (each) =>
          each.area._id === areaId &&
          each.sku === sku &&
          (each.settledAs === "second" || each.settledAs === "third"),
      );
    for (const { row, answer } of stored) {
      const { _id, pass, sku } = answer.scan;
      const isInFirst = this.areaIds.has(row.areaId) && !this.isOfAttempt(row.areaId, pass);
      if (!isInFirst || answer.status !== "counted" || listed.has(_id)) continue;
      assert.ok(isReplaced(row.areaId, sku), `${row.areaCode} ${sku}: ${_id} counts no longer`);
    }
  }

  #checkRound(
    { area, ofPass, sku, second, third }: CountDifference,
    round: number,
    stored: readonly StoredScan[],
  ) {
    const count = round === 2 ? second : third;
    const attempt = this.#attempts.find(
      (each) =>
        each.area._id === area._id &&
        each.ofPass === ofPass &&
        each.round === round &&
        each.endedAs === "closed" &&
        each.only?.includes(sku) !== false,
    );
    if (count === null || attempt === undefined) return;
    const made = stored.filter(
      ({ row, answer }) =>
        row.areaId === area._id &&
        row.pass === attempt.pass &&
        answer.status === "counted" &&
        answer.scan.sku === sku,
    );
    const byId = new Map(made.map(({ row, answer }) => [answer.scan._id, unitsOfScan(row)]));
    const units = [...byId.values()].reduce((sum, each) => sum + each, 0);
    assert.equal(units, count, `${area.code} ${sku}: count ${round}`);
  }
}
