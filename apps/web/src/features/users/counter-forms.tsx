import { Button, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { type Counter, characterCount, createCounter, limits, updateCounter } from "@stocktake/contract";
import { callApi } from "../../http/call.ts";
import { useChange } from "../../http/use-change.ts";
import { type ContractForm, changesIn, focusField, useContractForm } from "../../ui/contract-form.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { PasswordStrength } from "../../ui/password-strength.tsx";
import { staleRoots, useUpdateCounter } from "./api.ts";
import { messages } from "./messages.ts";

function useCreateCounter() {
  return useChange(
    (body: { username: string; password: string }) => callApi(createCounter, { body }),
    staleRoots,
  );
}

interface CounterEntry {
  readonly username: string;
  readonly password: string;
}

function passwordTooShort(password: string): string | null {
  return characterCount(password) < limits.passwordMinimum ? messages.passwordTooShort : null;
}

const limitsOfEntry = {
  required: { username: messages.usernameRequired },
  refused: { password: passwordTooShort },
};

interface CounterFieldsProps {
  readonly form: ContractForm<CounterEntry>;
  readonly keepsPassword: boolean;
}

function CounterFields({ form, keepsPassword }: CounterFieldsProps) {
  return (
    <>
      <TextInput label={messages.username} autoComplete="off" {...form.getInputProps("username")} />
      <TextInput
        type="password"
        label={keepsPassword ? messages.newPassword : messages.password}
        description={keepsPassword ? messages.newPasswordHint : undefined}
        autoComplete="new-password"
        {...form.getInputProps("password")}
      />
      <PasswordStrength password={form.values.password} />
    </>
  );
}

/** An empty password leaves the current one. */
function bodyOf({ username, password }: CounterEntry) {
  return { username, ...(password === "" ? {} : { password }) };
}

interface EditCounterDialogProps {
  readonly counter: Counter;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

/** Renames a counter, and gives a new password where one was typed. */
export function EditCounterDialog({ counter, onDone, onClose }: EditCounterDialogProps) {
  const form = useContractForm<CounterEntry>({
    initialValues: { username: counter.username, password: "" },
    schema: updateCounter.body,
    bodyOf,
    ...limitsOfEntry,
  });
  const update = useUpdateCounter();
  const submit = form.onSubmit(() => {
    if (update.isPending) return;
    update.send({ id: counter._id, ...changesIn(form) }, (answer) => {
      onDone(messages.updated(answer.counter.username));
      onClose();
    });
  });
  return (
    <FormDialog
      title={messages.editHeading}
      onClose={onClose}
      onSubmit={submit}
      change={update}
      errorFallback={messages.updateFailed}
      submitLabel={messages.save}
      busyLabel={messages.saving}
    >
      <CounterFields form={form} keepsPassword />
    </FormDialog>
  );
}

export function AddCounterForm({ onDone }: { onDone: (message: string) => void }) {
  const form = useContractForm<CounterEntry>({
    initialValues: { username: "", password: "" },
    schema: createCounter.body,
    ...limitsOfEntry,
  });
  const create = useCreateCounter();
  const submit = form.onSubmit((entry) => {
    if (create.isPending) return;
    create.send(entry, ({ counter }) => {
      form.reset();
      focusField(form, "username");
      onDone(messages.created(counter.username));
    });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <CounterFields form={form} keepsPassword={false} />
        </SimpleGrid>
        <Button type="submit" disabled={create.isPending} style={{ alignSelf: "flex-start" }}>
          {create.isPending ? messages.adding : messages.add}
        </Button>
        <ErrorBox error={create.error} fallback={messages.createFailed} />
      </Stack>
    </form>
  );
}
