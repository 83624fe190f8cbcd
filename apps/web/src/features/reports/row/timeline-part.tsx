import { Button } from "@mantine/core";
import { type ExplainedScan, isOfPaper, type MoveByOther } from "@stocktake/contract";
import { useMemo } from "react";
import { secondsText } from "../../../ui/formats.ts";
import { StatusBadge, type StatusTone } from "../../../ui/status-badge.tsx";
import { besideText } from "../walk-text.ts";
import { ExplanationPart } from "./explanation-part.tsx";
import type { Explanation } from "./explanation-query.ts";
import { rowMessages } from "./messages.ts";
import classes from "./row.module.css";
import { type TimelineEntry, timelineOf } from "./timeline.ts";

const { timeline: texts } = rowMessages;

const tones: Record<ExplainedScan["status"], StatusTone> = {
  counted: "positive",
  late: "warning",
  unresolved: "warning",
  voided: "neutral",
  compared: "neutral",
};

/** What was decided about it, by whom and when. */
function outcomeOf(scan: ExplainedScan): string[] {
  const { reason, voidedAt, voidedBy, resolvedAt, resolvedBy, status, note = null } = scan;
  const resolved =
    status === "counted" && resolvedAt !== null
      ? [texts.by(texts.resolved, resolvedBy?.username ?? "System", secondsText(resolvedAt))]
      : [];
  if (reason === null) return resolved;
  const why = texts.reason(reason);
  if (voidedAt === null) return [why];
  const said = texts.by(why, voidedBy?.username ?? "System", secondsText(voidedAt));
  return [note === null ? said : texts.because(said, note)];
}

interface ScanEntryProps {
  readonly scan: ExplainedScan;
  /** What the row is of. */
  readonly sku: string;
  readonly areaOf: (areaId: string) => string;
}

function ScanEntry({ scan, sku, areaOf }: ScanEntryProps) {
  const outcome = outcomeOf(scan);
  return (
    <>
      <div className={classes.line}>
        <span>
          {texts.scan(scan)}
          {scan.method === "manual" && !isOfPaper(scan) ? `, ${texts.typed}` : null}
        </span>
        <StatusBadge tone={tones[scan.status]}>{texts.state(scan.status)}</StatusBadge>
      </div>
      {outcome.length === 0 ? null : <div className={classes.note}>{outcome.join(", ")}</div>}
      <div className={classes.note}>{texts.place(areaOf(scan.areaId), scan.username, scan.deviceId)}</div>
      <div className={classes.note}>{besideText({ ...scan, sku })}</div>
    </>
  );
}

function readingText({ reading, difference }: Extract<TimelineEntry, { kind: "reading" }>): string {
  if (reading.kind === "start") return texts.start(reading.onHand);
  if (reading.kind === "end") return texts.end(reading.onHand);
  return texts.changed(difference, reading.onHand);
}

/** What its device, its file or its sheet says of the time is shown, if it says anything. */
function unknownTimeText({ scannedAt, receivedAt }: ExplainedScan): string {
  const told = scannedAt === receivedAt ? [] : [texts.told(secondsText(scannedAt))];
  return [texts.unknownTime, ...told, texts.heard(secondsText(receivedAt))].join(", ");
}

function timeOf(entry: TimelineEntry): string {
  if (entry.kind === "scan" && !entry.scan.timeKnown) {
    return unknownTimeText(entry.scan);
  }
  return secondsText(entry.at);
}

function keyOf(entry: TimelineEntry): string {
  switch (entry.kind) {
    case "scan":
      return entry.scan._id;
    case "move":
      return `${entry.move.session._id} ${entry.move.direction} ${entry.at}`;
    case "reading":
      return `${entry.reading.kind} ${entry.at}`;
  }
}

interface EntryProps extends Omit<ScanEntryProps, "scan"> {
  readonly entry: TimelineEntry;
}

function Entry({ entry, ...place }: EntryProps) {
  switch (entry.kind) {
    case "scan":
      return <ScanEntry scan={entry.scan} {...place} />;
    case "move":
      return <div>{texts.move(entry.move)}</div>;
    case "reading":
      return <div>{readingText(entry)}</div>;
  }
}

interface TimelinePartProps {
  readonly explanation: Explanation;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly onMore: () => void;
}

const noMoves: readonly MoveByOther[] = [];

/** Every scan with what became of it, and between them what Shopify said was on hand and what other sessions have moved. */
export function TimelinePart({ explanation, hasMore, isLoadingMore, onMore }: TimelinePartProps) {
  const { scans, readings, passes, total = scans.length } = explanation;
  const { movesByOthers: moves = noMoves } = explanation.deploy;
  const entries = useMemo(
    () => timelineOf({ scans, readings, moves }, !hasMore),
    [scans, readings, moves, hasMore],
  );
  const codes = useMemo(() => new Map(passes.map(({ area }) => [area._id, area.code])), [passes]);
  const areaOf = (id: string) => codes.get(id) ?? "";
  return (
    <ExplanationPart heading={texts.heading}>
      <ol className={classes.timeline} aria-label={texts.heading}>
        {entries.map((entry) => (
          <li key={keyOf(entry)} className={entry.kind === "scan" ? classes.scan : classes.reading}>
            <span className={classes.time}>{timeOf(entry)}</span>
            <Entry entry={entry} sku={explanation.item.sku} areaOf={areaOf} />
          </li>
        ))}
      </ol>
      {hasMore ? (
        <Button variant="subtle" disabled={isLoadingMore} onClick={onMore} className={classes.more ?? ""}>
          {isLoadingMore ? texts.loadingMore : texts.more(total - scans.length)}
        </Button>
      ) : null}
    </ExplanationPart>
  );
}
