import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  admitAll,
  admitPerson,
  askToJoin,
  declinePerson,
  listInvitations,
  openSessionCode,
  readCode,
  readJoinRequest,
  readSessionCode,
  revokeInvitation,
  revokeSessionCode,
} from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import type { RunningCount } from "../running-count.ts";
import { names } from "./count-setup.ts";
import type { Invited } from "./fuzz-stage.ts";

/** What becomes of somebody who asks by the session's code. */
const outcomes = ["admitted", "everybody", "waiting", "declined", "code_closed", "revoked"] as const;
type Outcome = (typeof outcomes)[number];

interface Asked {
  readonly token: string;
  readonly key: string;
  readonly outcome: Outcome;
}

/** Somebody who was let in, and whether their invitation is to be revoked once they have counted a little. */
interface Arrived {
  readonly invited: Invited;
  readonly isRevoked: boolean;
}

const newKey = () => randomBytes(32).toString("base64url");

/** People who come to a count by its session code, and what must come of each. */
export class Arrivals {
  readonly #count: RunningCount;
  readonly #visitor: ApiClient;
  readonly #canJoin: (key: string) => Promise<boolean>;
  readonly #asked: Asked[] = [];
  /** Those who are let in and were not removed, by their invitation. */
  readonly #present = new Map<string, Asked>();

  constructor(count: RunningCount, url: string, canJoin: (key: string) => Promise<boolean>) {
    this.#count = count;
    this.#visitor = new ApiClient(url);
    this.#canJoin = canJoin;
  }

  /** Somebody reads the code and asks, under a name that others may have; null where they are not let in. */
  async arrive(pick: number, hasEnded: boolean): Promise<Arrived | null> {
    const { admin, sessionId } = this.#count;
    const opened = await admin.attempt(openSessionCode, { params: { sessionId } });
    if (hasEnded) {
      assert.equal(opened.ok, false, "a code opens a session that is over");
      return null;
    }
    assert.ok(opened.ok, "no code opens a session that runs");
    const { _id: codeId, link } = opened.body.code;
    const token = link.split("/").at(-1) ?? "";
    const outcome = outcomes[pick % outcomes.length] ?? "admitted";
    const asked = { token, key: newKey(), outcome };
    this.#asked.push(asked);
    const admitting = (is: boolean) =>
      admin.call(admitAll, { params: { id: codeId }, body: { admitting: is } });
    if (outcome === "everybody") await this.#admitWaiting(() => admitting(true));
    const requestId = await this.#ask(asked, pick);
    if (outcome === "everybody") await admitting(false);
    else await this.#decide(asked, codeId, requestId);
    return this.#arrivedAs(asked);
  }

  /** Whoever waits is let in with everybody. */
  async #admitWaiting(admitEverybody: () => Promise<unknown>): Promise<void> {
    const { admin, sessionId } = this.#count;
    const before = await this.#waiting();
    await admitEverybody();
    assert.deepEqual(await this.#waiting(), [], "somebody waits though everybody is admitted");
    const { invitations } = await admin.call(listInvitations, { params: { sessionId } });
    const byCode = invitations.filter(({ email }) => email === "");
    const known = this.#present.size;
    assert.equal(byCode.length, known + before.length, "who was admitted with everybody");
    const still = this.#asked.filter(({ outcome }) => outcome === "waiting");
    for (const [index, { _id }] of byCode.filter(({ _id }) => !this.#present.has(_id)).entries()) {
      const asked = still[index];
      if (asked !== undefined) this.#present.set(_id, asked);
    }
    for (const asked of still)
      this.#asked.splice(this.#asked.indexOf(asked), 1, { ...asked, outcome: "admitted" });
  }

  async #waiting(): Promise<string[]> {
    const { admin, sessionId } = this.#count;
    const { requests } = await admin.call(readSessionCode, { params: { sessionId } });
    return requests.map(({ _id }) => _id);
  }

