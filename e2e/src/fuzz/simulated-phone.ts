import { IDBFactory } from "fake-indexeddb";
import { isUnsettled } from "../../../apps/web/src/offline/database/records.ts";
import {
  type CountingDevice,
  openCountingDevice,
} from "../../../apps/web/src/offline/device/counting-device.ts";
import type { Randomness, Timers } from "../../../apps/web/src/offline/ports.ts";
import { createProductWriter } from "../../../apps/web/src/offline/products/product-writer.ts";
import type { TabLocks } from "../../../apps/web/src/offline/sync/exclusive-lock.ts";
import { createManualClock, type ManualClock } from "../../../apps/web/src/offline/testing/manual-clock.ts";
import { TabChannels } from "./tab-channels.ts";

/** One page's connection to the server. A page that has crashed receives nothing any more. */
export interface Line {
  readonly fetch: typeof globalThis.fetch;
  cut(): void;
}

/** How a phone reaches the server, with the login that its browser has. */
export interface PhoneNetwork {
  cookie: string;
  /** Whether the browser has any network. */
  readonly isOnline: boolean;
  line(): Line;
}

/** Somebody who is signed in to the real server. */
export interface SignedIn {
  readonly userId: string;
  readonly cookie: string;
}

// Grants every request: two tabs of a phone send at once, as if each had lost its lock to the other.
const lostLocks: TabLocks = { request: async (_name, _options, work) => work() };

/** Timers of a page: none of them fires once it is closed. */
function pageTimers(clock: ManualClock): Timers & { readonly stop: () => void } {
  let isClosed = false;
  return {
    after: (milliseconds, work) => clock.after(milliseconds, () => (isClosed ? undefined : work())),
    stop() {
      isClosed = true;
    },
  };
}

interface Page {
  readonly device: CountingDevice;
  readonly line: Line;
  readonly stopTimers: () => void;
}

/** A phone with storage that outlives its pages, and a page or two of the app on it. */
export class SimulatedPhone {
  readonly clock: ManualClock;
  readonly #storage = new IDBFactory();
  readonly #channels = new TabChannels();
  readonly #network: PhoneNetwork;
  readonly #random: Randomness;
  #pages: readonly Page[] = [];
  #userId: string;
  #isSignedIn = true;

  constructor(network: PhoneNetwork, random: Randomness, userId: string, now = Date.now()) {
    this.clock = createManualClock(now);
    this.#network = network;
    this.#random = random;
    this.#userId = userId;
  }

  /** The page that the person counts in. */
  get device(): CountingDevice {
    const [front] = this.#pages;
    if (front === undefined) throw new Error("The page is not open.");
    return front.device;
  }

  get isOnline(): boolean {
    return this.#network.isOnline;
  }

  /** Every open page, the one in front first. */
  get devices(): readonly CountingDevice[] {
    return this.#pages.map(({ device }) => device);
  }

  /** Who scans: the last person to sign in. */
  get userId(): string {
    return this.#userId;
  }

  async open(): Promise<void> {
    this.#pages = [await this.#openPage()];
  }

  /** The app in a second tab, which sends too. */
  async openSecondTab(): Promise<void> {
    if (this.#pages.length === 1) this.#pages = [...this.#pages, await this.#openPage()];
  }

  async #openPage(): Promise<Page> {
    const line = this.#network.line();
    const { stop, ...timers } = pageTimers(this.clock);
    // Opening reads this synchronously; each phone has its own storage.
    globalThis.indexedDB = this.#storage;
    const device = await openCountingDevice({
      ...{ clock: this.clock, timers, random: this.#random, fetch: line.fetch, locks: lostLocks },
      hasNetwork: () => this.#network.isOnline,
      channel: this.#channels.open(),
      productWriterFor: createProductWriter,
      onUnauthenticated: () => this.signOut(),
      onLost: () => {},
      kept: null,
    });
    device.engine.setLogin(this.#isSignedIn ? this.#userId : null);
    return { device, line, stopTimers: stop };
  }

  /** Ends the pages in the middle of whatever they are doing. */
  crash(): void {
    for (const { device, line, stopTimers } of this.#pages) {
      line.cut();
      stopTimers();
      device.close();
    }
    this.#pages = [];
  }

  /** Copies the storage of another phone, including its device id. */
  async cloneFrom(original: SimulatedPhone): Promise<void> {
    const source = original.device.database;
    const target = this.device.database;
    for (const store of ["settings", "pendingScans", "pendingSubmissions"] as const) {
      await target.clear(store);
    }
    for (const row of await source.getAll("settings")) await target.put("settings", row);
    for (const row of await source.getAll("pendingScans")) await target.put("pendingScans", row);
    for (const row of await source.getAll("pendingSubmissions")) await target.put("pendingSubmissions", row);
    this.crash();
    await this.open();
  }

  /** How many rows of the page in front are still to be sent. */
  async unsettled(): Promise<number> {
    const { database } = this.device;
    const rows = [
      ...(await database.getAll("pendingScans")),
      ...(await database.getAll("pendingSubmissions")),
    ];
    return rows.filter(isUnsettled).length;
  }

  /** Resolves when nothing is in progress in any page. */
  async settled(): Promise<void> {
    for (const device of this.devices) await device.engine.settled();
  }

  retryNow(): void {
    for (const device of this.devices) device.engine.retryNow();
  }

  signOut(): void {
    this.#isSignedIn = false;
    for (const device of this.devices) device.engine.setLogin(null);
  }

  signIn(): void {
    this.#isSignedIn = true;
    for (const device of this.devices) device.engine.setLogin(this.#userId);
  }

  /** Another login in the same browser. The cookie changes before the pages learn of it. */
  async signInAs({ userId, cookie }: SignedIn): Promise<void> {
    this.#network.cookie = cookie;
    await Promise.resolve();
    this.#userId = userId;
    this.signIn();
  }
}
