import { IDBFactory } from "fake-indexeddb";
import { type CountingDevice, openCountingDevice } from "../../../apps/web/src/offline/counting-device.ts";
import type { TabLocks } from "../../../apps/web/src/offline/exclusive-lock.ts";
import type { Randomness, Timers } from "../../../apps/web/src/offline/ports.ts";
import { createManualClock, type ManualClock } from "../../../apps/web/src/offline/testing/manual-clock.ts";
import type { FaultyNetwork, Line } from "./faulty-network.ts";

const freeLocks: TabLocks = { request: async (_name, _options, work) => work() };

/** Timers of a page: none of them fires once it is gone. */
function pageTimers(clock: ManualClock): Timers & { readonly stop: () => void } {
  let isGone = false;
  return {
    after: (milliseconds, work) => clock.after(milliseconds, () => (isGone ? undefined : work())),
    stop() {
      isGone = true;
    },
  };
}

interface Page {
  readonly device: CountingDevice;
  readonly line: Line;
  readonly stopTimers: () => void;
}

/** A phone with storage that outlives its pages, and a page of the app on it. */
export class PocketDevice {
  readonly clock = createManualClock(Date.now());
  readonly #storage = new IDBFactory();
  readonly #network: FaultyNetwork;
  readonly #random: Randomness;
  readonly #userId: string;
  #page: Page | null = null;
  #isSignedIn = true;

  constructor(network: FaultyNetwork, random: Randomness, userId: string) {
    this.#network = network;
    this.#random = random;
    this.#userId = userId;
  }

  get device(): CountingDevice {
    if (this.#page === null) throw new Error("The page is not open.");
    return this.#page.device;
  }

  async open(): Promise<void> {
    const line = this.#network.line();
    const { stop, ...timers } = pageTimers(this.clock);
    // Opening asks for this at once; each phone has storage of its own.
    globalThis.indexedDB = this.#storage;
    const device = await openCountingDevice({
      ...{ clock: this.clock, timers, random: this.#random, fetch: line.fetch, locks: freeLocks },
      channel: null,
      onUnauthenticated: () => this.#signOut(),
      onLost: () => {},
    });
    this.#page = { device, line, stopTimers: stop };
    device.engine.setLogin(this.#isSignedIn ? this.#userId : null);
  }

  /** The page is gone in the middle of whatever it did. */
  crash(): void {
    if (this.#page === null) return;
    const { device, line, stopTimers } = this.#page;
    line.cut();
    stopTimers();
    device.close();
    this.#page = null;
  }

  #signOut(): void {
    this.#isSignedIn = false;
    this.#page?.device.engine.setLogin(null);
  }

  signIn(): void {
    this.#isSignedIn = true;
    this.#page?.device.engine.setLogin(this.#userId);
  }
}
