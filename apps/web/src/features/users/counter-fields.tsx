import { TextInput } from "@mantine/core";
import { limits } from "@stocktake/contract";
import { texts } from "./texts.ts";

export interface CounterEntry {
  readonly username: string;
  readonly password: string;
}

export interface CounterProblems {
  readonly username?: string;
  readonly password?: string;
}

/** What is wrong with an account; where `keepsPassword`, an empty password leaves the present one. */
export function problemsOfCounter(entry: CounterEntry, keepsPassword: boolean): CounterProblems {
  const short = entry.password.length < limits.passwordMinimum && !(keepsPassword && entry.password === "");
  return {
    ...(entry.username.trim() === "" ? { username: texts.usernameRequired } : {}),
    ...(short ? { password: texts.passwordTooShort } : {}),
  };
}

interface CounterFieldsProps {
  readonly entry: CounterEntry;
  readonly problems: CounterProblems;
  readonly keepsPassword: boolean;
  readonly onChange: (entry: CounterEntry) => void;
}

export function CounterFields({ entry, problems, keepsPassword, onChange }: CounterFieldsProps) {
  return (
    <>
      <TextInput
        label={texts.username}
        autoComplete="off"
        maxLength={limits.name}
        value={entry.username}
        error={problems.username}
        onChange={(event) => onChange({ ...entry, username: event.currentTarget.value })}
      />
      <TextInput
        type="password"
        label={keepsPassword ? texts.newPassword : texts.password}
        description={keepsPassword ? texts.newPasswordHint : undefined}
        autoComplete="new-password"
        maxLength={limits.passwordMaximum}
        value={entry.password}
        error={problems.password}
        onChange={(event) => onChange({ ...entry, password: event.currentTarget.value })}
      />
    </>
  );
}
