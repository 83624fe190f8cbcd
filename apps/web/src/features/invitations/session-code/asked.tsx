import { Button, Text } from "@mantine/core";
import type { OwnJoinRequest } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError, isGone } from "../../../http/errors.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { PublicCard } from "../../../ui/public-card.tsx";
import { useAcceptInvitation } from "../use-accept-invitation.ts";
import { Checking, JoinHeading } from "./join-heading.tsx";
import { messages } from "./messages.ts";
import { ownRequestQuery } from "./own-request.ts";

/** Signs in by the key of an admitted request, as by an invitation, and leads to the counter's pages. */
export function Joining({ joinKey }: { readonly joinKey: string }) {
  const navigate = useNavigate();
  const joining = useAcceptInvitation(joinKey);
  const join = () => joining.send(undefined, () => void navigate("/counter", { replace: true }));
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    join();
  });
  return (
    <PublicCard>
      <JoinHeading>{messages.joining}</JoinHeading>
      <ErrorBox error={joining.error} fallback={messages.joinFailed} onRetry={join} />
      {joining.error === null ? <LoadingState /> : null}
    </PublicCard>
  );
}

function Waiting({ request, error }: { request: OwnJoinRequest; error: Error | null }) {
  const isFull = error instanceof ApiError && error.status === 429;
  return (
    <PublicCard>
      <JoinHeading>{messages.waitHeading}</JoinHeading>
      <Text role="status">{messages.waitText(request.counterName, request.store.name)}</Text>
      {error === null ? <LoadingState label={messages.waitingHeading} /> : null}
      {error === null ? null : (
        <Notice kind="warning">{isFull ? messages.manyWait : messages.noAnswer}</Notice>
      )}
    </PublicCard>
  );
}

function Declined({ onAgain }: { onAgain: () => void }) {
  return (
    <PublicCard>
      <JoinHeading>{messages.declinedHeading}</JoinHeading>
      <Notice kind="error" role="status">
        {messages.declinedText}
      </Notice>
      <Button onClick={onAgain}>{messages.askAgain}</Button>
    </PublicCard>
  );
}

interface AskedProps {
  readonly joinKey: string;
  /** Whether it was asked on this page just now. */
  readonly isNew: boolean;
  readonly onGone: () => void;
  /** Shown where whoever asked was admitted before this page was opened. */
  readonly known: ReactNode;
}

/** A request until it is decided, and then the way in. */
export function Asked({ joinKey, isNew, onGone, known }: AskedProps) {
  const { data: request, error } = useQuery(ownRequestQuery(joinKey));
  const [hasWaited, setWaited] = useState(isNew);
  if (request?.status === "waiting" && !hasWaited) setWaited(true);
  const gone = isGone(error);
  useEffect(() => {
    if (gone) onGone();
  }, [gone, onGone]);
  if (request === undefined) return <Checking />;
  if (request.status === "declined") return <Declined onAgain={onGone} />;
  if (request.status === "waiting") return <Waiting request={request} error={error} />;
  return hasWaited ? <Joining joinKey={joinKey} /> : known;
}
