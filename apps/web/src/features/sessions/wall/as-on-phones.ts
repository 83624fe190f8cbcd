import type { SessionProgress } from "../api.ts";
import type { AreaProgress } from "../progress-summary.ts";

function areaAsOnPhones(area: AreaProgress): AreaProgress {
  const { countedAgain: again = null } = area;
  if (again === null) return area;
  const scans = again.scans.reduce((sum, each) => sum + each.scans, area.scans);
  return again.status === null
    ? { ...area, scans }
    : { ...area, scans, status: again.status, usernames: again.usernames };
}

/** The same people with what they scanned in second counts, which is theirs like all that they scan. */
function devicesAsOnPhones({ areas, devices }: SessionProgress): SessionProgress["devices"] {
  const further = new Map<string, number>();
  for (const { username, scans } of areas.flatMap(({ countedAgain }) => countedAgain?.scans ?? []))
    further.set(username, (further.get(username) ?? 0) + scans);
  return devices.map((device) => {
    const scans = device.scans + (further.get(device.username) ?? 0);
    further.delete(device.username);
    return { ...device, scans };
  });
}

/**
 * How far a session has come, as the phones of those who may take second counts show it: an area under one is to be counted or in progress
 * there. Counters see the screen on the wall too, and none of them may learn that they count a second time.
 */
export function asOnPhones(progress: SessionProgress): SessionProgress {
  return { ...progress, areas: progress.areas.map(areaAsOnPhones), devices: devicesAsOnPhones(progress) };
}
