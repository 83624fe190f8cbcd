import { Button, Group, Text } from "@mantine/core";
import { readCode } from "@stocktake/contract";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { Link, useParams } from "react-router";
import { callApi } from "../../../http/call.ts";
import { isGone } from "../../../http/errors.ts";
import { forgetJoinKey, keepJoinKey, readJoinKeys } from "../../../identity/join-keys.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { PublicCard } from "../../../ui/public-card.tsx";
import { AskForm } from "./ask-form.tsx";
import { Asked } from "./asked.tsx";
import { Checking, JoinHeading } from "./join-heading.tsx";
import { KnownPeople } from "./known-people.tsx";
import { messages } from "./messages.ts";

function codeQuery(token: string) {
  return queryOptions({
    queryKey: ["session-code", token],
    queryFn: ({ signal }) => callApi(readCode, { params: { token }, signal }),
    select: (answer) => answer.code,
    retry: false,
  });
}

function InvalidCode({ error }: { error: unknown }) {
  return (
    <PublicCard>
      <JoinHeading>{messages.invalid}</JoinHeading>
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

/** What a phone shows that has read a session code: a name is asked for, then it waits to be admitted, then it counts. */
export function JoinPage() {
  const { token = "" } = useParams();
  const { keys, asked, keep, forgetLast } = useJoinKeys(token);
  const [isSomebodyElse, setSomebodyElse] = useState(false);
  const last = keys.at(-1);
  if (last === undefined || isSomebodyElse) {
    const onAsked = (key: string) => {
      keep(key);
      setSomebodyElse(false);
    };
    return <Ask token={token} onAsked={onAsked} />;
  }
  const known = <KnownPeople keys={keys} onSomebodyElse={() => setSomebodyElse(true)} />;
  return <Asked key={last} joinKey={last} isNew={last === asked} onGone={forgetLast} known={known} />;
}

function Ask({ token, onAsked }: { token: string; onAsked: (key: string) => void }) {
  const { data: code, error } = useQuery(codeQuery(token));
  // A code that was read holds until the server says otherwise: a moment without a network takes no name away that is being typed.
  if (code !== undefined && !isGone(error)) {
    return <AskForm token={token} store={code.store.name} onAsked={onAsked} />;
  }
  return error === null ? <Checking /> : <InvalidCode error={error} />;
}

/** The keys that this phone has for a code, and the one that was made on this page. */
function useJoinKeys(token: string) {
  const client = useQueryClient();
  const [keys, setKeys] = useState(() => readJoinKeys(token));
  const [asked, setAsked] = useState<string | null>(null);
  const last = keys.at(-1);
  const keep = (key: string) => {
    keepJoinKey(token, key);
    setAsked(key);
    setKeys([...keys, key]);
  };
  const forgetLast = useCallback(() => {
    if (last !== undefined) forgetJoinKey(token, last);
    setKeys((kept) => kept.slice(0, -1));
    // The code itself says whether anybody can still ask.
    void client.invalidateQueries({ queryKey: codeQuery(token).queryKey });
  }, [client, token, last]);
  return { keys, asked, keep, forgetLast };
}
