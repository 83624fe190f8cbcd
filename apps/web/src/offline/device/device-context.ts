import { createContext, useContext, useEffect, useSyncExternalStore } from "react";
import type { OutboxEvent } from "../outbox/events.ts";
import type { QueueState } from "../outbox/queue-monitor.ts";
import type { CountingDevice } from "./counting-device.ts";

/** This device in a page: opening, ready, or unable to store scans (and why). */
export type DeviceState =
  | { readonly status: "opening" }
  | { readonly status: "ready"; readonly device: CountingDevice }
  | { readonly status: "unavailable"; readonly reason: string };

/** Why the device is unavailable where nothing more is known. */
export const unknownReason = "The device's storage could not be opened. Reload the page.";

export const DeviceContext = createContext<DeviceState>({ status: "opening" });

export function useDeviceState(): DeviceState {
  return useContext(DeviceContext);
}

/** The queue of a device; re-renders when it changes. */
export function useQueueState(device: CountingDevice): QueueState {
  return useSyncExternalStore(device.queue.subscribe, device.queue.state);
}

/** Whether the server is reachable; re-renders when that changes. */
export function useOnline(device: CountingDevice): boolean {
  return useSyncExternalStore(device.connectivity.subscribe, device.connectivity.isOnline);
}

/** Calls `listener` for each event of the outbox while mounted; give it a stable function. */
export function useOutboxEvents(device: CountingDevice, listener: (event: OutboxEvent) => void): void {
  useEffect(() => device.bus.subscribe(listener), [device, listener]);
}
