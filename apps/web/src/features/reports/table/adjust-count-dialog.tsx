import { Text, Textarea, TextInput } from "@mantine/core";
import {
  adjustCount,
  type CountAdjustment,
  limits,
  listCountAdjustments,
  type ReportItem,
} from "@stocktake/contract";
import { queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { KeyboardEvent, WheelEvent } from "react";
import { callAllPages, callApi } from "../../../http/call.ts";
import { queryRoots, staleAfter } from "../../../http/query-roots.ts";
import { useChange } from "../../../http/use-change.ts";
import { useContractForm } from "../../../ui/contract-form.ts";
import { Loaded } from "../../../ui/drawing/loaded.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { dateTimeText, quantityText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { meanwhileMessages } from "../../../ui/shared-forms/meanwhile-messages.ts";
import { messages } from "../messages.ts";
import classes from "../reports.module.css";
import { explanationQuery } from "../row/explanation-query.ts";
import { ItemName } from "./item-name.tsx";
import { ProductImage } from "./thumbnail.tsx";

/** The counts of a SKU that were set by hand, newest first. */
function countHistoryQuery(sessionId: string, sku: string) {
  return queryOptions({
    queryKey: [queryRoots.adjustments, sessionId, "counts", sku],
    queryFn: ({ signal }) =>
      callAllPages(listCountAdjustments, { params: { sessionId }, query: { sku }, signal }),
    select: (answer) => answer.counts,
  });
}

interface CountChange {
  readonly sku: string;
  readonly newCount: number;
  readonly reason: string;
  /** What the form showed: where it is another by now, the server refuses. */
  readonly seenCount: number;
}

function useAdjustCount(sessionId: string) {
  return useChange(
    (body: CountChange) => callApi(adjustCount, { params: { sessionId }, body }),
    staleAfter.report,
  );
}

/** A typed count as a number; NaN, which no count is, for anything but digits. */
function readCount(entry: string): number {
  return /^\d+$/.test(entry.trim()) ? Number.parseInt(entry, 10) : Number.NaN;
}

/** Why a typed count can't be saved, for the person who typed it. */
function problemOfCount(entry: string): string {
  const count = Number(entry);
  if (entry.trim() === "" || Number.isNaN(count) || count < 0) return messages.countProblems.tooLow;
  const { tooHigh, notWhole } = messages.countProblems;
  return count > limits.quantity ? tooHigh(quantityText(limits.quantity)) : notWhole;
}

function Change({ change }: { change: CountAdjustment }) {
  return (
    <li>
      <span className={classes.change}>
        {quantityText(change.previousCount)} → {quantityText(change.newCount)}
      </span>
      <span className={classes.note}>
        {messages.adjustDialog.changedBy(
          change.adjustedBy?.username ?? "System",
          dateTimeText(change.adjustedAt),
        )}
        {change.reason === null ? null : <span className={classes.reason}>{change.reason}</span>}
      </span>
    </li>
  );
}

/** Who set a SKU's count by hand before, when, from what to what, and why. */
function CountHistory({ sessionId, sku }: { sessionId: string; sku: string }) {
  const query = useQuery(countHistoryQuery(sessionId, sku));
  return (
    <Loaded query={query} fallback={messages.adjustDialog.historyFailed} quiet>
      {(changes) =>
        changes.length === 0 ? null : (
          <div>
            <Text fz="sm" c="dimmed" mb={4}>
              {messages.adjustDialog.history}
            </Text>
            <ol className={classes.changes} aria-label={messages.adjustDialog.history}>
              {changes.map((change) => (
                <Change key={change._id} change={change} />
              ))}
            </ol>
          </div>
        )
      }
    </Loaded>
  );
}

interface AdjustCountDialogProps {
  readonly sessionId: string;
  /** As it was when the dialog was opened. */
  readonly item: ReportItem;
  /** As the report has it now; null where what is shown of the report does not include it. */
  readonly now: ReportItem | null;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

/** The SKU's count as it is by now. */
function useCountNow({ sessionId, item, now }: AdjustCountDialogProps): number {
  const { data } = useInfiniteQuery({ ...explanationQuery(sessionId, item.sku), enabled: now === null });
  return (now ?? data?.item ?? item).counted;
}

/** The count was set or scans were accepted while the dialog was open: the report shows it as soon as it is read again. */
function ChangedNotice({ item, count }: { readonly item: ReportItem; readonly count: number }) {
  if (count === item.counted) return null;
  return (
    <Notice kind="info" title={meanwhileMessages.title} role="status">
      <Text fz="sm">{messages.adjustDialog.changed(quantityText(item.counted), quantityText(count))}</Text>
    </Notice>
  );
}

function ItemFacts({ item, count }: { readonly item: ReportItem; readonly count: number }) {
  return (
    <div className={classes.product}>
      <ProductImage image={item.image} large />
      <div className={classes.what}>
        <ItemName item={item} />
        <Text mt="xs">
          {messages.adjustDialog.current}: <strong className="tabular">{quantityText(count)}</strong>
        </Text>
      </div>
    </div>
  );
}

function FoundIn({ areas }: { areas: readonly string[] }) {
  return (
    <div>
      <Text fz="sm" c="dimmed" mb={4}>
        {areas.length === 0 ? messages.adjustDialog.foundNowhere : messages.adjustDialog.foundIn}
      </Text>
      <ul className={classes.chips}>
        {areas.map((area) => (
          <li key={area}>{area}</li>
        ))}
      </ul>
    </div>
  );
}

function useAdjusting({ sessionId, item, onDone, onClose }: AdjustCountDialogProps, seenCount: number) {
  const bodyOf = ({ newCount, reason }: { newCount: string; reason: string }) => ({
    sku: item.sku,
    newCount: readCount(newCount),
    reason,
  });
  const form = useContractForm({
    initialValues: { newCount: String(item.counted), reason: "" },
    schema: adjustCount.body,
    bodyOf,
    refused: { newCount: problemOfCount },
    live: true,
  });
  const change = useAdjustCount(sessionId);
  const submit = form.onSubmit((values) => {
    if (change.isPending) return;
    change.send({ ...bodyOf(values), seenCount }, (answer) => {
      onDone(messages.adjusted(item.sku, answer.previousCount, answer.newCount));
      onClose();
    });
  });
  return { form, change, submit };
}

/** A number field counts up and down by a wheel that was to move the page, and by an arrow key: a count is set by typing alone. */
const typedAlone = {
  onWheel: ({ currentTarget }: WheelEvent<HTMLInputElement>) => currentTarget.blur(),
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") event.preventDefault();
  },
};

/** Sets a SKU's count by hand. */
export function AdjustCountDialog(props: AdjustCountDialogProps) {
  const count = useCountNow(props);
  const { form, change, submit } = useAdjusting(props, count);
  return (
    <FormDialog
      title={messages.adjustDialog.title}
      onClose={props.onClose}
      onSubmit={submit}
      change={change}
      errorFallback={messages.adjustFailed}
      heading={<ItemFacts item={props.item} count={count} />}
      submitLabel={messages.adjustDialog.save}
      busyLabel={messages.adjustDialog.saving}
      disabled={!form.isValid()}
    >
      <TextInput
        label={messages.adjustDialog.newCount}
        type="number"
        inputMode="numeric"
        min={0}
        max={limits.quantity}
        step={1}
        data-autofocus
        {...typedAlone}
        {...form.getInputProps("newCount")}
      />
      <Textarea label={messages.adjustDialog.reason} rows={3} {...form.getInputProps("reason")} />
      {/* What was saved here is read before the dialog closes, and is nobody else's change. */}
      {change.isPending || change.isSuccess ? null : <ChangedNotice item={props.item} count={count} />}
      <FoundIn areas={props.item.areas} />
      <CountHistory sessionId={props.sessionId} sku={props.item.sku} />
    </FormDialog>
  );
}
