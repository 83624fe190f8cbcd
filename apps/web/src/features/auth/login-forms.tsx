import { Button, Stack, TextInput, Title } from "@mantine/core";
import { limits } from "@stocktake/contract";
import { type FormEvent, type ReactNode, useState } from "react";
import { ErrorBox } from "../../ui/error-box.tsx";
import type { useAdminLogin, useCounterLogin } from "./api.ts";
import { texts } from "./texts.ts";

interface LoginFormProps {
  readonly heading: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly complete: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

function LoginForm({ heading, busy, error, complete, onSubmit, children }: LoginFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (complete && !busy) onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Title order={1} fz="1.5rem" lts="-0.01em" tabIndex={-1}>
          {heading}
        </Title>
        <ErrorBox error={error} fallback={texts.loginFailed} />
        {children}
        <Button type="submit" disabled={busy || !complete}>
          {busy ? texts.signingIn : texts.signIn}
        </Button>
      </Stack>
    </form>
  );
}

interface PasswordFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function PasswordField({ value, onChange }: PasswordFieldProps) {
  return (
    <TextInput
      type="password"
      label="Password"
      name="password"
      autoComplete="current-password"
      maxLength={limits.passwordMaximum}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The administrator signs in with a password only. */
export function AdminLoginForm({ login }: { login: ReturnType<typeof useAdminLogin> }) {
  const [password, setPassword] = useState("");
  return (
    <LoginForm
      heading={texts.adminHeading}
      busy={login.isPending}
      error={login.error}
      complete={password !== ""}
      onSubmit={() => login.mutate(password)}
    >
      <PasswordField value={password} onChange={setPassword} />
    </LoginForm>
  );
}

/** Counters with an account of their own sign in with username and password. */
export function CounterLoginForm({ login }: { login: ReturnType<typeof useCounterLogin> }) {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  return (
    <LoginForm
      heading={texts.counterHeading}
      busy={login.isPending}
      error={login.error}
      complete={username.trim() !== "" && password !== ""}
      onSubmit={() => login.mutate({ username, password })}
    >
      <TextInput
        label="Username"
        name="username"
        autoComplete="username"
        maxLength={limits.name}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <PasswordField value={password} onChange={setPassword} />
    </LoginForm>
  );
}
