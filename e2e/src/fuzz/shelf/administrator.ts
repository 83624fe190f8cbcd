import assert from "node:assert/strict";
import {
  type Basis,
  createAreas,
  createLocation,
  createStore,
  deployReport,
  endSession,
  includeFigures,
  listAreasOfLocation,
  listSessions,
  listShopifyLocations,
  previewRelease,
  releaseSession,
  resolveScan,
  rollbackReport,
  sessionExceptions,
  setBasis,
  startSession,
  varianceReport,
} from "@stocktake/contract";
import type { CountedArea } from "../../../../apps/web/src/offline/outbox/append.ts";
import { type ByHand, resumeRest, settleUnclear } from "./by-hand.ts";
import { actWhile, putInTheWay } from "./in-the-way.ts";
import { areasOfShelf, shopLocation } from "./shelf.ts";
import type { ShelfTrial } from "./shelf-trial.ts";

/**
 * Starts, ends, decides, releases and deploys. Knows what a person with the shop's history of stock would know; where even
 * such a person can't tell, the SKU is left out of what is checked.
 */
export class Administrator {
  storeId = "";
  sessionId = "";
  areas: readonly CountedArea[] = [];
  basis: Basis;
  /** SKUs that the last deploy said it would leave alone. */
  skipped: readonly string[] = [];
  readonly byHand: ByHand = { settled: 0, resumed: 0 };
  /** When the session's end was last asked for, and when it had ended. */
  endAskedAt = 0;
  endedAt = 0;
  /** SKUs that a server which is no more has moved, in a way that the restored one can't be told. */
  readonly untold = new Set<string>();
  /** SKUs of which the record is not what was moved, so that a rollback leaves something; the product has to name them. */
  readonly #unbooked = new Set<string>();
  /** Units that a lost server has moved, by SKU, of which the restored one has no record, as nothing was in question. */
  #unrecorded = new Map<string, number>();
  readonly #trial: ShelfTrial;
  /** How many movements Shopify had when the backup was made that the servers were restored from. */
  #knownMovements = 0;
  /** What the level of each SKU held when the session had ended, shown by Shopify or not. */
  readonly #heldAtEnd = new Map<string, number>();
  /** It was restored and not released since. */
  #isHeld = false;

  constructor(trial: ShelfTrial) {
    this.#trial = trial;
    this.basis = trial.plan.basis;
  }

