import { Checkbox } from "@mantine/core";
import type { ExceptionScan } from "@stocktake/contract";
import { useState } from "react";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { quantityText } from "../../../ui/formats.ts";
import { useResolveScans } from "../api.ts";
import { messages } from "../messages.ts";

export interface DecisionProps {
  readonly scan: ExceptionScan;
  /** Every scan of the same unknown code, this one too. */
  readonly sameCode: readonly ExceptionScan[];
  /** What a product's count was set to by hand, where it was: accepted scans don't change that. */
  readonly setByHand: (sku: string) => number | null;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

/** What became of accepted scans of a product. */
export function acceptedText(
  scans: number,
  sku: string | null,
  setByHand: DecisionProps["setByHand"],
): string {
  const byHand = sku === null ? null : setByHand(sku);
  if (sku === null || byHand === null) return messages.decisions.accepted(scans);
  return messages.decisions.acceptedBesideHand(scans, sku, quantityText(byHand));
}

interface ApplyToAllChoiceProps {
  readonly label: string;
  readonly chosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
}

/** Offers to decide on all scans of a code at once. */
export function ApplyToAllChoice({ label, chosen, onChoose }: ApplyToAllChoiceProps) {
  return (
    <Checkbox label={label} checked={chosen} onChange={(event) => onChoose(event.currentTarget.checked)} />
  );
}

/** A scan as people say it: the product where it is known, else the code. */
export function scanText(scan: Pick<ExceptionScan, "productTitle" | "size" | "sku" | "input">): string {
  return [scan.productTitle, scan.size, scan.sku ?? scan.input].filter(Boolean).join(" · ");
}

export function AcceptDialog({ scan, setByHand, onDone, onClose }: DecisionProps) {
  const accept = useResolveScans();
  const confirm = () =>
    accept.send([{ id: scan._id, action: "accept" }], () => {
      onDone(acceptedText(1, scan.sku, setByHand));
      onClose();
    });
  return (
    <ConfirmDialog
      title={messages.decisions.acceptTitle}
      message={messages.decisions.acceptQuestion(scanText(scan))}
      consequences={[
        ...messages.decisions.acceptConsequences(`${scan.area.code} – ${scan.area.name}`),
        ...(scan.afterEnd ? [messages.decisions.afterEnd] : []),
      ]}
      confirmLabel={messages.exceptions.accept}
      danger={false}
      change={accept}
      errorFallback={messages.resolveFailed}
      onConfirm={confirm}
      onCancel={onClose}
    />
  );
}

export function DismissDialog({ scan, sameCode, onDone, onClose }: DecisionProps) {
  const [all, setAll] = useState(false);
  const dismissal = useResolveScans();
  const dismissed = all ? sameCode : [scan];
  const confirm = () =>
    dismissal.send(
      dismissed.map(({ _id }) => ({ id: _id, action: "dismiss" })),
      () => {
        onDone(messages.decisions.dismissed(dismissed.length));
        onClose();
      },
    );
  return (
    <ConfirmDialog
      title={messages.exceptions.dismissTitle}
      message={messages.exceptions.dismissQuestion(scan.input)}
      consequences={messages.exceptions.dismissConsequences}
      confirmLabel={messages.exceptions.dismiss}
      change={dismissal}
      errorFallback={messages.resolveFailed}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {sameCode.length > 1 ? (
        <ApplyToAllChoice
          label={messages.decisions.applyToAll(sameCode.length)}
          chosen={all}
          onChoose={setAll}
        />
      ) : null}
    </ConfirmDialog>
  );
}
