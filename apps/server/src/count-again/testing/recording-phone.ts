import { randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { type EventClient, listen } from "../../testing/event-client.ts";
import { join, type TestStore } from "../../testing/scenes.ts";
import { TestApi } from "../../testing/test-api.ts";
import type { TestServer } from "../../testing/test-server.ts";

/** The product's calls, with every byte that comes back kept. */
export class RecordingApi extends TestApi {
  readonly answers: string[] = [];

  protected override async read(response: Response): Promise<string> {
    const text = await super.read(response);
    this.answers.push([...response.headers].join("\n"), text);
    return text;
  }
}

/** Where a phone counts. */
export interface CountedSession {
  readonly server: TestServer;
  readonly store: TestStore;
  readonly session: contract.CountingSession;
}

/** A counter's phone: it makes the calls that the app makes, listens to the events, and keeps all that it receives. */
export class RecordingPhone {
  readonly api: RecordingApi;
  private readonly scene: CountedSession;
  private readonly events: EventClient;
  private readonly deviceId = `device-${randomUUID()}`;
  private seq = 0;

  private constructor(scene: CountedSession, api: RecordingApi, events: EventClient) {
    this.scene = scene;
    this.api = api;
    this.events = events;
  }

  static async open(scene: CountedSession, name: string): Promise<RecordingPhone> {
    const email = `${name.toLowerCase()}@example.com`;
    const { api } = await join(scene.server, scene.session, { name, email });
    const recording = new RecordingApi(api.url, api.token);
    return new RecordingPhone(scene, recording, await listen(recording));
  }

  /** Everything that it received. */
  received(): string {
    return [...this.api.answers, ...this.events.pieces].join("\n");
  }

  close(): void {
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
    for (const { code } of areas) {
      const params = { sessionId: session._id, areaCode: code };
      await api.send(contract.areaScans, { params, query: { locationId: store.locationId } });
    }
    return areas;
  }

  /** Counts an area as it is shown here: first with a wrong total, then again with the right one. */
  async count(areaCode: string, found: Readonly<Record<string, number>>): Promise<contract.Area> {
    const right = Object.values(found).reduce((sum, units) => sum + units, 0);
    const area = await this.scanInto(areaCode, found);
    await this.finish(areaCode, area.pass, right + 1);
    const { pass } = await this.scanInto(areaCode, found);
    await this.finish(areaCode, pass, right);
    await this.readEverything();
    return area;
  }

  private async scanInto(areaCode: string, found: Readonly<Record<string, number>>): Promise<contract.Area> {
    const { store, session } = this.scene;
    const { areas } = await this.api.call(contract.listAreas, {});
    const area = areas.find(({ code }) => code === areaCode);
    if (area === undefined) throw new Error(`${areaCode} is not listed.`);
    const place = { sessionId: session._id, storeId: store.id, locationId: store.locationId, areaCode };
    for (const [input, quantity] of Object.entries({ ...found, "NO-SUCH-CODE": 1 })) {
      this.seq += 1;
      const { deviceId, seq } = this;
      const scan = { ...place, deviceId, seq, pass: area.pass, input, inputType: "sku", quantity } as const;
      await this.api.call(contract.postScan, { body: { ...scan, opId: randomUUID() } });
    }
    return area;
  }

  private finish(areaCode: string, pass: number, declaredTotal: number) {
    const { store, session } = this.scene;
    const named = { sessionId: session._id, locationId: store.locationId, areaCode, deviceId: this.deviceId };
    return this.api.call(contract.finishArea, {
      body: { ...named, pass, declaredTotal, opId: randomUUID() },
    });
  }
}
