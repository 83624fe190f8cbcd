import { Checkbox, Stack, Text } from "@mantine/core";
import { type Adjustment, naturalOrder } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { countText, moneyText, quantityText } from "../../../ui/formats.ts";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { type DeployPreview, deployPreviewQuery, type Report, type useDeploy } from "../api.ts";
import { messages } from "../messages.ts";
import { AdjustmentProgress } from "./adjustment-progress.tsx";
import { SkippedRows } from "./skipped-rows.tsx";

function uncountedText({ items, units, cost, withoutCost }: DeployPreview["uncounted"], currency: string) {
  const unknown = withoutCost === 0 ? "" : `, plus ${countText(withoutCost, "SKU", "SKUs")} without a cost`;
  return `${countText(items, "SKU", "SKUs")} with ${countText(units, "unit", "units")} on hand, worth ${moneyText(cost, currency)}${unknown}`;
}

interface PreviewProps {
  readonly report: Report;
  readonly preview: DeployPreview;
}

function Uncounted({ report, preview: { uncounted, zeroed } }: PreviewProps) {
  if (uncounted.items === 0) return null;
  const what = uncountedText(uncounted, report.summary.currency);
  return (
    <Notice kind="warning" title={messages.deployDialog.neverCounted}>
      {zeroed === "by_choice"
        ? `${what}. They will stay as they are unless you choose otherwise below.`
        : `${what}. Every area was closed, so they will be set to zero.`}
    </Notice>
  );
}

function OpenAreas({ report }: Pick<PreviewProps, "report">) {
  const compareCodes = naturalOrder();
  const areas = report.session.openAreas.toSorted((left, right) => compareCodes(left.code, right.code));
  if (areas.length === 0) return null;
  const names = areas.map((area) => (area.name === area.code ? area.code : `${area.code} – ${area.name}`));
  return (
    <Notice kind="warning" title={messages.deployDialog.openAreas}>
      {countText(areas.length, "area was", "areas were")} never closed: {names.join(", ")}.
    </Notice>
  );
}

function scopeSentences({ report, preview }: PreviewProps): string[] {
  if (report.session.scope === "partial") return [messages.deployDialog.partialScope];
  const { uncounted, skipped, zeroed } = preview;
  // Among what is left out there may be what was never counted.
  const isEverythingCounted = uncounted.items === 0 && skipped.length === 0;
  const areas = zeroed === "always" ? messages.deployDialog.noOpenAreas : messages.deployDialog.noAreas;
  return [
    ...(isEverythingCounted ? [messages.deployDialog.everythingCounted] : []),
    ...(report.session.openAreas.length === 0 ? [areas] : []),
  ];
}

/** How many SKUs would change and stay, which together are all that differ. `zero`: the extra choice is made. */
function sumsOf({ totalAdjustments, uncounted, skipped, zeroed }: DeployPreview, zero: boolean) {
  const left = zeroed === "by_choice" ? uncounted.items : 0;
  return zero
    ? { changing: totalAdjustments + left, uncounted: 0, leftOut: skipped.length }
    : { changing: totalAdjustments, uncounted: left, leftOut: skipped.length };
}

function sumSentences(preview: DeployPreview, zero: boolean): string[] {
  const { changing, uncounted, leftOut } = sumsOf(preview, zero);
  const change = countText(changing, "SKU will change", "SKUs will change");
  const staying = uncounted + leftOut;
  if (staying === 0) return [`${change} in Shopify.`];
  const stay = countText(staying, "SKU will stay as it is", "SKUs will stay as they are");
  const parts = [
    ...(uncounted === 0 ? [] : [messages.deployDialog.ofUncounted(quantityText(uncounted))]),
    ...(leftOut === 0 ? [] : [messages.deployDialog.ofSkipped(quantityText(leftOut))]),
  ];
  return [`${change} in Shopify.`, `${stay}: ${parts.join(", ")}.`];
}

function consequencesOf(given: PreviewProps, zero: boolean): string[] {
  const { unresolved, late } = given.report.exceptions;
  const waiting = unresolved + late;
  return [
    ...sumSentences(given.preview, zero),
    ...scopeSentences(given),
    ...(waiting === 0 ? [] : [messages.deployDialog.exceptions(waiting)]),
    messages.deployDialog.rollbackLater,
  ];
}

