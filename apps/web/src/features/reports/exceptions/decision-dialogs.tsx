import { Button, Group, Textarea } from "@mantine/core";
import { type ExceptionGroup, limits } from "@stocktake/contract";
import { useState } from "react";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { quantityText } from "../../../ui/formats.ts";
import { scanText } from "../walk-text.ts";
import { adviceOnAll, figuresAfter, figuresKept, type RowOf } from "./advice.ts";
import type { Deciding, Decision } from "./api.ts";
import { messages } from "./messages.ts";

const { decisions } = messages;

export interface DecisionDialogProps {
  readonly groups: readonly ExceptionGroup[];
  readonly rowOf: RowOf;
  readonly deciding: Deciding;
  readonly onDecide: (decision: Decision) => void;
  readonly onClose: () => void;
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

export function AcceptDialog({ groups, rowOf, deciding, onDecide, onClose }: DecisionDialogProps) {
  const scans = scansIn(groups);
  return (
    <ConfirmDialog
      title={decisions.acceptTitle(scans)}
      message={decisions.acceptQuestion(subjectOf(groups, scanText), scans)}
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
      change={deciding}
      errorFallback={messages.list.failed}
      onConfirm={() => onDecide({ action: "accept" })}
      onCancel={onClose}
    />
  );
}

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
        value={reason}
        maxLength={limits.reason}
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
