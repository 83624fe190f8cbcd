import assert from "node:assert/strict";
import {
  type CallAnswer,
  createSearches,
  listAudit,
  listNeverCounted,
  readSearch,
  type SearchAnswer,
} from "@stocktake/contract";
import type { RunningCount } from "../running-count.ts";
import type { CrewMember } from "./crew.ts";
import type { Said, Sought } from "./searcher.ts";

const answerOf = (pick: number): SearchAnswer => (pick % 2 === 0 ? "found" : "not_there");

/** What a crew looks for, and what must come of their answers. */
export class Searches {
  readonly #count: RunningCount;
  readonly #made: Sought[] = [];

  constructor(count: RunningCount) {
    this.#count = count;
  }

  /** The administrator has somebody look for what nobody has counted; with a network they see the list, and answer at once. */
  async ask(member: CrewMember, pick: number): Promise<void> {
    const { admin, sessionId } = this.#count;
    const params = { id: sessionId };
    const missed = await admin.attempt(listNeverCounted, { params, query: { limit: "20" } });
    const sku = missed.ok ? missed.body.rows[pick % 20]?.sku : undefined;
    if (sku === undefined) return;
    const made = await admin.attempt(createSearches, { params, body: { skus: [sku] } });
    const list = made.ok ? made.body.lists[0]?.number : undefined;
    if (list === undefined) return;
    this.#made.push({ sessionId, list, sku });
    await this.answer(member, pick);
  }

  /** Somebody answers, or thinks better of it; whatever they say, it counts nothing. */
  async answer(member: CrewMember, pick: number): Promise<void> {
    const { searcher, network } = member;
    if (network.isOnline) searcher.known.splice(0, searcher.known.length, ...this.#made);
    // Mostly of the same, so that people change their mind.
    const sought = searcher.known[(pick % 7) % Math.min(2, searcher.known.length || 1)];
    if (sought !== undefined) await searcher.say(sought, answerOf(pick));
  }

  /**
   * What phones were told that was kept is what the server has, once, and the last word of each person. What nobody was told of may be there
   * or not.
   */
  async check(members: readonly CrewMember[]): Promise<void> {
    const said = members.flatMap(({ searcher }) => searcher.said);
    const kept = await this.#readKept();
    for (const [key, answers] of kept) {
      assert.ok(
        answers.every((answer, index) => answer !== answers[index - 1]),
        `${key}: said once, kept twice: ${answers.join()}`,
      );
    }
    const keys = new Set([...said.map(keyOf), ...kept.keys()]);
    for (const key of keys) {
      const ofKey = said.filter((each) => keyOf(each) === key);
      const last = kept.get(key)?.at(-1) ?? null;
      assert.ok(mayHold(ofKey).has(last), `${key}: ${last} is kept of ${JSON.stringify(ofKey)}`);
    }
    await this.#checkLists(kept);
  }

  /** The answers of each person about each SKU in the order in which they were kept, as the log has them. */
  async #readKept(): Promise<Map<string, unknown[]>> {
    const { admin, sessionId } = this.#count;
    const { entries } = await admin.call(listAudit, { query: { sessionId, action: "search.answered" } });
    const kept = new Map<string, unknown[]>();
    for (const { actor, subject, after } of entries.toReversed()) {
      const key = `${actor._id} ${subject._id}`;
      kept.set(key, [...(kept.get(key) ?? []), after?.answer]);
    }
    return kept;
  }

  /** The lists show the same. */
  async #checkLists(kept: ReadonlyMap<string, readonly unknown[]>): Promise<void> {
    const shown = new Map<string, Item>();
    for (const { list } of this.#made) {
      const params = { id: this.#count.sessionId, number: String(list) };
      const { items } = await this.#count.admin.call(readSearch, { params });
      for (const item of items) shown.set(item.sku, item);
    }
    for (const [sku, { answers }] of shown) {
      const lasting = [...kept].filter(([key]) => key.endsWith(` ${sku}`)).map(([, each]) => each.at(-1));
      assert.deepEqual(answers.map(({ answer }) => answer).sort(), lasting.sort(), `${sku}: the list`);
    }
  }
}

type Item = CallAnswer<typeof readSearch>["items"][number];

const keyOf = ({ userId, sku }: Said) => `${userId} ${sku}`;

/**
 * What the server may have of what one person has said of a SKU, in its order; null where it may have nothing. What nobody heard of may arrive
 * whenever it likes, but what its own phone has said since holds.
 */
function mayHold(said: readonly Said[]): ReadonlySet<unknown> {
  const may = new Set<Said | null>([null]);
  for (const each of said) {
    if (each.became === "unheard") may.add(each);
    else if (each.became === "kept") {
      for (const before of may)
        if (before?.became !== "unheard" || before.deviceId === each.deviceId) may.delete(before);
      may.add(each);
    } else for (const before of may) if (before?.answer === each.answer) may.delete(before);
  }
  return new Set([...may].map((each) => each?.answer ?? null));
}