  /** Asks twice, as where an answer was lost: it is one request. Resolves to its id; null where it was decided at once. */
  async #ask({ token, key, outcome }: Asked, pick: number): Promise<string | null> {
    const before = await this.#waiting();
    const counterName = names[pick % names.length] ?? "";
    const given = { params: { token }, body: { counterName, key } };
    await this.#visitor.call(askToJoin, given);
    const { request } = await this.#visitor.call(askToJoin, given);
    const [made = null, ...more] = (await this.#waiting()).filter((id) => !before.includes(id));
    assert.deepEqual(more, [], "one person waits twice");
    assert.equal(request.status, outcome === "everybody" ? "admitted" : "waiting");
    assert.equal(made === null, outcome === "everybody", "who waits");
    if (made !== null) assert.equal(await this.#canJoin(key), false, "somebody joins who only waits");
    return made;
  }

  async #decide({ token, outcome }: Asked, codeId: string, id: string | null): Promise<void> {
    const { admin } = this.#count;
    const params = { id: id ?? "" };
    if (outcome === "admitted" || outcome === "revoked") await admin.call(admitPerson, { params });
    if (outcome === "declined") await admin.call(declinePerson, { params });
    if (outcome !== "code_closed") return;
    await admin.call(revokeSessionCode, { params: { id: codeId } });
    await this.#requireClosed(token);
    // Whoever waited at the code is no longer let in by it.
    for (const [index, asked] of this.#asked.entries())
      if (asked.token === token && asked.outcome === "waiting")
        this.#asked[index] = { ...asked, outcome: "code_closed" };
  }

  async #requireClosed(token: string): Promise<void> {
    const read = await this.#visitor.attempt(readCode, { params: { token } });
    const body = { counterName: "Too late", key: newKey() };
    const asked = await this.#visitor.attempt(askToJoin, { params: { token }, body });
    assert.deepEqual(
      [read.status, asked.status],
      [404, 404],
      "a code that is closed, or whose session is over",
    );
  }

  async #arrivedAs(asked: Asked): Promise<Arrived | null> {
    const { key, outcome } = asked;
    const own = await this.#visitor.attempt(readJoinRequest, { params: { key } });
    if (outcome === "declined" || outcome === "waiting") {
      assert.equal(own.ok && own.body.request.status, outcome);
      return null;
    }
    if (outcome === "code_closed") {
      assert.equal(own.status, 404, "a request at a closed code");
      return null;
    }
    assert.ok(own.ok && own.body.request.status === "admitted", "an admitted person does not hear of it");
    const name = own.body.request.counterName;
    const invitationId = await this.#invitationOf(name);
    this.#present.set(invitationId, asked);
    return { invited: { name, invitationId, token: key }, isRevoked: outcome === "revoked" };
  }

  async #invitationOf(name: string): Promise<string> {
    const { admin, sessionId } = this.#count;
    const { invitations } = await admin.call(listInvitations, { params: { sessionId } });
    const named = invitations.filter(({ email, counterName }) => email === "" && counterName === name);
    assert.equal(named.length, 1, `admitted as ${name}`);
    return named[0]?._id ?? "";
  }

  /** Removes somebody who was let in: their key opens nothing from then on. */
  async remove({ invitationId, token: key }: Invited): Promise<void> {
    await this.#count.admin.call(revokeInvitation, { params: { id: invitationId } });
    this.#present.delete(invitationId);
    assert.equal(await this.#canJoin(key), false, "somebody joins whose invitation was revoked");
  }

  /** While the session runs: whoever was let in is let in again, and nobody else. */
  async check(): Promise<void> {
    const { admin, sessionId } = this.#count;
    const { invitations } = await admin.call(listInvitations, { params: { sessionId } });
    const byCode = invitations.filter(({ email }) => email === "").map(({ _id }) => _id);
    assert.deepEqual(byCode.sort(), [...this.#present.keys()].sort(), "who is there by the code");
    const present = new Set([...this.#present.values()].map(({ key }) => key));
    for (const { key, outcome } of this.#asked)
      assert.equal(await this.#canJoin(key), present.has(key), `${outcome}: joins by the key`);
  }

  /** Once the session is over its codes and keys open nothing. */
  async checkOver(): Promise<void> {
    for (const token of new Set(this.#asked.map((asked) => asked.token))) await this.#requireClosed(token);
    for (const { key } of this.#asked)
      assert.equal(await this.#canJoin(key), false, "somebody joins a session that is over");
  }
}
