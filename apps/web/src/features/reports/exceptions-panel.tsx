import { Button, Group, Stack, Text } from "@mantine/core";
import type { ExceptionScan } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { Section } from "../../ui/section.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { exceptionsQuery, type Report, useResolveScan } from "./api.ts";
import classes from "./reports.module.css";
import { ResolveDialog } from "./resolve-dialog.tsx";
import { exceptionTexts, scanReasonTexts, texts } from "./texts.ts";

const step = 25;

/** A late scan of a known product in an area that is still there needs no further choice. */
function canAcceptAsItIs(scan: ExceptionScan): boolean {
  return scan.sku !== null && scan.reason !== "AREA_DELETED";
}

function neighbourText(scan: ExceptionScan["before"]): string {
  if (scan === null) return "nothing";
  return [scan.productTitle, scan.size, scan.sku ?? scan.input].filter(Boolean).join(" · ");
}

function ScanText({ scan }: { scan: ExceptionScan }) {
  const reason = scan.reason === null ? "" : (scanReasonTexts[scan.reason] ?? "");
  return (
    <div className={classes.what}>
      <Group gap="xs">
        <span className={classes.code}>{scan.input}</span>
        <StatusBadge tone="warning">{scan.status === "late" ? "Late" : "Unresolved"}</StatusBadge>
      </Group>
      {scan.sku === null ? null : <div>{neighbourText(scan)}</div>}
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
  const label = direct ? exceptionTexts.accept : exceptionTexts.resolve;
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
        aria-label={`${exceptionTexts.dismiss}: ${scan.input}`}
      >
        {exceptionTexts.dismiss}
      </Button>
    </Group>
  );
}

interface DismissDialogProps {
  readonly scan: ExceptionScan;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function DismissDialog({ scan, onDone, onClose }: DismissDialogProps) {
  const resolve = useResolveScan();
  const succeed = () => {
    onDone(exceptionTexts.dismissed);
    onClose();
  };
  return (
    <ConfirmDialog
      title={exceptionTexts.dismissTitle}
      message={exceptionTexts.dismissQuestion(scan.input)}
      consequences={exceptionTexts.dismissConsequences}
      confirmLabel={exceptionTexts.dismiss}
      busy={resolve.isPending}
      error={resolve.error}
      errorFallback={texts.resolveFailed}
      onConfirm={() => resolve.mutate({ id: scan._id, action: "dismiss" }, { onSuccess: succeed })}
      onCancel={onClose}
    />
  );
}

interface Open {
  readonly kind: "resolve" | "dismiss";
  readonly scan: ExceptionScan;
}

interface ExceptionsPanelProps {
  readonly report: Report;
  readonly onDone: (message: string) => void;
}

function OpenDialog({
  open,
  report,
  onDone,
  onClose,
}: ExceptionsPanelProps & { open: Open; onClose: () => void }) {
  if (open.kind === "dismiss") return <DismissDialog scan={open.scan} onDone={onDone} onClose={onClose} />;
  const storeId = report.session.storeId._id;
  return <ResolveDialog scan={open.scan} storeId={storeId} onDone={onDone} onClose={onClose} />;
}

function ScanList({ scans, report, onDone }: ExceptionsPanelProps & { scans: readonly ExceptionScan[] }) {
  const [shown, setShown] = useState(step);
  const [open, setOpen] = useState<Open | null>(null);
  const accept = useResolveScan();
  const acceptScan = (scan: ExceptionScan) =>
    accept.mutate({ id: scan._id, action: "accept" }, { onSuccess: () => onDone(exceptionTexts.accepted) });
  const hidden = Math.max(0, scans.length - shown);
  return (
    <Stack gap="xs">
      <ErrorBox error={accept.error} fallback={texts.resolveFailed} />
      <ul className={classes.list}>
        {scans.slice(0, shown).map((scan) => (
          <li key={scan._id} className={classes.decision}>
            <ScanText scan={scan} />
            <ScanActions
              scan={scan}
              disabled={report.deployed || accept.isPending}
              onAccept={() => acceptScan(scan)}
              onResolve={() => setOpen({ kind: "resolve", scan })}
              onDismiss={() => setOpen({ kind: "dismiss", scan })}
            />
          </li>
        ))}
      </ul>
      {hidden === 0 ? null : (
        <Button variant="subtle" onClick={() => setShown(shown + step)} style={{ alignSelf: "flex-start" }}>
          {exceptionTexts.more(Math.min(step, hidden))}
        </Button>
      )}
      {open === null ? null : (
        <OpenDialog open={open} report={report} onDone={onDone} onClose={() => setOpen(null)} />
      )}
    </Stack>
  );
}

/** Unresolved and late scans under the report: accept, resolve to a product, or dismiss. */
export function ExceptionsPanel({ report, onDone }: ExceptionsPanelProps) {
  const { data, error, refetch } = useQuery(exceptionsQuery(report.session._id));
  if (error !== null) return <ErrorBox error={error} fallback={texts.fetchFailed} onRetry={refetch} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <Section
      title={exceptionTexts.heading}
      aside={<StatusBadge tone="warning">{String(data.length)}</StatusBadge>}
    >
      <Text c="dimmed">{report.deployed ? exceptionTexts.locked : exceptionTexts.intro}</Text>
      <ScanList scans={data} report={report} onDone={onDone} />
    </Section>
  );
}
