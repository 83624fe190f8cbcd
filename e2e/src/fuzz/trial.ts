import { deleteLocation, endSession } from "@stocktake/contract";
import { createSeededRandomness } from "../../../apps/web/src/offline/testing/manual-clock.ts";
import type { RunningCount } from "../running-count.ts";
import { Assigning } from "./assigning.ts";
import { beginCount, cloneCode, createFuzzAreas, names, sharedCode } from "./count-setup.ts";
import { CountedAgain } from "./counted-again.ts";
import { type Found, finishAll } from "./coverage.ts";
import { CrewMember, runSteps } from "./crew.ts";
import type { FuzzStage, Invited } from "./fuzz-stage.ts";
import { checkTrial } from "./oracle.ts";
import { People } from "./people.ts";
import { Places } from "./places.ts";
import type { Disruption, Plan } from "./plan.ts";
import { Searches } from "./searches.ts";
import type { SignedIn } from "./simulated-phone.ts";
import type { FuzzArea } from "./walk.ts";

const stepsWithoutServer = 6;
// Rows are deleted after two days by the device's clock: a larger error would delete what the checks compare.
const longestClockErrorMs = 20 * 60 * 60 * 1000;

/** A member of the crew and the person's current invitation. */
export interface Participant {
  readonly member: CrewMember;
  readonly invited: Invited;
}

/** One count of a store by three people, following a plan. Location, areas, session, invitations and phones are new. */
export class Trial {
  readonly count: RunningCount;
  readonly fuzzAreas: readonly FuzzArea[];
  readonly deleted = new Set<string>();
  /** Those of them that were deleted after the end, as they were then. */
  readonly deletedSince: Found[] = [];
  hasEnded = false;
  readonly again: CountedAgain;
  readonly searches: Searches;
  readonly assigning: Assigning;
  readonly people: People;
  readonly #places: Places;
  readonly #stage: FuzzStage;
  readonly #plan: Plan;
  #participants: readonly Participant[] = [];
  #clone: Participant | null = null;
  #stepsUntilRestart = 0;

  private constructor(stage: FuzzStage, plan: Plan, made: { count: RunningCount; fuzzAreas: FuzzArea[] }) {
    this.#stage = stage;
    this.#plan = plan;
    this.count = made.count;
    this.again = new CountedAgain(made.count, stage.product.url);
    this.searches = new Searches(made.count);
    this.assigning = new Assigning(made.count, stage.product.url);
    this.people = new People(this, stage);
    this.fuzzAreas = made.fuzzAreas;
    this.#places = new Places(this, stage.pile);
  }

  /** Everybody with a phone, including the one with the copied storage. */
  get participants(): readonly Participant[] {
    return this.#clone === null ? this.#participants : [...this.#participants, this.#clone];
  }

