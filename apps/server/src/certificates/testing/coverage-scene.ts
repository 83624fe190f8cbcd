import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { createHurryingClock } from "../../testing/hurrying-clock.ts";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { highStreet } from "../../testing/test-shop.ts";
import { followChanges } from "../certificates.ts";
import type { Beginning } from "./coverage-oracle.ts";

type Statement = CallInputOf<typeof contract.stateAreas>;
type CallInputOf<Call extends contract.CallDefinition> =
  contract.CallInput<Call> extends { body: infer Body } ? Body : never;

const codes = ["A1", "A2", "A3"];

/** The key that comes with a report in the place of the device's own; undefined for none. */
interface Shown {
  readonly deviceKey?: string | undefined;
}

const keyOf = (device: string) => `key-of-${device.replaceAll(" ", "-")}-`.padEnd(43, "k");

/** A store of three areas whose session counts, with Ada, Ben and Cleo in it; anew for each test of a file. */
export class CoverageScene {
  #server: TestServer | undefined;
  #unfollow: (() => Promise<void>) | undefined;
  #store: TestStore | undefined;
  session!: contract.CountingSession;
  ada!: TestCounter;
  ben!: TestCounter;
  cleo!: TestCounter;
  /** Devices that show a key with their reports, by their names. */
  readonly withKey = new Set<string>();
  private seq = 0;
  private reports = 0;

  /** @param follows further versions are issued by the server itself */
  constructor({ follows = true }: { readonly follows?: boolean } = {}) {
    beforeAll(async () => {
      this.#server = await startTestServer({ environment: { clock: createHurryingClock() } });
      if (follows) this.follow();
    });
    afterAll(async () => {
      await this.unfollow();
      await this.server.close();
    });
    beforeEach(() => this.beginAnew());
  }

  /** From now on further versions are issued by the server itself. */
  follow(): void {
    this.#unfollow = followChanges(this.server.context);
  }

  async unfollow(): Promise<void> {
    await this.#unfollow?.();
    this.#unfollow = undefined;
  }