function PreviewNotices(given: PreviewProps) {
  const { skipped, shopifyAsked } = given.preview;
  return (
    <>
      <Uncounted {...given} />
      <OpenAreas report={given.report} />
      <SkippedRows title={messages.deployDialog.skipped(skipped.length)} skipped={skipped} />
      {shopifyAsked ? null : <Notice kind="info">{messages.deployDialog.notAsked}</Notice>}
    </>
  );
}

interface DeployDialogProps {
  readonly report: Report;
  readonly deploy: ReturnType<typeof useDeploy>;
  /** Of the deploy under way; null while none is known. */
  readonly progress: Adjustment["progress"];
  readonly onConfirm: (zeroUncounted: boolean) => void;
  readonly onCancel: () => void;
}

function sendingOf({ deploy, progress, onCancel }: DeployDialogProps) {
  return {
    busyLabel: messages.deploying,
    busy: deploy.isPending,
    error: deploy.error,
    errorFallback: messages.deployFailed,
    size: "lg",
    onCancel,
    children: deploy.isPending ? <AdjustmentProgress label={messages.deploying} progress={progress} /> : null,
  };
}

function ZeroDialog({ preview, ...props }: DeployDialogProps & { readonly preview: DeployPreview }) {
  return (
    <ConfirmDialog
      {...sendingOf(props)}
      title={messages.deployDialog.zeroTitle}
      message={`${uncountedText(preview.uncounted, props.report.summary.currency)} will be set to zero in Shopify.`}
      consequences={[messages.deployDialog.zeroNote, messages.deployDialog.rollbackLater]}
      confirmLabel={messages.deployDialog.zeroConfirm}
      onConfirm={() => props.onConfirm(true)}
    />
  );
}

interface MessageProps {
  readonly report: Report;
  readonly preview: DeployPreview | undefined;
  readonly error: Error | null;
  readonly onRetry: () => unknown;
}

function Message({ report, preview, error, onRetry }: MessageProps) {
  return (
    <Stack gap="sm">
      {preview === undefined && error === null ? (
        <LoadingState label={messages.deployDialog.loading} />
      ) : null}
      <ErrorBox error={error} fallback={messages.deployDialog.previewFailed} onRetry={onRetry} />
      {preview === undefined ? null : <PreviewNotices report={report} preview={preview} />}
      <Text>{messages.deployDialog.question}</Text>
    </Stack>
  );
}

interface ZeroChoiceProps {
  readonly zero: boolean;
  readonly onChoose: (zero: boolean) => void;
}

function ZeroChoice({ zero, onChoose }: ZeroChoiceProps) {
  return (
    <Checkbox
      label={messages.deployDialog.zeroLabel}
      description={messages.deployDialog.zeroNote}
      checked={zero}
      onChange={(event) => onChoose(event.currentTarget.checked)}
    />
  );
}

/**
 * Says what would change, what is left out and why, and what was never counted and never closed, before stock is moved;
 * zeroing what was never counted is asked twice.
 */
export function DeployDialog(props: DeployDialogProps) {
  const { report, deploy } = props;
  const [zero, setZero] = useState(false);
  const [askingZero, setAskingZero] = useState(false);
  const { data: preview, error, refetch } = useQuery(deployPreviewQuery(report.session._id));
  if (askingZero && preview !== undefined) {
    return <ZeroDialog {...props} preview={preview} onCancel={() => setAskingZero(false)} />;
  }
  const sending = sendingOf(props);
  const hasChoice = preview?.zeroed === "by_choice" && preview.uncounted.items > 0 && !deploy.isPending;
  return (
    <ConfirmDialog
      {...sending}
      title={messages.deployDialog.title}
      message={
        deploy.isPending ? (
          sending.children
        ) : (
          <Message report={report} preview={preview} error={error} onRetry={refetch} />
        )
      }
      consequences={preview === undefined ? [] : consequencesOf({ report, preview }, zero)}
      confirmLabel={messages.deployDialog.confirm}
      danger={false}
      disabled={preview === undefined}
      onConfirm={() => (zero ? setAskingZero(true) : props.onConfirm(false))}
    >
      {hasChoice ? <ZeroChoice zero={zero} onChoose={setZero} /> : null}
    </ConfirmDialog>
  );
}
