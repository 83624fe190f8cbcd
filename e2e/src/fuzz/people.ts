import { logout, revokeInvitation } from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import { Arrivals } from "./arrivals.ts";
import type { CrewMember } from "./crew.ts";
import { type FuzzStage, type Invited, inviteCounter, joinAs } from "./fuzz-stage.ts";
import type { SignedIn } from "./simulated-phone.ts";
import type { Participant, Trial } from "./trial.ts";

/** Who comes to a count and goes, and who counts on whose phone. */
export class People {
  /** Everybody who has signed in to count here, by user id. */
  readonly known = new Map<string, { readonly name: string; readonly invitationId: string }>();
  readonly arrivals: Arrivals;
  readonly #trial: Trial;
  readonly #stage: FuzzStage;

  constructor(trial: Trial, stage: FuzzStage) {
    this.#trial = trial;
    this.#stage = stage;
    const canJoin = async (token: string) =>
      (await joinAs(stage.product.url, { name: "", invitationId: "", token })) !== null;
    this.arrivals = new Arrivals(trial.count, stage.product.url, canJoin);
  }

  invite(name: string): Promise<Invited> {
    const email = `${name}-${crypto.randomUUID()}@fuzz.example`.toLowerCase();
    return inviteCounter(this.#stage, this.#trial.count, { name, email });
  }

  async inviteIfOpen(name: string): Promise<Invited | null> {
    return this.#trial.hasEnded ? null : this.invite(name);
  }

  async join(invited: Invited): Promise<SignedIn | null> {
    const person = await joinAs(this.#stage.product.url, invited);
    const { invitationId } = invited;
    if (person !== null) this.known.set(person.userId, { name: person.username, invitationId });
    return person;
  }

  async signOut({ member, invited }: Participant): Promise<void> {
    const cookie = member.network.cookie;
    member.phone.signOut();
    await new ApiClient(this.#stage.product.url).attempt(logout, { headers: { cookie } });
    await this.signInAs(member, invited);
  }

  async signInAs(member: CrewMember, invited: Invited): Promise<void> {
    const person = await this.join(invited);
    if (person !== null) await member.signInAs(person);
  }

  /** Somebody else uses the phone for a moment without counting. */
  async visit(member: CrewMember, visitor: SignedIn): Promise<void> {
    const owner = { userId: member.phone.userId, cookie: member.network.cookie };
    await member.signInAs(visitor);
    await member.phone.settled();
    await member.signInAs(owner);
  }

  async revoke(participant: Participant): Promise<void> {
    const { invited, member } = participant;
    const { admin } = this.#trial.count;
    await admin.attempt(revokeInvitation, { params: { id: invited.invitationId } });
    this.#trial.assigning.revoke(invited.invitationId);
    await member.phone.settled();
    const fresh = await this.inviteIfOpen(invited.name);
    if (fresh === null) return;
    this.#trial.replace(participant, { member, invited: fresh });
    await this.signInAs(member, fresh);
  }

  /**
   * Somebody comes by the session code; whoever is let in counts on a phone from then on. Where they are removed again, who had the phone
   * takes it back: what was scanned until then is sent by their login.
   */
  async arrive({ member, invited }: Participant, pick: number): Promise<void> {
    const arrived = await this.arrivals.arrive(pick, this.#trial.hasEnded);
    if (arrived === null) return;
    await this.signInAs(member, arrived.invited);
    if (!arrived.isRevoked) return;
    for (let left = 1 + (pick % 4); left > 0; left -= 1) await member.act();
    await this.arrivals.remove(arrived.invited);
    this.#trial.assigning.revoke(arrived.invited.invitationId);
    await member.phone.settled();
    await this.signInAs(member, invited);
  }
}
