import { Button, Stack, TextInput, Title } from "@mantine/core";
import { adminLogin, counterLogin } from "@stocktake/contract";
import type { FormEvent, ReactNode } from "react";
import { useContractForm } from "../../ui/contract-form.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import type { useAdminLogin, useCounterLogin } from "./api.ts";
import { messages } from "./messages.ts";

interface LoginFormProps {
  readonly heading: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly complete: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly children: ReactNode;
}

function LoginForm({ heading, busy, error, complete, onSubmit, children }: LoginFormProps) {
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <Title order={1} fz="1.5rem" lts="-0.01em" tabIndex={-1}>
          {heading}
        </Title>
        <ErrorBox error={error} fallback={messages.loginFailed} />
        {children}
        <Button type="submit" disabled={busy || !complete}>
          {busy ? messages.signingIn : messages.signIn}
        </Button>
      </Stack>
    </form>
  );
}

const passwordField = {
  type: "password",
  label: "Password",
  name: "password",
  autoComplete: "current-password",
} as const;

/** The administrator signs in with a password only. */
export function AdminLoginForm({ login }: { login: ReturnType<typeof useAdminLogin> }) {
  const form = useContractForm({ initialValues: { password: "" }, schema: adminLogin.body });
  return (
    <LoginForm
      heading={messages.adminHeading}
      busy={login.isPending}
      error={login.error}
      complete={form.isValid()}
      onSubmit={form.onSubmit(({ password }) => {
        if (!login.isPending) login.mutate(password);
      })}
    >
      <TextInput {...passwordField} {...form.getInputProps("password")} />
    </LoginForm>
  );
}

/** Counters with an account of their own sign in with username and password. */
export function CounterLoginForm({ login }: { login: ReturnType<typeof useCounterLogin> }) {
  const form = useContractForm({
    initialValues: { username: "", password: "" },
    schema: counterLogin.body,
  });
  return (
    <LoginForm
      heading={messages.counterHeading}
      busy={login.isPending}
      error={login.error}
      complete={form.isValid()}
      onSubmit={form.onSubmit((values) => {
        if (!login.isPending) login.mutate(values);
      })}
    >
      <TextInput
        label="Username"
        name="username"
        autoComplete="username"
        {...form.getInputProps("username")}
      />
      <TextInput {...passwordField} {...form.getInputProps("password")} />
    </LoginForm>
  );
}
