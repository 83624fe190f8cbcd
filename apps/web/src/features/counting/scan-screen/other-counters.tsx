import { List } from "@mantine/core";
import { type AreaDevice, groupBy } from "@stocktake/contract";
import { countText, timeText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { messages } from "../messages.ts";
import type { FinishFigures } from "../station/finish-question.ts";
import type { TotalOf } from "../station/station-state.ts";

const isYours = ({ yours }: AreaDevice) => yours === true;

/** With how many devices the person counted in the pass, where it is more than the one that they hold; else null. */
export function ownDevices(others: readonly AreaDevice[]): number | null {
  const own = others.filter(isYours).length;
  return own === 0 ? null : own + 1;
}

function lineOf(devices: readonly AreaDevice[]): string {
  const who = devices[0]?.usernames.join(", ") ?? "";
  const holding = devices.filter(({ holdsScans }) => holdsScans).length;
  const [seen] = devices
    .flatMap(({ holdsScans, silentSince }) => (holdsScans ? [] : (silentSince ?? [])))
    .sort();
  return [
    `${who}, ${countText(devices.length, "device", "devices")}`,
    ...(devices.some(isYours) ? [messages.yours] : []),
    ...(holding === 0 ? [] : [messages.othersHold(holding, devices.length)]),
    ...(seen === undefined ? [] : [messages.othersSilent(timeText(seen))]),
  ].join(" · ");
}

/** What one's own count is, where it is not just what this device shows. */
export function OwnCount({ devices, sharedWith }: OtherCountersProps["figures"]) {
  const own = ownDevices(devices);
  return (
    <>
      {own === null ? null : <div>{messages.ownDevices(own)}</div>}
      {sharedWith.length === 0 ? null : <div>{messages.sharedDevice(sharedWith)}</div>}
    </>
  );
}

function whatItMeans(of: TotalOf | null): string {
  switch (of) {
    case "own":
      return messages.ownTotalSum;
    case "area":
      return messages.othersCounted;
    case null:
      return `${messages.othersCounted} ${messages.othersChoose}`;
  }
}

interface OtherCountersProps {
  /** The other devices of the pass, and who else counted with this one. */
  readonly figures: Pick<FinishFigures, "devices" | "sharedWith">;
  /** What the person's total is of; null until they have chosen. */
  readonly of: TotalOf | null;
}

/** Who else counted here, and whose scans are not all on the server: a total declared now would not match. */
export function OtherCounters({ figures, of }: OtherCountersProps) {
  const { devices } = figures;
  // Two people may have one name.
  const lines = groupBy(devices, (device) => JSON.stringify([device.usernames, isYours(device)]));
  const isIncomplete = devices.some(({ holdsScans, silentSince }) => holdsScans || silentSince !== null);
  return (
    <Notice kind={isIncomplete ? "warning" : "info"}>
      {whatItMeans(of)}
      {of === "area" ? null : <OwnCount {...figures} />}
      {lines.size === 0 ? null : (
        <List fz="sm" spacing={2}>
          {Array.from(lines, ([who, ofLine]) => (
            <List.Item key={who}>{lineOf(ofLine)}</List.Item>
          ))}
        </List>
      )}
      {isIncomplete ? messages.othersWait : null}
    </Notice>
  );
}
