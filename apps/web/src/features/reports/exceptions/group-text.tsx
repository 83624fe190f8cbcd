import { Group } from "@mantine/core";
import type { ExceptionGroup } from "@stocktake/contract";
import { dateTimeText } from "../../../ui/formats.ts";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { besideText, scanText } from "../walk-text.ts";
import { adviceOn, reasonsShown } from "./advice.ts";
import classes from "./exceptions.module.css";
import { messages } from "./messages.ts";

const { list } = messages;

/** Names, and how many more there are than are named. */
export function namesText(names: readonly string[], count: number): string {
  const joined = names.join(", ");
  return count > names.length ? list.andMore(joined, count - names.length) : joined;
}

function areasText({ areas, areaCount }: ExceptionGroup): string {
  const names = areas.map(({ code, name }) => `${code} – ${name}`);
  return namesText(names, areaCount);
}

function timesText({ firstScannedAt, lastScannedAt }: ExceptionGroup): string {
  const [first, last] = [dateTimeText(firstScannedAt), dateTimeText(lastScannedAt)];
  return first === last ? first : `${first} – ${last}`;
}

function amountText({ scans, units }: ExceptionGroup): string {
  return scans === units ? list.scans(scans) : `${list.scans(scans)}, ${list.units(units)}`;
}

/** When to accept what came late, and when not. */
function Advice({ group }: { group: ExceptionGroup }) {
  const advice = adviceOn(group);
  return advice.map((sentence) => (
    <div key={sentence} className={`${classes.advice} screen-only`}>
      {sentence}
    </div>
  ));
}

/** A group of scans: its code, how many, why they wait, where they were scanned and beside what. */
export function GroupText({ group }: { group: ExceptionGroup }) {
  const where = list.where(
    areasText(group),
    group.areaCount,
    namesText(group.people, group.peopleCount),
    timesText(group),
  );
  return (
    <div className={classes.what}>
      <Group gap="xs">
        <span className={classes.code}>{group.input}</span>
        <strong className="tabular">{amountText(group)}</strong>
        <StatusBadge tone="warning">{group.status === "late" ? list.late : list.unresolved}</StatusBadge>
      </Group>
      {group.sku === null ? null : <div>{scanText(group)}</div>}
      <div className={classes.note}>
        {reasonsShown(group).join(", ")}. {where}
      </div>
      <div className={classes.note}>{besideText(group)}</div>
      <Advice group={group} />
    </div>
  );
}
