import { List } from "@mantine/core";
import { type AreaDevice, groupBy } from "@stocktake/contract";
import { countText, timeText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { messages } from "../messages.ts";
import type { TotalOf } from "../station/station-state.ts";

function lineOf(who: string, devices: readonly AreaDevice[]): string {
  const holding = devices.filter(({ holdsScans }) => holdsScans).length;
  const [seen] = devices
    .flatMap(({ holdsScans, silentSince }) => (holdsScans ? [] : (silentSince ?? [])))
    .sort();
  return [
    `${who}, ${countText(devices.length, "device", "devices")}`,
    ...(holding === 0 ? [] : [messages.othersHold(holding, devices.length)]),
    ...(seen === undefined ? [] : [messages.othersSilent(timeText(seen))]),
  ].join(" · ");
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
  /** The other devices of the pass. */
  readonly devices: readonly AreaDevice[];
  /** What the person's total is of; null until they have chosen. */
  readonly of: TotalOf | null;
}

/** Who else counted here, and whose scans are not all on the server: a total declared now would not match. */
export function OtherCounters({ devices, of }: OtherCountersProps) {
  const byWho = groupBy(devices, ({ usernames }) => usernames.join(", "));
  const isIncomplete = devices.some(({ holdsScans, silentSince }) => holdsScans || silentSince !== null);
  return (
    <Notice kind={isIncomplete ? "warning" : "info"}>
      {whatItMeans(of)}
      {byWho.size === 0 ? null : (
        <List fz="sm" spacing={2}>
          {Array.from(byWho, ([who, own]) => (
            <List.Item key={who}>{lineOf(who, own)}</List.Item>
          ))}
        </List>
      )}
      {isIncomplete ? messages.othersWait : null}
    </Notice>
  );
}
