import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { changeAdminPassword, lengthProblem, limits } from "@stocktake/contract";
import * as z from "zod/mini";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/query-roots.ts";
import { useChange } from "../../http/use-change.ts";
import { ErrorBox, ErrorMessage } from "../../ui/error-box.tsx";
import { PasswordStrength } from "../../ui/password-strength.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { messages } from "./messages.ts";

function useChangePassword() {
  return useChange(
    (body: { currentPassword: string; newPassword: string }) => callApi(changeAdminPassword, { body }),
    [queryRoots.security, queryRoots.logins],
  );
}

interface PasswordEntry {
  readonly current: string;
  readonly next: string;
  readonly confirmation: string;
}

/** What is wrong with a change of password (specification, section 5), or null. */
export function problemOfPasswordChange(entry: PasswordEntry): string | null {
  if (entry.current === "" || entry.next === "" || entry.confirmation === "") return messages.required;
  if (entry.next !== entry.confirmation) return messages.mismatch;
  const body = { currentPassword: entry.current, newPassword: entry.next };
  return z.safeParse(changeAdminPassword.body, body).error?.issues[0]?.message ?? null;
}

function problemOfLength(password: string): string | null {
  return lengthProblem("A password", password, limits.passwordMaximum);
}

const fields = [
  { name: "current", label: messages.current, autoComplete: "current-password" },
  { name: "next", label: messages.next, autoComplete: "new-password" },
  { name: "confirmation", label: messages.confirmation, autoComplete: "new-password" },
] as const;

function usePasswordForm() {
  const change = useChangePassword();
  const form = useForm<PasswordEntry>({
    initialValues: { current: "", next: "", confirmation: "" },
    validate: (entry) => {
      const problem = problemOfPasswordChange(entry);
      return problem === null ? {} : { problem };
    },
  });
  const submit = form.onSubmit(
    ({ current, next }) => {
      change.reset();
      if (change.isPending) return;
      change.send({ currentPassword: current, newPassword: next }, form.reset);
    },
    () => change.reset(),
  );
  return { form, change, submit };
}

export function PasswordForm() {
  const { form, change, submit } = usePasswordForm();
  const { problem } = form.errors;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw="26rem">
        {fields.map((field) => (
          <TextInput
            type="password"
            key={field.name}
            label={field.label}
            autoComplete={field.autoComplete}
            {...form.getInputProps(field.name)}
            error={problemOfLength(form.values[field.name])}
          />
        ))}
        <PasswordStrength password={form.values.next} />
        <Button type="submit" disabled={change.isPending} style={{ alignSelf: "flex-start" }}>
          {change.isPending ? messages.busy : messages.submit}
        </Button>
        {typeof problem === "string" ? <ErrorMessage message={problem} /> : null}
        <ErrorBox error={change.error} fallback={messages.failed} />
        <SuccessMessage message={change.isSuccess ? messages.changed : null} onClose={change.reset} />
      </Stack>
    </form>
  );
}
