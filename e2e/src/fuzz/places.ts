import { deleteArea, reopenArea, setStoreTolerance, type Tolerance } from "@stocktake/contract";
import type { Article } from "../stock.ts";
import { findAreas } from "./coverage.ts";
import type { CrewMember } from "./crew.ts";
import type { Participant, Trial } from "./trial.ts";
import type { FuzzArea, Walk } from "./walk.ts";

const noLimits = { units: null, money: null, stockPercent: null, moneyPercent: null };

/** What an administrator does with areas in the middle of a count. */
export class Places {
  readonly #trial: Trial;
  readonly #pile: readonly Article[];

  constructor(trial: Trial, pile: readonly Article[]) {
    this.#trial = trial;
    this.#pile = pile;
  }

  #at(pick: number): FuzzArea | undefined {
    const { fuzzAreas } = this.#trial;
    return fuzzAreas[pick % fuzzAreas.length];
  }

  #walksOf({ area: { areaId } }: FuzzArea): Walk[] {
    return this.#trial.participants
      .flatMap(({ member }) => member.walks)
      .filter(({ fuzzArea }) => fuzzArea.area.areaId === areaId);
  }

  /** The first area from the drawn one on that is closed is counted again by somebody, who may have counted it. */
  async countAgain(member: CrewMember, pick: number): Promise<void> {
    const { again, fuzzAreas } = this.#trial;
    for (const [index] of fuzzAreas.entries()) {
      const fuzzArea = this.#at(pick + index);
      if (fuzzArea === undefined) continue;
      if (!(await again.ask(fuzzArea, member, this.#pile, pick))) continue;
      for (const walk of this.#walksOf(fuzzArea)) walk.disturb();
      // Some take the count along to where there is no network.
      if (pick % 7 === 0) member.goOffline();
      if (pick % 5 > 0) await member.countThrough();
      return;
    }
  }

  /** Somebody, who may have counted there, counts what the sample draws: all of it, or one of two areas. */
  async controlSample(member: CrewMember, pick: number): Promise<void> {
    const { again, fuzzAreas } = this.#trial;
    const drawn = await again.draw(fuzzAreas, pick);
    for (const fuzzArea of drawn) for (const walk of this.#walksOf(fuzzArea)) walk.disturb();
    if (!member.phone.isOnline) return;
    for (const fuzzArea of pick % 3 === 0 ? drawn.slice(1) : drawn) {
      await again.control(member, fuzzArea);
      await member.countThrough();
    }
  }

  async reopen(pick: number): Promise<void> {
    const fuzzArea = this.#at(pick);
    if (fuzzArea === undefined) return;
    const body = { areaId: fuzzArea.area.areaId, eraseScans: true } as const;
    const outcome = await this.#trial.count.admin.attempt(reopenArea, { body });
    if (outcome.ok) for (const walk of this.#walksOf(fuzzArea)) walk.reopen();
  }

  async delete(pick: number): Promise<void> {
    const fuzzArea = this.#at(pick);
    if (fuzzArea === undefined) return;
    const { count, deleted, deletedSince, hasEnded } = this.#trial;
    const found = hasEnded ? await findAreas(count) : [];
    const outcome = await count.admin.attempt(deleteArea, { params: { id: fuzzArea.area.areaId } });
    if (!outcome.ok) return;
    deleted.add(fuzzArea.area.areaId);
    deletedSince.push(...found.filter(({ area }) => area._id === fuzzArea.area.areaId));
    for (const walk of this.#walksOf(fuzzArea)) walk.disturb();
  }

  /** Gives somebody areas, mostly so that nobody else may count them; some phones hear of it at once, others go on. */
  async assign({ invited }: Participant, pick: number): Promise<void> {
    const { assigning, participants, fuzzAreas } = this.#trial;
    const given = pick % 5 === 0 ? [] : [this.#at(pick), ...(pick % 3 === 0 ? [this.#at(pick + 1)] : [])];
    const areaIds = given.flatMap((fuzzArea) => (fuzzArea === undefined ? [] : [fuzzArea.area.areaId]));
    const changed = await assigning.assign(invited.invitationId, areaIds, pick % 4 !== 1);
    for (const fuzzArea of fuzzAreas)
      if (changed.includes(fuzzArea.area.areaId)) for (const walk of this.#walksOf(fuzzArea)) walk.disturb();
    for (const [index, { member }] of participants.entries())
      if ((pick >> index) % 2 === 0) await member.hearOfAssignments();
  }

  /** From now on the server asks for second counts by itself where a SKU differs by more. */
  async setTolerance(pick: number): Promise<void> {
    const { admin, storeId } = this.#trial.count;
    const limits = { ...noLimits, units: pick % 4 };
    const tolerance: Tolerance = { over: limits, short: pick % 3 === 0 ? limits : noLimits };
    await admin.attempt(setStoreTolerance, { params: { id: storeId }, body: { tolerance } });
  }
}