  get #admin() {
    return this.#trial.installation.admin;
  }

  get #params() {
    return { params: { sessionId: this.sessionId } };
  }

  /** Starts the session; `meanwhile` happens while Shopify is waited for, or after it where nothing waits. */
  async openSession(meanwhile: () => Promise<void>): Promise<void> {
    const { locations } = await this.#admin.call(listShopifyLocations);
    const shopifyLocationId = locations[0]?.id ?? "";
    const { store } = await this.#admin.call(createStore, { body: { name: "Shelf", shopifyLocationId } });
    this.storeId = store._id;
    const { location } = await this.#admin.call(createLocation, {
      body: { name: "Floor", storeId: store._id },
    });
    const codes = Array.from({ length: areasOfShelf }, (_nothing, index) => ({ code: `A${index + 1}` }));
    await this.#admin.call(createAreas, { params: { id: location._id }, body: { areas: codes } });
    const { scope, startWaits } = this.#trial.plan;
    await actWhile(
      this.#trial,
      startWaits,
      async () => {
        const started = await this.#admin.call(startSession, { body: { storeId: store._id, scope } });
        assert.ok("session" in started, "starting the session took longer than a call");
        this.sessionId = started.session._id;
      },
      meanwhile,
    );
    const { areas } = await this.#admin.call(listAreasOfLocation, { params: { locationId: location._id } });
    const place = { sessionId: this.sessionId, storeId: store._id, locationId: location._id };
    this.areas = areas.map(({ _id: areaId, code: areaCode, pass }) => ({ ...place, areaId, areaCode, pass }));
  }

  /** Ends the session; `meanwhile` happens while Shopify is waited for, or after it where nothing waits, and so does `again` later. */
  async end(meanwhile: () => Promise<void>, again: (() => Promise<void>) | null): Promise<void> {
    this.endAskedAt = this.#trial.time.now();
    await actWhile(
      this.#trial,
      this.#trial.plan.endWaits,
      async () => {
        await this.#admin.call(endSession, { body: { sessionId: this.sessionId } });
        await this.#noteEnd();
      },
      meanwhile,
      again,
    );
  }

  async #noteEnd(): Promise<void> {
    this.endedAt = this.#trial.time.now();
    for (const sku of this.#trial.shelf.skus) this.#heldAtEnd.set(sku, (await this.#level(sku)).on_hand);
  }

  /** The servers were restored from a backup: what was decided since is to be decided again. */
  meetRestored(movements: number): void {
    this.#knownMovements = this.#isHeld ? Math.min(movements, this.#knownMovements) : movements;
    this.#isHeld = true;
  }

  /** Brings the session to where it can be deployed, whatever a restore has undone. */
  async settle(): Promise<void> {
    await this.#trial.deliverAll();
    if ((await this.#session()).status === "active") {
      this.endAskedAt = this.#trial.time.now();
      await this.#admin.call(endSession, { body: { sessionId: this.sessionId } });
      await this.#noteEnd();
      await this.#trial.deliverAll();
    }
    if (!this.#trial.plan.basisIsChosenLate) await this.#chooseBasis();
    if (this.#trial.plan.releasesBeforeDecisions) await this.#releaseWhereHeld();
    await this.#decideExceptions();
    await this.#releaseWhereHeld();
    await this.#chooseBasis();
    // The other comparison may be in question although the first was not.
    await this.#releaseWhereHeld();
    const moved = await this.#movedSince(0);
    const unbooked = await settleUnclear(this.#admin, this.sessionId, moved, this.byHand);
    for (const sku of unbooked) this.#unbooked.add(sku);
    // Where the record is wrong whatever is said, what is sent again is as wrong.
    const isBooked = this.#unbooked.size + this.untold.size === 0;
    if (isBooked && this.#trial.draw(2) === 0) await resumeRest(this.#admin, this.sessionId, this.byHand);
  }

  async #releaseWhereHeld(): Promise<void> {
    if ((await this.#session()).restored === true) await this.#release();
  }

  async #session() {
    const { sessions } = await this.#admin.call(listSessions);
    const session = sessions.find(({ _id }) => _id === this.sessionId);
    assert.ok(session !== undefined, "the session is not there");
    return session;
  }

  async #chooseBasis(): Promise<void> {
    const outcome = await this.#admin.attempt(setBasis, { ...this.#params, body: { basis: this.basis } });
    if (!outcome.ok) assert.equal(outcome.body.code, "REPORT_DEPLOYED");
  }

  /** The same decisions after a restore as before it. */
  async #decideExceptions(): Promise<void> {
    const { scans } = await this.#admin.call(sessionExceptions, { params: { id: this.sessionId } });
    for (const { _id: id, input, scannedAt } of scans) {
      const isDismissed = hashOf(input + scannedAt) % 5 < this.#trial.plan.dismissed;
      const outcome = await this.#admin.attempt(resolveScan, {
        ...{ params: { id }, body: { action: isDismissed ? "dismiss" : "accept" } },
      });
      if (outcome.ok || outcome.body.code === "REPORT_DEPLOYED") continue;
      assert.equal(outcome.body.code, "TAG_COUNTED");
      const stored = await this.#trial.installation.scans(this.sessionId);
      const counts = stored.some((scan) => scan.input === input && scan.status === "counted");
      assert.ok(counts, `${input} is refused as counted, and counts nowhere`);
    }
  }

  /** Looks what was moved since the backup, and says so. */
  async #release(): Promise<void> {
    const params = { id: this.sessionId };
    const look = await this.#admin.call(previewRelease, { params });
    const moved = await this.#movedSince(this.#knownMovements);
    const [alreadyMoved, otherwise]: [string[], string[]] = [[], []];
    for (const { sku, delta, looks } of look.rows) {
      const units = moved.get(sku) ?? 0;
      assert.ok(units === 0 || looks !== "not_moved", `${sku} was moved and looks as if not`);
      if (units === delta) alreadyMoved.push(sku);
      else if (units !== 0) otherwise.push(sku);
    }
    const asked = new Set(look.rows.map(({ sku }) => sku));
    for (const [sku, units] of moved) {
      // Where nothing is in question, what was moved has to be right all the same.
      if (look.question === "nothing") this.#unrecorded.set(sku, units);
      else if (units !== 0 && !asked.has(sku)) this.#unbooked.add(sku);
      // Of a whole deploy nothing is marked that is not in question.
      if (look.question === "rollback" && units !== 0 && !asked.has(sku)) this.untold.add(sku);
    }
    for (const sku of alreadyMoved) this.#unrecorded.delete(sku);
    await this.#admin.call(releaseSession, { params, body: alreadyMoved.length > 0 ? { alreadyMoved } : {} });
    this.#isHeld = false;
    if (look.question === "deploy") await this.#leaveOut(otherwise);
    else for (const sku of otherwise) this.untold.add(sku);
  }

  /** Another number of units was moved than the one in question: to say that nothing was would be as wrong. */
  async #leaveOut(skus: readonly string[]): Promise<void> {
    for (const sku of skus) {
      this.#unbooked.add(sku);
      await this.#admin.attempt(includeFigures, { ...this.#params, body: { skus: [sku], included: false } });
    }
  }

  /** By how many units the product has moved each SKU since a movement. */
  async #movedSince(after: number): Promise<ReadonlyMap<string, number>> {
    const { movements } = await this.#trial.installation.shop.movements({ after });
    const moved = new Map<string, number>();
    for (const { cause, sku, delta } of movements) {
      if (cause === "adjustment" && sku !== null) moved.set(sku, (moved.get(sku) ?? 0) + delta);
    }
    return moved;
  }

  /** Deploys, unless the report is deployed already, and waits for the end. */
  async deploy(): Promise<void> {
    const { plan, installation } = this.#trial;
    const meanwhile = await putInTheWay(this.#trial, plan.deploy);
    let outcome = await this.#askForDeploy();
    await meanwhile.over();
    await installation.shop.clearFaults();
    // All that it had to move was sold as it was stocked, so that it moved nothing: whoever reads that asks once more.
    if (!outcome.ok && outcome.body.code === "PLATFORM_ERROR") outcome = await this.#askForDeploy();
    if (outcome.ok) this.skipped = outcome.body.skipped.map(({ sku }) => sku);
    else assert.equal(outcome.body.code, "REPORT_DEPLOYED", JSON.stringify(outcome.body));
  }

  async #askForDeploy() {
    const { zeroUncounted, stockFound } = this.#trial.plan;
    const body = { zeroUncounted, stockFound };
    const outcome = await this.#admin.attempt(deployReport, { ...this.#params, body });
    if (outcome.ok || outcome.body.code !== "CONFIRM_ZEROING") return outcome;
    const confirmUnits = outcome.body.units ?? 0;
    return this.#admin.attempt(deployReport, { ...this.#params, body: { ...body, confirmUnits } });
  }

  /** Takes the deploy back; what the product moved is then nothing, but for what it names. */
  async rollBack(): Promise<void> {
    const { plan, installation } = this.#trial;
    const meanwhile = await putInTheWay(this.#trial, plan.rollback);
    const outcome = await this.#admin.attempt(rollbackReport, this.#params);
    await meanwhile.over();
    await installation.shop.clearFaults();
    if (outcome.ok) this.skipped = (outcome.body.notMoved ?? []).map(({ sku }) => sku);
    else assert.equal(outcome.body.code, "NOTHING_TO_ROLL_BACK", JSON.stringify(outcome.body));
    const moved = await this.#movedSince(0);
    for (const [sku, units] of moved) {
      const isNamed = this.untold.has(sku) || this.#unbooked.has(sku) || this.skipped.includes(sku);
      const stays = this.#unrecorded.get(sku) ?? 0;
      assert.ok(units === stays || isNamed, `${sku} is moved by ${units} after the rollback`);
    }
  }

  async deployByTheOther(): Promise<void> {
    this.basis = this.basis === "end" ? "count" : "end";
    await this.#chooseBasis();
    await this.#releaseWhereHeld();
    await this.deploy();
  }

  report() {
    return this.#admin.call(varianceReport, { ...this.#params, query: { view: "all" } });
  }

  #level(sku: string) {
    return this.#trial.installation.shop.stock({ item: sku, location: shopLocation });
  }

  /**
   * Shopify's on hand of a SKU: what its level holds, and, where that is inactive, the nothing that Shopify showed of it
   * at the end with what has come and gone since.
   */
  async onHand(sku: string): Promise<readonly number[]> {
    const { on_hand: held, isActive } = await this.#level(sku);
    return isActive ? [held] : [held, held - (this.#heldAtEnd.get(sku) ?? held)];
  }

  moved(): Promise<ReadonlyMap<string, number>> {
    return this.#movedSince(0);
  }
}

function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return hash;
}
