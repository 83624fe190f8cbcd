import { Button, Group, Stack, Text } from "@mantine/core";
import type { ExceptionScan } from "@stocktake/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { dateTimeText, quantityText, timesText } from "../../../ui/formats.ts";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { Section } from "../../../ui/section.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { exceptionsQuery, type Report } from "../api.ts";
import { messages } from "../messages.ts";
import { anchors } from "../report-notices.tsx";
import classes from "../reports.module.css";
import { AcceptDialog, type DecisionProps, DismissDialog, scanText } from "./decision-dialogs.tsx";
import { ResolveDialog } from "./resolve-dialog.tsx";

const step = 25;

/** A late scan of a known product in an area that is still there needs no further choice. */
function canAcceptAsItIs(scan: ExceptionScan): boolean {
  return scan.sku !== null && scan.reason !== "AREA_DELETED";
}

function neighbourText(scan: ExceptionScan["before"]): string {
  if (scan === null) return "nothing";
  return scanText(scan);
}

function ScanText({ scan }: { scan: ExceptionScan }) {
  const times = timesText(scan.quantity);
  const reason = scan.reason === null ? "" : (messages.scanReasons[scan.reason] ?? "");
  return (
    <div className={classes.what}>
      <Group gap="xs">
        <span className={classes.code}>{scan.input}</span>
        {times === "" ? null : <strong>{times}</strong>}
        <StatusBadge tone="warning">{scan.status === "late" ? "Late" : "Unresolved"}</StatusBadge>
      </Group>
      {scan.sku === null ? null : <div>{scanText(scan)}</div>}
      <div className={classes.note}>
        {reason}. Area {scan.area.code} – {scan.area.name}, {scan.username}, {dateTimeText(scan.scannedAt)}
      </div>
      <div className={classes.note}>
        Scanned after {neighbourText(scan.before)}; before {neighbourText(scan.after)}
      </div>
    </div>
  );
}

interface ScanActionsProps {
  readonly scan: ExceptionScan;
  readonly disabled: boolean;
  readonly onAccept: () => void;
  readonly onResolve: () => void;
  readonly onDismiss: () => void;
}

function ScanActions({ scan, disabled, onAccept, onResolve, onDismiss }: ScanActionsProps) {
  const direct = canAcceptAsItIs(scan);
  const label = direct ? messages.exceptions.accept : messages.exceptions.resolve;
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="sm"
        disabled={disabled}
        onClick={direct ? onAccept : onResolve}
        aria-label={`${label}: ${scan.input}`}
      >
        {label}
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="sm"
        disabled={disabled}
        onClick={onDismiss}
        aria-label={`${messages.exceptions.dismiss}: ${scan.input}`}
      >
        {messages.exceptions.dismiss}
      </Button>
    </Group>
  );
}

interface Open {
  readonly kind: "accept" | "resolve" | "dismiss";
  readonly scan: ExceptionScan;
}

interface ExceptionsPanelProps {
  readonly report: Report;
  readonly onDone: (message: string) => void;
}

interface OpenDialogProps extends DecisionProps {
  readonly kind: Open["kind"];
  readonly storeId: string;
}

function OpenDialog({ kind, storeId, ...decision }: OpenDialogProps) {
  switch (kind) {
    case "accept":
      return <AcceptDialog {...decision} />;
    case "dismiss":
      return <DismissDialog {...decision} />;
    case "resolve":
      return <ResolveDialog storeId={storeId} {...decision} />;
  }
}

/** The scans whose code is as unknown as this one's. */
function scansOfCode(scan: ExceptionScan, scans: readonly ExceptionScan[]): ExceptionScan[] {
  return scans.filter(
    ({ sku, input, inputType }) => sku === null && input === scan.input && inputType === scan.inputType,
  );
}

// Whatever is shown of the report, rows with a manual count are among its items.
function countSetByHand({ items }: Report, sku: string): number | null {
  const row = items.find((item) => item.sku === sku);
  return row?.manual === true ? row.counted : null;
}

interface ScanListProps extends ExceptionsPanelProps {
  /** Those that were read so far. */
  readonly scans: readonly ExceptionScan[];
  readonly total: number;
  /** Reads more of them. */
  readonly onMore: () => void;
}

function ScanList({ scans, total, onMore, report, onDone }: ScanListProps) {
  const [shown, setShown] = useState(step);
  const [open, setOpen] = useState<Open | null>(null);
  const hidden = Math.max(0, total - shown);
  const showMore = () => {
    if (shown + step > scans.length) onMore();
    setShown(shown + step);
  };
  return (
    <Stack gap="xs">
      <ul className={classes.list}>
        {scans.slice(0, shown).map((scan) => (
          <li key={scan._id} className={classes.decision}>
            <ScanText scan={scan} />
            <ScanActions
              scan={scan}
              disabled={report.deployed}
              onAccept={() => setOpen({ kind: "accept", scan })}
              onResolve={() => setOpen({ kind: "resolve", scan })}
              onDismiss={() => setOpen({ kind: "dismiss", scan })}
            />
          </li>
        ))}
      </ul>
      {hidden === 0 ? null : (
        <Button variant="subtle" onClick={showMore} style={{ alignSelf: "flex-start" }}>
          {messages.exceptions.more(Math.min(step, hidden))}
        </Button>
      )}
      {open === null ? null : (
        <OpenDialog
          kind={open.kind}
          scan={open.scan}
          sameCode={scansOfCode(open.scan, scans)}
          setByHand={(sku) => countSetByHand(report, sku)}
          storeId={report.session.storeId._id}
          onDone={onDone}
          onClose={() => setOpen(null)}
        />
      )}
    </Stack>
  );
}

/** Unresolved and late scans under the report: accept, resolve to a product, or dismiss. */
export function ExceptionsPanel({ report, onDone }: ExceptionsPanelProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(
    exceptionsQuery(report.session._id),
  );
  const waiting = data?.total ?? report.exceptions.unresolved + report.exceptions.late;
  if (waiting === 0 && error === null) return null;
  return (
    <Section
      title={messages.exceptions.heading}
      anchor={anchors.decisions}
      aside={<StatusBadge tone="warning">{quantityText(waiting)}</StatusBadge>}
    >
      <Text c="dimmed">{report.deployed ? messages.exceptions.locked : messages.exceptions.intro}</Text>
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      {data === undefined && error === null ? <LoadingState /> : null}
      {data === undefined ? null : (
        <ScanList
          {...data}
          onMore={() => (hasNextPage ? void fetchNextPage() : undefined)}
          report={report}
          onDone={onDone}
        />
      )}
    </Section>
  );
}
