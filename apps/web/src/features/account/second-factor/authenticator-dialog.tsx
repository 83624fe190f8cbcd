import { Stack, Text, TextInput } from "@mantine/core";
import { confirmAuthenticator } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useContractForm } from "../../../ui/contract-form.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { qrCodePicture } from "../../../ui/qr-code.ts";
import { messages } from "../messages.ts";
import { authenticatorKeyQuery, useConfirmAuthenticator } from "./api.ts";
import type { AddDialogProps } from "./passkey-dialog.tsx";
import classes from "./second-factor.module.css";

const { authenticatorDialog } = messages.security;

function AppKey({ secret, address }: { readonly secret: string; readonly address: string }) {
  const picture = useMemo(() => qrCodePicture(address), [address]);
  return (
    <>
      <Text>{authenticatorDialog.scan}</Text>
      <img className={classes.picture} src={picture} alt={authenticatorDialog.picture} />
      <div>
        <Text fz="sm">{authenticatorDialog.key}</Text>
        <div className={classes.key}>{secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</div>
      </div>
    </>
  );
}

/** Shows a new key to an authenticator app, and adds the app once it shows the right code. */
export function AddAuthenticatorDialog({ onAdded, onClose }: AddDialogProps) {
  const key = useQuery(authenticatorKeyQuery);
  const confirm = useConfirmAuthenticator();
  const form = useContractForm({ initialValues: { code: "" }, schema: confirmAuthenticator.body });
  return (
    <FormDialog
      title={authenticatorDialog.title}
      onClose={onClose}
      onSubmit={form.onSubmit(({ code }) =>
        confirm.send(code, ({ recoveryCodes }) => onAdded(recoveryCodes)),
      )}
      change={confirm}
      errorFallback={authenticatorDialog.failed}
      submitLabel={authenticatorDialog.submit}
      busyLabel={authenticatorDialog.busy}
      disabled={key.data === undefined}
    >
      <Stack gap="sm">
        <ErrorBox error={key.error} fallback={authenticatorDialog.failed} />
        {key.isPending ? <LoadingState label={authenticatorDialog.loading} /> : null}
        {key.data === undefined ? null : <AppKey {...key.data} />}
        <TextInput
          label={authenticatorDialog.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          {...form.getInputProps("code")}
        />
      </Stack>
    </FormDialog>
  );
}
