import { groupBy, type Invitation } from "@stocktake/contract";
import { areaText } from "../../ui/formats.ts";
import type { SessionProgress } from "./api.ts";
import { messages } from "./messages.ts";

export type AreaProgress = SessionProgress["areas"][number];
export type DeviceProgress = SessionProgress["devices"][number];

/** What an administrator should know of a running count before ending it. */
export interface ProgressSummary {
  readonly areas: number;
  readonly closed: number;
  readonly inProgress: number;
  readonly notStarted: number;
  /** Counted scans of every area's current pass. */
  readonly scans: number;
  readonly open: readonly AreaProgress[];
  /** Devices that last reported unsent scans. */
  readonly unsent: readonly DeviceProgress[];
  readonly exceptions: number;
  /** Areas that are to be counted again: at an administrator's request, or because a total did not match. */
  readonly recounts: number;
}

export function isRecountOwed(area: AreaProgress): boolean {
  return area.recountNeeded || (area.recount ?? null) !== null;
}

/** That an area is to be counted again, and whether somebody asked for it; null where it is not. */
export function recountText(area: AreaProgress): string | null {
  if (area.recountNeeded) return messages.recount;
  return isRecountOwed(area) ? messages.recountRequested : null;
}

/**
 * Of the open areas those whose recount is owed come first, as what was counted there counts no more. Areas being counted come
 * before those not started, because somebody may still be at work in them.
 */
export function summarizeProgress({ areas, devices, exceptions }: SessionProgress): ProgressSummary {
  const byStatus = groupBy(areas, (area) => area.status);
  const { in_progress: begun = [], not_started: waiting = [] } = Object.fromEntries(byStatus);
  const open = [...begun, ...waiting];
  const owed = open.filter(isRecountOwed);
  return {
    areas: areas.length,
    closed: areas.length - begun.length - waiting.length,
    inProgress: begun.length,
    notStarted: waiting.length,
    scans: areas.reduce((sum, area) => sum + area.scans, 0),
    open: [...owed, ...open.filter((area) => !isRecountOwed(area))],
    unsent: devices.filter((device) => (device.pending ?? 0) > 0),
    exceptions: exceptions.unresolved + exceptions.late,
    recounts: owed.length,
  };
}

/**
 * The time by the clock that says when a device was heard of: what it was when the progress was read, and what has passed since. The
 * browser's own where a server of an earlier release doesn't tell it.
 */
export function clockOf(progress: SessionProgress, readAt: number, now: number): number {
  return progress.now === undefined ? now : Date.parse(progress.now) + Math.max(0, now - readAt);
}

const silentAfterMs = 5 * 60_000;

/** A device that nobody has heard of for a while. */
export interface SilentDevice {
  readonly deviceId: string;
  readonly username: string;
  /** When it was last heard of, or opened an area and sent nothing. */
  readonly since: string;
  readonly hasSent: boolean;
}

interface SilentDevices {
  /** Their counter is in an area that is still open: they may well hold scans. */
  readonly inOpenAreas: readonly SilentDevice[];
  /** Most of them were simply put away. A counter who begins the next area without a network is among them too. */
  readonly others: readonly SilentDevice[];
}

/** Devices not heard of for five minutes by the server's clock, besides those that reported unsent scans: nobody knows what they hold. */
export function silentDevices({ areas, devices, opened = [] }: SessionProgress, now: number): SilentDevices {
  const known = [
    ...devices
      .filter(({ pending }) => (pending ?? 0) === 0)
      .map(({ deviceId, username, lastSeenAt }) => ({
        ...{ deviceId, username, since: lastSeenAt, hasSent: true },
      })),
    ...opened.map(({ deviceId, username, openedAt }) => ({
      ...{ deviceId, username, since: openedAt, hasSent: false },
    })),
  ];
  const silent = known.filter(({ since }) => now - Date.parse(since) > silentAfterMs);
  const isInOpenArea = ({ username }: SilentDevice) => areasCountedBy(username, areas).length > 0;
  return {
    inOpenAreas: silent.filter(isInOpenArea),
    others: silent.filter((device) => !isInOpenArea(device)),
  };
}

/** Somebody at work, over all the devices they use. */
export interface CountingPerson {
  readonly username: string;
  readonly devices: number;
  /** Null while no device of theirs has sent anything. */
  readonly lastSeenAt: string | null;
  /** Units that their devices counted. */
  readonly scans: number;
  /** Unsent scans that their devices last reported. */
  readonly pending: number;
}

/**
 * Who takes part in a count: those whose devices hold scans first, then who was seen last, and last those of the invited who
 * have joined and whose devices have sent nothing yet.
 */
export function countingPeople(
  devices: SessionProgress["devices"],
  invited: readonly Pick<Invitation, "counterName" | "usedAt">[],
): CountingPerson[] {
  const byName = groupBy(devices, (device) => device.username);
  const counting = Array.from(byName, ([username, own]) => ({
    username,
    devices: own.length,
    lastSeenAt: own.reduce((last, { lastSeenAt }) => (lastSeenAt > last ? lastSeenAt : last), ""),
    scans: own.reduce((sum, { scans }) => sum + scans, 0),
    pending: own.reduce((sum, { pending }) => sum + (pending ?? 0), 0),
  })).sort((left, right) => right.pending - left.pending || right.lastSeenAt.localeCompare(left.lastSeenAt));
  const joined = invited.filter(({ counterName, usedAt }) => usedAt !== null && !byName.has(counterName));
  const names = [...new Set(joined.map(({ counterName }) => counterName))];
  return [
    ...counting,
    ...names.map((username) => ({ username, devices: 0, lastSeenAt: null, scans: 0, pending: 0 })),
  ];
}

/** Where a person is, as far as anybody knows: the server hears of an area with its first scan. */
export function whereText(
  { username, devices, scans }: CountingPerson,
  areas: readonly AreaProgress[],
  nameOf: (area: AreaProgress) => string,
): string {
  const counted = areasCountedBy(username, areas);
  if (counted.length > 0) return counted.map(nameOf).join(", ");
  if (scans > 0) return messages.live.betweenAreas;
  const own = areas.filter(
    ({ status, assignedTo = [] }) => status !== "closed" && assignedTo.includes(username),
  );
  return messages.live.nothingYet(own.map(({ code }) => code).join(", "), devices > 0);
}

/** An area as lists name it. */
export function areaName(area: Pick<AreaProgress, "locationName" | "code" | "name">): string {
  return `${area.locationName}: ${areaText(area.code, area.name)}`;
}

/** The areas in progress that a person has scanned in, the one scanned in last first; none between two areas. */
function areasCountedBy(username: string, areas: readonly AreaProgress[]): AreaProgress[] {
  return areas
    .filter((area) => area.status === "in_progress" && area.usernames.includes(username))
    .sort((left, right) => (right.lastScanAt ?? "").localeCompare(left.lastScanAt ?? ""));
}
