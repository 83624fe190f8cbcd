import { randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { type EventClient, listen } from "../../testing/event-client.ts";
import type { Arrival, CountedSession } from "./arrivals.ts";
import type { RecordingApi } from "./recording-api.ts";

/** What somebody finds in an area, in units, and what they scan there by mistake and take back. */
export interface Found {
  readonly units: Readonly<Record<string, number>>;
  readonly slip: number;
}

/** A counter's phone: it makes the calls that the app makes, listens to the events, and keeps all that it receives. */
export class RecordingPhone {
  readonly api: RecordingApi;
  private readonly scene: CountedSession;
  private readonly arrival: Arrival;
  private readonly events: EventClient;
  private readonly userId: string;
  private readonly deviceId = `device-${randomUUID()}`;
  private seq = 0;

  private constructor(scene: CountedSession, arrival: Arrival, events: EventClient, userId: string) {
    this.scene = scene;
    this.arrival = arrival;
    this.api = arrival.api;
    this.events = events;
    this.userId = userId;
  }

  static async open(scene: CountedSession, arrival: Arrival): Promise<RecordingPhone> {
    for (const call of [contract.health, contract.ready] as const) await arrival.visitor.send(call, {});
    const events = await listen(arrival.api);
    arrival.api.made.add(contract.events);
    const { user } = await arrival.api.call(contract.whoAmI, {});
    return new RecordingPhone(scene, arrival, events, user._id);
  }

  /** Everything that it received, the mails to its owner among it. */
  received(): string {
    const { visitor, api, mails } = this.arrival;
    return [...mails, ...visitor.answers, ...api.answers, ...this.events.pieces].join("\n");
  }

  /** The calls that were made with it. */
  made(): readonly contract.CallDefinition[] {
    return [...this.arrival.visitor.made, ...this.api.made];
  }

  async signOut(): Promise<void> {
    await this.api.call(contract.logout, {});
    this.events.close();
  }

  /** Reads all that a phone shows or keeps. Returns the areas. */
  async readEverything(): Promise<readonly contract.Area[]> {
    const { api, scene, deviceId } = this;
    const { store, session } = scene;
    await api.call(contract.whoAmI, {});
    for (const call of [contract.listStores, contract.listSessions, contract.listLocations] as const) {
      await api.call(call, { query: {} });
    }
    await api.call(contract.listAreasOfLocation, { params: { locationId: store.locationId } });
    await api.send(contract.productMap, { query: { storeId: store.id } });
    await api.call(contract.deviceMaxSequence, { query: { deviceId, sessionId: session._id } });
    const { tasks } = await api.call(contract.listSearchTasks, { params: { id: session._id } });
    for (const { number } of tasks) {
      await api.call(contract.readSearchTask, { params: { id: session._id, number: String(number) } });
    }
    const { areas } = await api.call(contract.listAreas, {});
    for (const { code } of areas) await this.readArea(code);
    return areas;
  }

  async readArea(areaCode: string): Promise<void> {
    const { store, session } = this.scene;
    const params = { sessionId: session._id, areaCode };
    await this.api.send(contract.areaScans, { params, query: { locationId: store.locationId } });
  }

  /**
   * Counts an area as it is shown here, with all that can go wrong: a scan is taken back, the area begins anew, and the first total
   * that is declared is wrong. Returns the area as it was shown at first.
   */
  async count(areaCode: string, { units, slip }: Found): Promise<contract.Area> {
    const right = Object.values(units).reduce((sum, each) => sum + each, 0);
    const area = await this.find(areaCode);
    await this.scan(area, units);
    await this.scanByMistake(area, Object.keys(units)[0] ?? "", slip);
    await this.readEverything();
    const anew = await this.reset(area);
    await this.scan(anew, units);
    await this.finish(anew, right + 1);
    const again = await this.find(areaCode);
    await this.scan(again, units);
    await this.finish(again, right);
    await this.readEverything();
    return area;
  }

  async answersSearch(number: number, sku: string, answer: contract.SearchAnswer): Promise<void> {
    const params = { id: this.scene.session._id, number: String(number) };
    await this.api.call(contract.answerSearch, { params, body: { sku, answer, deviceId: this.deviceId } });
  }

  private async find(areaCode: string): Promise<contract.Area> {
    const { areas } = await this.api.call(contract.listAreas, {});
    const area = areas.find(({ code }) => code === areaCode);
    if (area === undefined) throw new Error(`${areaCode} is not listed.`);
    return area;
  }

  private place({ code, pass }: contract.Area) {
    const { store, session } = this.scene;
    const named = { sessionId: session._id, locationId: store.locationId, areaCode: code };
    return { ...named, pass, opId: randomUUID() };
  }

  private scanOf(area: contract.Area, input: string, quantity: number): contract.ScanPayload {
    this.seq += 1;
    const { deviceId, seq, userId } = this;
    const scanned = { input, inputType: "sku" as const, method: "scan" as const, quantity };
    const at = { scannedAt: new Date().toISOString(), scannedById: userId };
    return { ...this.place(area), storeId: this.scene.store.id, deviceId, seq, ...scanned, ...at };
  }

  /** As a phone sends what it holds: together, and the last one by itself, with how many are left. */
  private async scan(area: contract.Area, units: Readonly<Record<string, number>>): Promise<void> {
    const codes = { ...units, "NO-SUCH-CODE": 1 };
    const scans = Object.entries(codes).map(([input, quantity]) => this.scanOf(area, input, quantity));
    const [together, last] = [scans.slice(0, -1), scans.slice(-1)];
    await this.api.call(contract.postScanBatch, { body: { scans: together, pending: last.length } });
    await this.api.call(contract.postScanBatch, { body: { scans: last, pending: 0 } });
  }

  private async scanByMistake(area: contract.Area, input: string, quantity: number): Promise<void> {
    const body = this.scanOf(area, input, quantity);
    await this.api.call(contract.postScan, { body });
    const { deviceId, seq } = body;
    await this.api.call(contract.undoScan, { body: { ...this.place(area), deviceId, seq } });
    const { sessionId } = this.place(area);
    await this.api.call(contract.reportQueue, { body: { sessionId, deviceId, pending: 0, pendingOrder: 1 } });
  }

  private async reset(area: contract.Area): Promise<contract.Area> {
    return (await this.api.call(contract.resetArea, { body: this.place(area) })).area;
  }

  private async finish(area: contract.Area, declaredTotal: number): Promise<void> {
    const { deviceId } = this;
    const declared = { declaredTotal, knownAccepted: 0, declaredAt: new Date().toISOString() };
    await this.api.call(contract.finishArea, { body: { ...this.place(area), deviceId, ...declared } });
  }
}
