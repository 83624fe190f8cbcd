import { Anchor, Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { adminLogin, counterLogin, type SecondFactorQuestion } from "@stocktake/contract";
import { type FormEvent, type ReactNode, useEffect } from "react";
import { ApiError } from "../../http/errors.ts";
import { FactorFields, useFactorEntry } from "../../identity/second-factor/factor-entry.tsx";
import { useContractForm } from "../../ui/contract-form.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { type useAdminLogin, type useCounterLogin, useFinishLogin } from "./api.ts";
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
interface AdminLoginFormProps {
  readonly login: ReturnType<typeof useAdminLogin>;
  /** Why an earlier try was not finished. */
  readonly before: Error | null;
}

export function AdminLoginForm({ login, before }: AdminLoginFormProps) {
  const form = useContractForm({ initialValues: { password: "" }, schema: adminLogin.body });
  return (
    <LoginForm
      heading={messages.adminHeading}
      busy={login.isPending}
      error={login.error ?? (login.isPending ? null : before)}
      complete={form.isValid()}
      onSubmit={form.onSubmit(({ password }) => {
        if (!login.isPending) login.mutate(password);
      })}
    >
      <TextInput {...passwordField} {...form.getInputProps("password")} autoFocus />
    </LoginForm>
  );
}

interface SecondFactorFormProps {
  readonly question: SecondFactorQuestion;
  /** To the password again; with an error where the server has forgotten the question. */
  readonly onBack: (error: Error | null) => void;
}

/** The administrator's password was right, and there is a second factor. */
export function SecondFactorForm({ question, onBack }: SecondFactorFormProps) {
  const entry = useFactorEntry(question.methods);
  const login = useFinishLogin(question.challenge);
  const isOver = login.error instanceof ApiError && login.error.code === "CHALLENGE_OVER";
  useEffect(() => {
    if (isOver) onBack(login.error);
  }, [isOver, login.error, onBack]);
  return (
    <LoginForm
      heading={messages.factorHeading}
      busy={login.isPending}
      error={login.error}
      complete={entry.isComplete}
      onSubmit={(event) => {
        event.preventDefault();
        if (!login.isPending) login.mutate(entry);
      }}
    >
      <Text>{messages.factorText}</Text>
      <FactorFields entry={entry} />
      <Anchor component="button" type="button" fz="sm" ta="start" onClick={() => onBack(null)}>
        {messages.backToPassword}
      </Anchor>
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
        autoFocus
      />
      <TextInput {...passwordField} {...form.getInputProps("password")} />
    </LoginForm>
  );
}
