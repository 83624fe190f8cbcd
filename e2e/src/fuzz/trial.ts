import { deleteLocation, endSession, logout, revokeInvitation } from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import { createSeededRandomness } from "../../../apps/web/src/offline/testing/manual-clock.ts";
import type { RunningCount } from "../running-count.ts";
import { beginCount, cloneCode, createFuzzAreas, names, sharedCode } from "./count-setup.ts";
import { CountedAgain } from "./counted-again.ts";
import { type Found, finishAll } from "./coverage.ts";
import { CrewMember, runSteps } from "./crew.ts";
import { type FuzzStage, type Invited, inviteCounter, joinAs } from "./fuzz-stage.ts";
import { checkTrial } from "./oracle.ts";
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
  /** Everybody who has signed in to count here, by user id. */
  readonly names = new Map<string, string>();
  hasEnded = false;
  readonly again: CountedAgain;
  readonly searches: Searches;
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
      const invited = await this.#invite(name);
      const person = await this.#join(invited);
      if (person === null) throw new Error(`${name} could not join.`);
      const fuzzAreas = [...this.fuzzAreas.slice(index * 2, index * 2 + 2), this.#fuzzArea(sharedCode)];
      const member = this.#member(person, fuzzAreas, index);
      await member.open();
      participants.push({ member, invited });
    }
    this.#participants = participants;
  }

  async #join(invited: Invited): Promise<SignedIn | null> {
    const person = await joinAs(this.#stage.product.url, invited);
    if (person !== null) this.names.set(person.userId, person.username);
    return person;
  }

  #invite(name: string): Promise<Invited> {
    const email = `${name}-${crypto.randomUUID()}@fuzz.example`.toLowerCase();
    return inviteCounter(this.#stage, this.count, { name, email });
  }

  #fuzzArea(code: string): FuzzArea {
    const fuzzArea = this.fuzzAreas.find(({ area }) => area.areaCode === code);
    if (fuzzArea === undefined) throw new Error(`There is no area ${code}.`);
    return fuzzArea;
  }

  #member(person: SignedIn, fuzzAreas: readonly FuzzArea[], index: number): CrewMember {
    const random = createSeededRandomness(this.#plan.seed * 7919 + index);
    return new CrewMember(this.#stage.product.url, person, fuzzAreas, this.#stage.pile, random);
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
        return this.#signOut(participant);
      case "another_signs_in":
        return this.#signInAs(member, this.participants[pick % this.participants.length] ?? participant);
      case "admin_signs_in":
        return this.#visit(member, this.#stage.admin);
      case "stranger_signs_in":
        return this.#visit(member, this.#stage.stranger);
      case "invitation_revoked":
        return this.#revoke(participant);
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
    }
  }

  async #clonePhone({ member: original }: Participant): Promise<void> {
    if (this.#clone !== null) return;
    const invited = await this.#inviteIfOpen("Dora");
    const person = invited === null ? null : await this.#join(invited);
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

  async #inviteIfOpen(name: string): Promise<Invited | null> {
    return this.hasEnded ? null : this.#invite(name);
  }

  async #signOut({ member, invited }: Participant): Promise<void> {
    const cookie = member.network.cookie;
    member.phone.signOut();
    await new ApiClient(this.#stage.product.url).attempt(logout, { headers: { cookie } });
    const again = await this.#join(invited);
    if (again !== null) await member.signInAs(again);
  }

  async #signInAs(member: CrewMember, { invited }: Participant): Promise<void> {
    const person = await this.#join(invited);
    if (person !== null) await member.signInAs(person);
  }

  /** Somebody else uses the phone for a moment without counting. */
  async #visit(member: CrewMember, visitor: SignedIn): Promise<void> {
    const owner = { userId: member.phone.userId, cookie: member.network.cookie };
    await member.signInAs(visitor);
    await member.phone.settled();
    await member.signInAs(owner);
  }

  async #revoke(participant: Participant): Promise<void> {
    const { invited, member } = participant;
    await this.count.admin.attempt(revokeInvitation, { params: { id: invited.invitationId } });
    await member.phone.settled();
    const fresh = await this.#inviteIfOpen(invited.name);
    if (fresh === null) return;
    const renewed = { member, invited: fresh };
    if (this.#clone === participant) this.#clone = renewed;
    this.#participants = this.#participants.map((each) => (each === participant ? renewed : each));
    await this.#signInAs(member, renewed);
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
