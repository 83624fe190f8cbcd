import type { Security } from "@stocktake/contract";
import { lazy, Suspense } from "react";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { messages } from "../messages.ts";
import { useRemoveFactor, useRenewCodes } from "./api.ts";
import { AddPasskeyDialog } from "./passkey-dialog.tsx";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";

const { security: labels } = messages;

// It draws a QR code, and what draws those is larger than the page.
const AddAuthenticatorDialog = lazy(async () => ({
  default: (await import("./authenticator-dialog.tsx")).AddAuthenticatorDialog,
}));

/** What is open: something to add, to remove (a passkey by its id, or the app), new codes to make, or those to be kept. */
export type OpenDialog =
  | { readonly kind: "authenticator" | "passkey" | "renew" }
  | { readonly kind: "remove"; readonly what: string; readonly id: string | null }
  | { readonly kind: "codes"; readonly codes: readonly string[] };

interface FactorDialogsProps {
  readonly open: OpenDialog;
  readonly security: Security;
  readonly onOpen: (next: OpenDialog | null) => void;
  readonly onDone: (message: string) => void;
}

function RemoveConfirmation({
  what,
  id,
  security: { authenticator, passkeys },
  onOpen,
  onDone,
}: Omit<FactorDialogsProps, "open"> & { readonly what: string; readonly id: string | null }) {
  const removal = useRemoveFactor();
  const isLast = passkeys.length + (authenticator === null ? 0 : 1) === 1;
  return (
    <ConfirmDialog
      title={labels.removeDialog.title(what)}
      message={labels.removeDialog.question}
      consequences={isLast ? [labels.removeDialog.last] : []}
      confirmLabel={labels.removeDialog.confirm}
      change={removal}
      errorFallback={labels.failed}
      onConfirm={() =>
        removal.send(id, () => {
          onDone(labels.removed(what));
          onOpen(null);
        })
      }
      onCancel={() => onOpen(null)}
    />
  );
}

function RenewConfirmation({ onOpen }: Pick<FactorDialogsProps, "onOpen">) {
  const renewal = useRenewCodes();
  return (
    <ConfirmDialog
      title={labels.renewDialog.title}
      message={labels.renewDialog.question}
      confirmLabel={labels.renewDialog.confirm}
      change={renewal}
      errorFallback={labels.failed}
      onConfirm={() =>
        renewal.send(undefined, ({ recoveryCodes }) => onOpen({ kind: "codes", codes: recoveryCodes }))
      }
      onCancel={() => onOpen(null)}
    />
  );
}

export function FactorDialogs({ open, ...outcome }: FactorDialogsProps) {
  const { onOpen, onDone } = outcome;
  const close = () => onOpen(null);
  const added = (what: string) => (codes: readonly string[]) => {
    onDone(labels.added(what));
    onOpen(codes.length === 0 ? null : { kind: "codes", codes });
  };
  switch (open.kind) {
    case "authenticator":
      return (
        <Suspense>
          <AddAuthenticatorDialog onAdded={added(labels.authenticator)} onClose={close} />
        </Suspense>
      );
    case "passkey":
      return <AddPasskeyDialog onAdded={added(labels.passkey)} onClose={close} />;
    case "renew":
      return <RenewConfirmation onOpen={onOpen} />;
    case "remove":
      return <RemoveConfirmation {...outcome} what={open.what} id={open.id} />;
    case "codes":
      return <RecoveryCodesDialog codes={open.codes} onClose={close} />;
  }
}