  get server(): TestServer {
    if (this.#server === undefined) throw new Error("The server starts before the first test.");
    return this.#server;
  }

  get params() {
    return { id: this.session._id };
  }

  /** A session of a new store, of the shop as it was at first: what a test before it moved or deleted is gone. */
  private async beginAnew(): Promise<void> {
    const deleteAll = "update stores set deleted_at = now() where deleted_at is null";
    await this.closeSessions();
    await this.server.database.pool.query(deleteAll);
    await this.server.shop.reset();
    this.#store = undefined;
    await this.begin();
  }

  private async closeSessions(): Promise<void> {
    const closeAll = "update sessions set status = 'closed', ended_at = now() where status <> 'closed'";
    await this.server.database.pool.query(closeAll);
  }

  /** Another session of the store. */
  async begin({ scope = "full", leftOut = [], tolerance = null }: Partial<Beginning> = {}): Promise<void> {
    await this.closeSessions();
    this.#store ??= await makeStore(this.server, { shopifyLocation: highStreet, areaCodes: codes });
    this.session = await (leftOut.length === 0
      ? begin(this.server, this.store, scope)
      : this.beginByPlan(scope, leftOut));
    if (tolerance !== null) await this.tolerate(tolerance);
    this.ada = await join(this.server, this.session, { name: "Ada", email: "ada@example.com" });
    this.ben = await join(this.server, this.session, { name: "Ben", email: "ben@example.com" });
    this.cleo = await join(this.server, this.session, { name: "Cleo", email: "cleo@example.com" });
  }

  /** More units than these are beyond the session's tolerance, over and short. */
  private async tolerate(units: number): Promise<void> {
    const limits = { units, money: null, stockPercent: null, moneyPercent: null };
    await this.server.admin.call(contract.setSessionTolerance, {
      params: this.params,
      body: { tolerance: { over: limits, short: limits } },
    });
  }

  private async beginByPlan(
    scope: Beginning["scope"],
    leftOut: Beginning["leftOut"],
  ): Promise<contract.CountingSession> {
    const areaIds = codes.filter((code) => !leftOut.includes(code)).map((code) => this.areaId(code));
    const { plan } = await this.server.admin.call(contract.createPlan, {
      body: { storeId: this.store.id, scope, areaIds, people: null },
    });
    const answer = await this.server.admin.call(contract.startPlan, { params: { id: plan._id } });
    if (!("session" in answer)) throw new Error("The session was not started in time.");
    return answer.session;
  }

  get store(): TestStore {
    if (this.#store === undefined) throw new Error("The store is made by the first session.");
    return this.#store;
  }

  areaId(code: string): string {
    return this.store.areas.find((area) => area.code === code)?.id ?? "";
  }

  async read(): Promise<contract.CallAnswer<typeof contract.readCoverage>> {
    const {
      open,
      furtherOpen = [],
      ...rest
    } = await this.server.admin.call(contract.readCoverage, {
      params: this.params,
    });
    return { ...rest, open: [...open, ...furtherOpen] };
  }

  /** The kinds that are open, each with how many things. */
  async open(): Promise<Record<string, number>> {
    const { open } = await this.read();
    return Object.fromEntries(open.map(({ kind, count }) => [kind, count]));
  }

  private body(areaCode: string) {
    return { sessionId: this.session._id, locationId: this.store.locationId, areaCode };
  }

  /** By a phone that tells what it holds then. An app of an earlier release (`isOld`) tells it of scans alone, and numbers no reports. */
  async scan(
    areaCode: string,
    input: string,
    {
      by = this.ada,
      device = `phone of ${by.username}`,
      pending = 0,
      isOld = false,
    }: { by?: TestCounter; device?: string; pending?: number; isOld?: boolean } = {},
  ): Promise<string> {
    this.seq += 1;
    const body = {
      ...{ ...this.body(areaCode), storeId: this.store.id, input, inputType: "sku" as const },
      ...{ deviceId: device, seq: this.seq },
    };
    const { results } = await by.api.call(contract.postScanBatch, {
      body: {
        scans: [body],
        pending,
        ...(isOld ? {} : { pendingOrder: this.nextReport(), ...this.shownOf(device) }),
      },
    });
    const [result] = results;
    return result !== undefined && "scan" in result ? result.scan._id : "";
  }

  private shownOf(device: string): { deviceKey?: string } {
    return this.withKey.has(device) ? { deviceKey: keyOf(device) } : {};
  }

  /** Nothing is left of what devices have shown. */
  async forgetKeys(): Promise<void> {
    await this.server.database.pool.query("delete from device_keys");
  }

  /** Nor do they hold anything of the histories before: other people had them then. */
  async forgetDevices(): Promise<void> {
    await this.forgetKeys();
    await this.server.database.pool.query("update session_devices set pending = 0 where pending > 0");
  }

  /** Devices number their reports, each higher than the one before. */
  private nextReport(): number {
    this.reports += 1;
    return this.reports;
  }

  /** A device opens an area; `holds`: the rows that it says it holds, where its app says so. */
  async openArea(
    device: string,
    {
      by = this.ada,
      holds,
      isOld = false,
      shows = {},
    }: { by?: TestCounter; holds?: number; isOld?: boolean; shows?: Shown } = {},
  ): Promise<void> {
    const told = isOld
      ? {}
      : {
          tellsQueue: "true" as const,
          ...(holds === undefined ? {} : { pending: String(holds), pendingOrder: String(this.nextReport()) }),
        };
    const query = { sessionId: this.session._id, deviceId: device, ...told };
    const { deviceKey } = holds === undefined ? {} : { ...this.shownOf(device), ...shows };
    const headers: Record<string, string> =
      deviceKey === undefined ? {} : { [contract.deviceKeyHeader]: deviceKey };
    const { status } = await by.api.send(contract.deviceMaxSequence, { query }, headers);
    expect(status).toBe(200);
  }

  /** A device tells by itself what it holds. */
  async tell(device: string, pending: number, by = this.ada, shows: Shown = {}): Promise<void> {
    const body = { sessionId: this.session._id, deviceId: device, pending, pendingOrder: this.nextReport() };
    await by.api.call(contract.reportQueue, { body: { ...body, ...this.shownOf(device), ...shows } });
  }

  /** Accounts for devices, or takes that back. */
  account(deviceIds: readonly string[], stated = true, reason = "Looked at: nothing to send") {
    const body = { deviceIds: [...deviceIds], stated, reason };
    return this.server.admin.send(contract.stateDevices, { params: this.params, body });
  }

  finish(areaCode: string, declaredTotal: number, by = this.ada) {
    const deviceId = `phone of ${by.username}`;
    return by.api.call(contract.finishArea, { body: { ...this.body(areaCode), declaredTotal, deviceId } });
  }

  /** Somebody takes the second or third count of an area and finds so many units of each SKU. */
  async countAgain(areaCode: string, found: ReadonlyMap<string, number>, by = this.ben): Promise<void> {
    const { areas } = await by.api.call(contract.listAreas, {});
    const pass = areas.find(({ _id }) => _id === this.areaId(areaCode))?.pass ?? 0;
    const inArea = { ...this.body(areaCode), deviceId: `phone of ${by.username}`, pass };
    const scans = [...found].map(([input, quantity]) => {
      this.seq += 1;
      return { ...inArea, storeId: this.store.id, input, inputType: "sku" as const, quantity, seq: this.seq };
    });
    const told = { pending: 0, pendingOrder: this.nextReport(), ...this.shownOf(inArea.deviceId) };
    if (scans.length > 0) await by.api.call(contract.postScanBatch, { body: { scans, ...told } });
    const declaredTotal = [...found.values()].reduce((sum, units) => sum + units, 0);
    await by.api.call(contract.finishArea, { body: { ...inArea, declaredTotal } });
  }

  async reset(areaCode: string): Promise<void> {
    await this.ada.api.call(contract.resetArea, { body: this.body(areaCode) });
  }

  say(codes: readonly string[], as: contract.AreaStatement, stated = true, reason = "Being rebuilt") {
    const body: Statement = { areaIds: codes.map((code) => this.areaId(code)), as, stated, reason };
    return this.server.admin.send(contract.stateAreas, { params: this.params, body });
  }

  leave(leftAlone = true) {
    return this.server.admin.call(contract.leaveStockAlone, {
      params: this.params,
      body: { every: {}, leftAlone, reason: "Of the other shop" },
    });
  }

  async end(): Promise<void> {
    await this.server.admin.call(contract.endSession, { body: { sessionId: this.session._id } });
  }

  /** A1 counted, A2 empty and confirmed, A3 void, the rest of the stock left alone, and the session over: nothing is open. */
  async complete(): Promise<void> {
    await this.scan("A1", "JK-1000");
    await this.finish("A1", 1);
    await this.finish("A2", 0, this.ben);
    await this.say(["A2"], "empty");
    await this.say(["A3"], "void");
    await this.leave();
    await this.end();
  }

  issue() {
    return this.server.admin.send(contract.issueCertificate, { params: this.params });
  }

  async versions(): Promise<readonly contract.Certificate[]> {
    const { certificates } = await this.server.admin.call(contract.listCertificates, { params: this.params });
    return certificates;
  }

  /** Waits for the server to issue a version by itself. */
  async untilVersion(version: number): Promise<contract.Certificate> {
    await expect.poll(async () => (await this.versions())[0]?.version).toBe(version);
    const [newest] = await this.versions();
    if (newest === undefined) throw new Error("There is no certificate.");
    return newest;
  }
}
