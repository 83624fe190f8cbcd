import { givingUpMs } from "@stocktake/testkit/vitest";
import type { QueryClient } from "@tanstack/react-query";
import { onTestFinished, vi } from "vitest";
import { createQueryClient } from "../../../http/query-client.ts";
import { type CountingDevice, syncProducts } from "../../../offline/offline.ts";
import { clearDevice } from "../../../offline/testing/fresh-database.ts";
import { createManualClock, type ManualClock } from "../../../offline/testing/manual-clock.ts";
import { createFeedback, type SoundName } from "../../../scanner/feedback.ts";
import { createQueryServer } from "../lists/query-server.ts";
import type { CountingArea } from "../opening/counting-area.ts";
import { createStation, type Station } from "../station/station.ts";
import { isStationReady, itemsScanned, type StationState, visibleNotice } from "../station/station-state.ts";
import { areaOne, mia, openScriptedDevice } from "./scripted-device.ts";
import { ScriptedShop } from "./scripted-shop.ts";

export const shirt = "4006381333931";
export const otherShirt = "4006381333948";

/** A station over a scripted shop, without a screen. Its clock and timers stop until a test moves them. */
export interface StationHarness {
  readonly shop: ScriptedShop;
  readonly device: CountingDevice;
  readonly client: QueryClient;
  readonly station: Station;
  readonly clock: ManualClock;
  /** What was heard, in order. */
  readonly sounds: readonly SoundName[];
  readonly opened: readonly CountingArea[];
  readonly remembered: readonly CountingArea[];
  /** How often it led back to the dashboard. */
  readonly exits: () => number;
  readonly close: () => void;
  readonly state: () => StationState;
  readonly count: () => number;
  /** What the banner shows; null is READY TO SCAN. */
  readonly shown: () => string | null;
  /** A scan so many milliseconds after what was before. */
  readonly scan: (code: string, after?: number) => void;
  readonly waitUntilShown: (text: string | null) => Promise<void>;
  readonly waitUntilCounted: (count: number) => Promise<void>;
  readonly waitUntilReady: () => Promise<void>;
  readonly waitUntilSent: () => Promise<void>;
  /** A station that has counted one shirt, which the server has. */
  readonly countOne: () => Promise<void>;
}

interface Opening {
  readonly shop?: ScriptedShop;
  /** The device that the page had before, where its storage was closed and opened again. */
  readonly deviceBefore?: CountingDevice;
  readonly isSynced?: boolean;
  /** The device of an earlier station, as after a reload. */
  readonly device?: CountingDevice;
  readonly area?: CountingArea;
}

export async function openStationAlone(opening: Opening = {}): Promise<StationHarness> {
  const shop = opening.shop ?? new ScriptedShop();
  vi.stubGlobal("fetch", shop.fetch);
  if (opening.device === undefined) clearDevice();
  const device = opening.device ?? (await openScriptedDevice(shop));
  if (opening.isSynced !== false && opening.device === undefined) await syncProducts(device, "store-1");
  const client = createQueryClient();
  const clock = createManualClock();
  const sounds: SoundName[] = [];
  const opened: CountingArea[] = [];
  const remembered: CountingArea[] = [];
  let exits = 0;
  const station = createStation({
    ...{
      device,
      userId: mia._id,
      username: mia.username,
      area: opening.area ?? areaOne,
      timers: clock,
      now: clock.now,
    },
    server: createQueryServer(device, client, mia._id),
    feedback: { ...createFeedback(device.database), play: (name) => void sounds.push(name) },
    pages: {
      openArea: (area) => void opened.push(area),
      rememberArea: (area) => void remembered.push(area),
      leave: async () => {
        exits += 1;
      },
    },
    askForPersistence: async () => true,
    visit: { isCameraWanted: false, device: opening.deviceBefore ?? null },
  });
  const close = station.start();
  onTestFinished(close);
  const state = station.getSnapshot;
  const shown = () => {
    const notice = visibleNotice(state());
    return notice === null ? null : `${notice.text} ${notice.detail ?? ""}`.replaceAll("\u00a0", " ").trim();
  };
  const scan = (code: string, after = 1_500) => {
    clock.advance(after);
    station.scan(code, "scan");
  };
  const waitUntil = (isTrue: () => boolean, meant: string) =>
    vi.waitFor(
      () => {
        if (!isTrue()) throw new Error(`Not ${meant}: shown ${shown()}, counted ${itemsScanned(state())}.`);
      },
      { timeout: givingUpMs, interval: 5 },
    );
  const harness: StationHarness = {
    ...{ shop, device, client, station, clock, sounds, opened, remembered, close, state, shown, scan },
    exits: () => exits,
    count: () => itemsScanned(state()),
    waitUntilShown: (text) =>
      waitUntil(() => (text === null ? shown() === null : (shown() ?? "").includes(text)), `shown ${text}`),
    waitUntilCounted: (count) => waitUntil(() => itemsScanned(state()) === count, `counted ${count}`),
    waitUntilReady: () => waitUntil(() => isStationReady(state()), "ready"),
    waitUntilSent: () => waitUntil(() => device.queue.state().pending === 0, "sent"),
    async countOne() {
      await harness.waitUntilReady();
      const before = itemsScanned(state());
      scan(shirt);
      await harness.waitUntilCounted(before + 1);
      if (!shop.isAway) await harness.waitUntilSent();
    },
  };
  return harness;
}
