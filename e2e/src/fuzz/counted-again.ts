import assert from "node:assert/strict";
import {
  answerSearch,
  areaScans,
  askSecondCount,
  type CountDifference,
  countDifferences,
  createSearches,
  listNeverCounted,
  type SecondCount,
  secondCounts,
  settleDifference,
} from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import { unitsOfScan } from "../../../apps/web/src/offline/database/records.ts";
import type { RunningCount } from "../running-count.ts";
import type { Article } from "../stock.ts";
import type { CrewMember } from "./crew.ts";
import type { StoredScan } from "./oracle.ts";
import type { FuzzArea } from "./walk.ts";

/** Second counts and searches of one count: what asks for them, and what must come of them. */
export class CountedAgain {
  /** Areas of which a second count was asked for, by id. */
  readonly areaIds = new Set<string>();
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
    member.goTo(
      { ...fuzzArea, isOwn: false, currentPass: () => this.#passSeenBy(member, fuzzArea) },
      outcome.body.secondCount.pass,
    );
    return true;
  }

  async #passSeenBy({ network: { cookie } }: CrewMember, { area }: FuzzArea): Promise<number | null> {
    const { sessionId, areaCode, locationId } = area;
    const given = { params: { sessionId, areaCode }, query: { locationId }, headers: { cookie } };
    try {
      const outcome = await new ApiClient(this.#url).attempt(areaScans, given);
      return outcome.ok ? outcome.body.pass : null;
    } catch {
      // The server is unreachable: the walk continues in its last known pass.
      return null;
    }
  }

  /** Somebody looks for what nobody has counted; whatever they say, it counts nothing. */
  async search({ network: { cookie } }: CrewMember, pick: number): Promise<void> {
    const { admin, sessionId } = this.#count;
    const params = { id: sessionId };
    const missed = await admin.attempt(listNeverCounted, { params, query: { limit: "20" } });
    const sku = missed.ok ? missed.body.rows[pick % 20]?.sku : undefined;
    if (sku === undefined) return;
    const made = await admin.attempt(createSearches, { params, body: { skus: [sku] } });
    const number = made.ok ? made.body.lists[0]?.number : undefined;
    if (number === undefined) return;
    const said = { sku, answer: pick % 2 === 0 ? "found" : "not_there", deviceId: "fuzz" } as const;
    await new ApiClient(this.#url).attempt(answerSearch, {
      ...{ params: { ...params, number: String(number) }, body: said, headers: { cookie } },
    });
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
