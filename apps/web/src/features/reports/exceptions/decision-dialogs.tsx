import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { type ExceptionGroup, lengthProblem, limits } from "@stocktake/contract";
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { quantityText } from "../../../ui/formats.ts";
import { scanText } from "../walk-text.ts";
import { adviceOnAll, figuresAfter, figuresKept, type RowOf } from "./advice.ts";
import type { Deciding, Decision } from "./api.ts";
import classes from "./exceptions.module.css";
import { messages } from "./messages.ts";

const { decisions } = messages;

/** Where one group after the other is decided on. */
export interface Walk {
  /** How many groups come after this. */
  readonly left: number;
  /** What became of the one before. */
  readonly notice: ReactNode;
  readonly onSkip: () => void;
  readonly onDismiss: () => void;
}

export interface DecisionDialogProps {
  readonly groups: readonly ExceptionGroup[];
  readonly rowOf: RowOf;
  readonly deciding: Deciding;
  readonly onDecide: (decision: Decision) => void;
  readonly onClose: () => void;
}

/** The dialogs that a walk goes through. */
export interface WalkedDialogProps extends DecisionDialogProps {
  /** Null where what is asked about was chosen by itself. */
  readonly walk: Walk | null;
}

export function scansIn(groups: readonly ExceptionGroup[]): number {
  return groups.reduce((scans, group) => scans + group.scans, 0);
}

/** What is decided on, in a word: the one product or code, or how many codes. */
function subjectOf(groups: readonly ExceptionGroup[], textOf: (group: ExceptionGroup) => string): string {
  const [first] = groups;
  return groups.length === 1 && first !== undefined ? textOf(first) : decisions.codes(groups.length);
}

/** How far a decision has come that takes several calls; null before the first has ended. */
export function progressText({ progress }: Deciding, scans: number): string | null {
  return progress === null ? null : decisions.progress(quantityText(progress), quantityText(scans));
}

function busyLabel(deciding: Deciding, scans: number): { readonly busyLabel?: string } {
  const text = progressText(deciding, scans);
  return text === null ? {} : { busyLabel: text };
}

/** What became of the group before the one that a walk is at, and how many come after it. */
export function WalkHead({ walk }: { readonly walk: Walk | null }) {
  if (walk === null) return null;
  return (
    <>
      {walk.notice}
      {walk.left === 0 ? null : (
        <Text fz="sm" c="dimmed">
          {decisions.left(walk.left)}
        </Text>
      )}
    </>
  );
}

/** What else can be done with the group that a walk is at. */
export function WalkActions({ walk, busy }: { readonly walk: Walk | null; readonly busy: boolean }) {
  if (walk === null) return null;
  return (
    <>
      {walk.left === 0 ? null : (
        <Button variant="subtle" px="sm" disabled={busy} onClick={walk.onSkip}>
          {decisions.skip}
        </Button>
      )}
      <Button variant="subtle" color="red" px="sm" disabled={busy} onClick={walk.onDismiss}>
        {decisions.dismiss}
      </Button>
    </>
  );
}

export function AcceptDialog({ groups, rowOf, deciding, walk, onDecide, onClose }: WalkedDialogProps) {
  const scans = scansIn(groups);
  const question = decisions.acceptQuestion(subjectOf(groups, scanText), scans);
  return (
    <ConfirmDialog
      title={decisions.acceptTitle(scans)}
      message={
        <Stack gap="sm">
          <WalkHead walk={walk} />
          <span>{question}</span>
        </Stack>
      }
      consequences={[
        ...figuresAfter(groups, rowOf),
        ...adviceOnAll(groups),
        decisions.ownAreas,
        ...(groups.some(({ afterEnd }) => afterEnd) ? [decisions.afterEnd] : []),
        decisions.canBeTakenBack,
      ]}
      confirmLabel={decisions.accept}
      {...busyLabel(deciding, scans)}
      danger={false}
      size={walk === null ? "md" : "lg"}
      beside={<WalkActions walk={walk} busy={deciding.isPending} />}
      change={deciding}
      errorFallback={messages.list.failed}
      onConfirm={() => onDecide({ action: "accept" })}
      onCancel={onClose}
    />
  );
}

const reasonProblem = (reason: string) => lengthProblem("Reason", reason.trim(), limits.reason);

interface ReasonFieldProps {
  readonly reason: string;
  readonly onChange: (reason: string) => void;
}

function ReasonField({ reason, onChange }: ReasonFieldProps) {
  return (
    <>
      <Group gap="xs" role="group" aria-label={decisions.commonReasons}>
        {decisions.reasons.map((common) => (
          <Button
            key={common}
            variant={reason === common ? "light" : "default"}
            aria-pressed={reason === common}
            mih={48}
            onClick={() => onChange(reason === common ? "" : common)}
          >
            {common}
          </Button>
        ))}
      </Group>
      <Textarea
        label={decisions.reason}
        classNames={{ input: classes.reason ?? "" }}
        value={reason}
        error={reasonProblem(reason)}
        // It has the focus from the beginning, and on a phone the buttons would stand over it.
        onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ block: "nearest" })}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}

export function DismissDialog({ groups, rowOf, deciding, onDecide, onClose }: DecisionDialogProps) {
  const [reason, setReason] = useState("");
  const scans = scansIn(groups);
  const given = reason.trim();
  return (
    <ConfirmDialog
      title={decisions.dismissTitle(scans)}
      message={decisions.dismissQuestion(
        subjectOf(groups, ({ input }) => input),
        scans,
      )}
      consequences={[...adviceOnAll(groups), ...figuresKept(groups, rowOf), ...decisions.dismissConsequences]}
      confirmLabel={decisions.dismiss}
      disabled={reasonProblem(reason) !== null}
      {...busyLabel(deciding, scans)}
      change={deciding}
      errorFallback={messages.list.failed}
      onConfirm={() => onDecide({ action: "dismiss", ...(given === "" ? {} : { reason: given }) })}
      onCancel={onClose}
    >
      <ReasonField reason={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}
