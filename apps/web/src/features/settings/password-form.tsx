import { Button, Stack, TextInput } from "@mantine/core";
import { limits } from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import { ErrorBox, ErrorMessage } from "../../ui/error-box.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { useChangePassword } from "./api.ts";
import { type PasswordEntry, problemOfPasswordChange } from "./password-rules.ts";
import { texts } from "./texts.ts";

const emptyEntry: PasswordEntry = { current: "", next: "", confirmation: "" };

const fields = [
  { name: "current", label: texts.current, autoComplete: "current-password" },
  { name: "next", label: texts.next, autoComplete: "new-password" },
  { name: "confirmation", label: texts.confirmation, autoComplete: "new-password" },
] as const;

function usePasswordForm() {
  const [entry, setEntry] = useState(emptyEntry);
  const [problem, setProblem] = useState<string | null>(null);
  const change = useChangePassword();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemOfPasswordChange(entry);
    setProblem(found);
    change.reset();
    if (found !== null || change.isPending) return;
    change.send({ currentPassword: entry.current, newPassword: entry.next }, () => setEntry(emptyEntry));
  };
  return { entry, setEntry, problem, change, submit };
}

export function PasswordForm() {
  const { entry, setEntry, problem, change, submit } = usePasswordForm();
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw="26rem">
        {problem === null ? null : <ErrorMessage message={problem} />}
        <ErrorBox error={change.error} fallback={texts.failed} />
        <SuccessMessage message={change.isSuccess ? texts.changed : null} onClose={change.reset} />
        {fields.map((field) => (
          <TextInput
            type="password"
            key={field.name}
            label={field.label}
            autoComplete={field.autoComplete}
            maxLength={limits.passwordMaximum}
            value={entry[field.name]}
            onChange={(event) => setEntry({ ...entry, [field.name]: event.currentTarget.value })}
          />
        ))}
        <Button type="submit" disabled={change.isPending} style={{ alignSelf: "flex-start" }}>
          {change.isPending ? texts.busy : texts.submit}
        </Button>
      </Stack>
    </form>
  );
}
