import { Text, TextInput } from "@mantine/core";
import { addPasskey } from "@stocktake/contract";
import { useContractForm } from "../../../ui/contract-form.ts";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { messages } from "../messages.ts";
import { useAddPasskey } from "./api.ts";

const { passkeyDialog } = messages.security;

export interface AddDialogProps {
  /** With the recovery codes, where it was the first second factor. */
  readonly onAdded: (recoveryCodes: readonly string[]) => void;
  readonly onClose: () => void;
}

export function AddPasskeyDialog({ onAdded, onClose }: AddDialogProps) {
  const add = useAddPasskey();
  const form = useContractForm({
    initialValues: { name: "" },
    schema: addPasskey.body,
    bodyOf: ({ name }) => ({ name, passkey: unmade }),
  });
  return (
    <FormDialog
      title={passkeyDialog.title}
      onClose={onClose}
      onSubmit={form.onSubmit(({ name }) => add.send(name, ({ recoveryCodes }) => onAdded(recoveryCodes)))}
      change={add}
      errorFallback={passkeyDialog.failed}
      submitLabel={passkeyDialog.submit}
      busyLabel={passkeyDialog.busy}
    >
      <Text>{passkeyDialog.text}</Text>
      <TextInput
        label={passkeyDialog.name}
        description={passkeyDialog.hint}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("name")}
      />
    </FormDialog>
  );
}

/** The browser makes the passkey once the name is right: until then the form is checked with this in its place. */
const unmade = {
  id: "unmade",
  type: "public-key",
  response: { clientDataJSON: "unmade", attestationObject: "unmade" },
} as const;
