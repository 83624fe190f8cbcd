import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { askToJoin, type OwnJoinRequest, readCode, readJoinRequest } from "@stocktake/contract";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { callApi } from "../../../http/call.ts";
import { ApiError } from "../../../http/errors.ts";
import { useSending } from "../../../http/use-change.ts";
import { useContractForm } from "../../../ui/contract-form.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { PublicCard } from "../../../ui/public-card.tsx";
import { useAcceptInvitation } from "../use-accept-invitation.ts";
import { newJoinKey, readJoinKey, rememberJoinKey } from "./join-key.ts";
import { messages } from "./messages.ts";

const askEveryMs = 2_000;

function codeQuery(token: string) {
  return queryOptions({
    queryKey: ["session-code", token],
    queryFn: ({ signal }) => callApi(readCode, { params: { token }, signal }),
    select: (answer) => answer.code,
    retry: false,
  });
}

/** One's own request, asked for until it is decided; nobody who is not signed in hears of events. */
function requestQuery(key: string) {
  return queryOptions({
    queryKey: ["join-request", key],
    queryFn: ({ signal }) => callApi(readJoinRequest, { params: { key }, signal }),
    select: (answer) => answer.request,
    retry: false,
    refetchInterval: ({ state }) => {
      if (state.error instanceof ApiError && state.error.status === 404) return false;
      return state.data === undefined || state.data.request.status === "waiting" ? askEveryMs : false;
    },
  });
}

function Heading({ children }: { children: string }) {
  return (
    <Title order={1} fz="1.5rem" tabIndex={-1}>
      {children}
    </Title>
  );
}

function InvalidCode({ error }: { error: unknown }) {
  return (
    <PublicCard>
      <Heading>{messages.invalid}</Heading>
      <ErrorBox error={error} fallback={messages.invalidFallback} />
      <Text>{messages.invalidAdvice}</Text>
      <Group gap="xs">
        <Button onClick={() => window.location.reload()}>{messages.tryAgain}</Button>
        <Button variant="default" component={Link} to="/login">
          {messages.toLogin}
        </Button>
      </Group>
    </PublicCard>
  );
}

interface AskProps {
  readonly token: string;
  readonly store: string;
  readonly onAsked: (key: string) => void;
}

function Ask({ token, store, onAsked }: AskProps) {
  // One key a page: a second press, and one after a lost answer, are the same request.
  const [key] = useState(newJoinKey);
  const form = useContractForm({
    initialValues: { counterName: "" },
    schema: askToJoin.body,
    bodyOf: (entry) => ({ ...entry, key }),
  });
  const asking = useSending(
    useMutation({
      mutationFn: (counterName: string) =>
        callApi(askToJoin, { params: { token }, body: { counterName, key } }),
    }),
  );
  return (
    <PublicCard>
      <div>
        <Heading>{messages.joinHeading}</Heading>
        <Text fz="lg">{messages.joinText(store)}</Text>
      </div>
      <form
        noValidate
        onSubmit={form.onSubmit(({ counterName }) => asking.send(counterName, () => onAsked(key)))}
      >
        <Stack gap="sm">
          <ErrorBox error={asking.error} fallback={messages.askFailed} />
          <TextInput
            size="lg"
            label={messages.nameLabel}
            description={messages.nameHint}
            autoComplete="name"
            {...form.getInputProps("counterName")}
          />
          <Button type="submit" size="lg" disabled={asking.isPending}>
            {asking.isPending ? messages.asking : messages.ask}
          </Button>
        </Stack>
      </form>
    </PublicCard>
  );
}

/** Signs in by the key of an admitted request, as by an invitation, and leads to the counter's pages. */
function Joining({ token, joinKey }: { token: string; joinKey: string }) {
  const navigate = useNavigate();
  const joining = useAcceptInvitation(joinKey);
  const join = () =>
    joining.send(undefined, () => {
      rememberJoinKey(token, null);
      void navigate("/counter", { replace: true });
    });
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    join();
  });
  return (
    <PublicCard>
      <Heading>{messages.joining}</Heading>
      <ErrorBox error={joining.error} fallback={messages.joinFailed} onRetry={join} />
      {joining.error === null ? <LoadingState /> : null}
    </PublicCard>
  );
}

function Waiting({ request, isSilent }: { request: OwnJoinRequest; isSilent: boolean }) {
  return (
    <PublicCard>
      <Heading>{messages.waitHeading}</Heading>
      <Text role="status">{messages.waitText(request.counterName, request.store.name)}</Text>
      {isSilent ? <Notice kind="warning">{messages.noAnswer}</Notice> : <LoadingState />}
    </PublicCard>
  );
}

function Declined({ onAgain }: { onAgain: () => void }) {
  return (
    <PublicCard>
      <Heading>{messages.declinedHeading}</Heading>
      <Notice kind="error" role="status">
        {messages.declinedText}
      </Notice>
      <Button onClick={onAgain}>{messages.askAgain}</Button>
    </PublicCard>
  );
}

interface AskedProps {
  readonly token: string;
  readonly joinKey: string;
  readonly onAgain: () => void;
}

function Asked({ token, joinKey, onAgain }: AskedProps) {
  const { data: request, error } = useQuery(requestQuery(joinKey));
  const isOver = error instanceof ApiError && error.status === 404;
  useEffect(() => {
    // The request is gone with its session, or the code was closed: the code itself says which.
    if (isOver) onAgain();
  }, [isOver, onAgain]);
  if (request === undefined) return <Checking />;
  if (request.status === "admitted") return <Joining token={token} joinKey={joinKey} />;
  if (request.status === "declined") return <Declined onAgain={onAgain} />;
  return <Waiting request={request} isSilent={error !== null} />;
}

function Checking() {
  return (
    <PublicCard>
      <Heading>{messages.checking}</Heading>
      <LoadingState />
    </PublicCard>
  );
}

/** What a phone shows that has read a session code: a name is asked for, then it waits to be admitted, then it counts. */
export function JoinPage() {
  const { token = "" } = useParams();
  const [key, setKey] = useState(() => readJoinKey(token));
  const { data: code, error } = useQuery(codeQuery(token));
  const [keep, forget] = useKey(token, setKey);
  if (key !== null) return <Asked token={token} joinKey={key} onAgain={forget} />;
  if (error !== null) return <InvalidCode error={error} />;
  if (code === undefined) return <Checking />;
  return <Ask token={token} store={code.store.name} onAsked={keep} />;
}

function useKey(token: string, setKey: (key: string | null) => void) {
  const client = useQueryClient();
  const keep = (key: string) => {
    rememberJoinKey(token, key);
    setKey(key);
  };
  const forget = () => {
    rememberJoinKey(token, null);
    setKey(null);
    void client.invalidateQueries({ queryKey: codeQuery(token).queryKey });
  };
  return [keep, forget] as const;
}
