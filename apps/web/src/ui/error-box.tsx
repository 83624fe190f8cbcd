import { Button, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { describeFailure, describePrefixedFailure, NotProvedError } from "../http/errors.ts";
import { Notice } from "./notice.tsx";

interface ErrorBoxProps {
  /** What was thrown; null and undefined show nothing. */
  readonly error: unknown;
  /** The specification's text: shown where the server sent none, or, ending with a colon, before the server's. */
  readonly fallback: string;
  readonly onRetry?: (() => unknown) | undefined;
}

/** The red Error box: what happened, and what to do next. What the person chose not to do is said, and is no error. */
export function ErrorBox({ error, fallback, onRetry }: ErrorBoxProps) {
  if (error === null || error === undefined) return null;
  if (error instanceof NotProvedError) {
    return (
      <Text fz="sm" c="dimmed" role="status">
        {error.message}
      </Text>
    );
  }
  const describe = fallback.endsWith(":") ? describePrefixedFailure : describeFailure;
  const { message, advice } = describe(error, fallback);
  return <ErrorMessage message={message} advice={advice} onRetry={onRetry} />;
}

interface ErrorMessageProps {
  readonly message: string;
  readonly advice?: string | null;
  readonly onRetry?: (() => unknown) | undefined;
}

/** The event that an Error box dispatches when it appears. */
export const failureShown = "failureshown";

/** The same box for what the page itself found wrong. */
export function ErrorMessage({ message, advice = null, onRetry }: ErrorMessageProps) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (message !== "") body.current?.dispatchEvent(new CustomEvent(failureShown, { bubbles: true }));
  }, [message]);
  const retry =
    onRetry === undefined ? null : (
      <Button variant="default" size="sm" onClick={() => void onRetry()}>
        Try Again
      </Button>
    );
  return (
    <Notice kind="error" title="Error" role="alert" action={retry}>
      <div ref={body}>{message}</div>
      {advice === null ? null : <div>{advice}</div>}
    </Notice>
  );
}