  get #members(): readonly CrewMember[] {
    return this.participants.map(({ member }) => member);
  }

  /** Runs the plan and checks the result. Throws where a rule is broken. Resolves to whether a coverage certificate came of it. */
  static async run(stage: FuzzStage, plan: Plan): Promise<boolean> {
    const count = await beginCount(stage);
    const trial = new Trial(stage, plan, { count, fuzzAreas: await createFuzzAreas(count) });
    try {
      await trial.#gather();
      await trial.#count();
      await trial.#sendEverything();
      return await checkTrial(trial);
    } finally {
      await trial.#clearUp();
    }
  }

  /** Somebody has another invitation from here on. */
  replace(participant: Participant, renewed: Participant): void {
    if (this.#clone === participant) this.#clone = renewed;
    this.#participants = this.#participants.map((each) => (each === participant ? renewed : each));
  }

  /** Half of the counts are brought to an end in which every area is closed. */
  async finish(): Promise<void> {
    if (!this.hasEnded && this.#plan.seed % 2 === 0) await finishAll(this.count);
  }

  /** Ends the session, unless the plan already has. */
  async end(): Promise<void> {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const { member } of this.participants) for (const walk of member.walks) walk.disturb();
    await this.count.admin.call(endSession, { body: { sessionId: this.count.sessionId } });
  }

  async #gather(): Promise<void> {
    const participants: Participant[] = [];
    for (const [index, name] of names.entries()) {
      const invited = await this.people.invite(name);
      const person = await this.people.join(invited);
      if (person === null) throw new Error(`${name} could not join.`);
      const fuzzAreas = [...this.fuzzAreas.slice(index * 2, index * 2 + 2), this.#fuzzArea(sharedCode)];
      const member = this.#member(person, fuzzAreas, index);
      await member.open();
      participants.push({ member, invited });
    }
    this.#participants = participants;
  }

  #fuzzArea(code: string): FuzzArea {
    const fuzzArea = this.fuzzAreas.find(({ area }) => area.areaCode === code);
    if (fuzzArea === undefined) throw new Error(`There is no area ${code}.`);
    return fuzzArea;
  }

  #member(person: SignedIn, fuzzAreas: readonly FuzzArea[], index: number): CrewMember {
    const random = createSeededRandomness(this.#plan.seed * 7919 + index);
    const byHand = createSeededRandomness(this.#plan.seed * 7919 + 1_000 + index);
    const { product, pile, search } = this.#stage;
    const mayOpen = (visitor: CrewMember, fuzzArea: FuzzArea) =>
      this.assigning.mayOpen(visitor, fuzzArea, this.people.known.get(visitor.phone.userId)?.invitationId);
    return new CrewMember(product.url, person, fuzzAreas, { pile, search, byHand, mayOpen }, random);
  }

  async #count(): Promise<void> {
    const { seed, steps, disruptions } = this.#plan;
    await runSteps(this.#members, seed, steps, async (step) => {
      await this.#pace();
      for (const disruption of disruptions) {
        if (Math.floor((disruption.at * steps) / 100) === step) await this.#disrupt(disruption);
      }
    });
    while (this.#stepsUntilRestart > 0) await this.#pace();
  }

  /** The clone's owner counts too, and a killed server is restarted after a few steps. */
  async #pace(): Promise<void> {
    await this.#clone?.member.act();
    if (this.#stepsUntilRestart === 0) return;
    this.#stepsUntilRestart -= 1;
    if (this.#stepsUntilRestart === 0) await this.#stage.restart();
  }

  async #disrupt({ kind, who, pick }: Disruption): Promise<void> {
    const participant = this.participants[who % this.participants.length];
    if (participant === undefined || this.#stepsUntilRestart > 0) return;
    const { member } = participant;
    switch (kind) {
      case "session_ends":
        return this.end();
      case "phone_cloned":
        return this.#clonePhone(participant);
      case "second_tab":
        return member.phone.openSecondTab();
      case "signs_out":
        return this.people.signOut(participant);
      case "another_signs_in":
        return this.people.signInAs(
          member,
          (this.participants[pick % this.participants.length] ?? participant).invited,
        );
      case "admin_signs_in":
        return this.people.visit(member, this.#stage.admin);
      case "stranger_signs_in":
        return this.people.visit(member, this.#stage.stranger);
      case "invitation_revoked":
        return this.people.revoke(participant);
      case "area_reopened":
        return this.#places.reopen(pick);
      case "area_deleted":
        return this.#places.delete(pick);
      case "server_killed":
        this.#stepsUntilRestart = stepsWithoutServer;
        return this.#stage.kill();
      case "clock_set":
        return this.#setClock(member, pick);
      case "phone_offline":
        return member.goOffline();
      case "phone_online":
        return member.goOnline();
      case "second_count_asked":
        return this.#places.countAgain(member, pick);
      case "sample_drawn":
        return this.#places.controlSample(member, pick);
      case "sample_voided":
        return this.again.voidSample();
      case "search_made":
        return this.searches.ask(member, pick);
      case "search_answered":
        return this.searches.answer(member, pick);
      case "area_left_empty":
        return member.walks[pick % member.walks.length]?.leaveEmpty();
      case "tolerance_set":
        return this.#places.setTolerance(pick);
      case "areas_assigned":
        return this.#places.assign(participant, pick);
      case "joins_by_code":
        return this.people.arrive(participant, pick);
    }
  }

  async #clonePhone({ member: original }: Participant): Promise<void> {
    if (this.#clone !== null) return;
    const invited = await this.people.inviteIfOpen("Dora");
    const person = invited === null ? null : await this.people.join(invited);
    if (invited === null || person === null) return;
    const member = this.#member(
      person,
      [this.#fuzzArea(cloneCode), this.#fuzzArea(sharedCode)],
      names.length,
    );
    await original.shareQueue();
    await member.openAsCloneOf(original);
    this.#clone = { member, invited };
  }

  #setClock({ phone: { clock } }: CrewMember, pick: number): void {
    const wanted = (pick / 500 - 1) * longestClockErrorMs;
    const present = clock.setAhead();
    clock.setBy(wanted - present);
  }

  /** Where a person's login has ended, an administrator sends the rest. */
  async #sendEverything(): Promise<void> {
    for (const member of this.#members) {
      await member.sendEverything();
      if ((await member.phone.unsettled()) === 0) continue;
      await member.signInAs(this.#stage.admin);
      await member.sendEverything();
    }
  }

  async #clearUp(): Promise<void> {
    for (const member of this.#members) member.phone.crash();
    if (this.#stepsUntilRestart > 0) await this.#stage.restart();
    await this.end();
    await this.count.admin.attempt(deleteLocation, { params: { id: this.count.locationId } });
  }
}
