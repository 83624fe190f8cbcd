import { Button, Card, Group, Stack, Text } from "@mantine/core";
import type { CountingSession, Invitation } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { coverageQuery } from "../../http/coverage.ts";
import { differencesQuery } from "../../http/second-counts.ts";
import { invitationsQuery, progressQuery, sessionCodeQuery } from "../../http/shared-queries.ts";
import { sheetsPath } from "../../http/sheets.ts";
import { useWorkUnderWay } from "../../http/work-under-way.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText, dateTimeText, minutesBetween, noneText } from "../../ui/formats.ts";
import { OperationProgress } from "../../ui/operation-progress.tsx";
import { countName } from "../../ui/search/session-text.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { useNow } from "../../ui/timers.ts";
import { useEndSession } from "./api.ts";
import { EarlierCountsDialog } from "./earlier/earlier-counts-dialog.tsx";
import { EndSessionDialog } from "./end-session-dialog.tsx";
import { LiveProgress } from "./live-progress.tsx";
import { messages } from "./messages.ts";
import { EditDescriptionButton, Note } from "./session-description.tsx";
import classes from "./sessions.module.css";

const shownIdLength = 8;
const durationEveryMs = 15_000;

/** What a card shows of its session, and how tall it is with that. */
export const queriesOfCard = (sessionId: string) =>
  [
    progressQuery(sessionId),
    coverageQuery(sessionId),
    differencesQuery(sessionId),
    invitationsQuery(sessionId),
    sessionCodeQuery(sessionId),
  ] as const;

function invitationsText(invitations: readonly Invitation[]): string {
  const joined = invitations.filter(({ usedAt }) => usedAt !== null);
  // Whoever was invited otherwise has an address.
  const byCode = invitations.filter(({ email }) => email === "");
  return messages.invitations(invitations.length, joined.length, byCode.length);
}

function SessionFacts({ session }: { session: CountingSession }) {
  const now = useNow(durationEveryMs);
  const { data: invitations } = useQuery(invitationsQuery(session._id));
  return (
    <dl className={classes.facts}>
      <dt>Started</dt>
      <dd>{dateTimeText(session.startedAt)}</dd>
      <dt>Session ID</dt>
      <dd>{session._id.slice(-shownIdLength)}</dd>
      <dt>Duration</dt>
      <dd>{countText(minutesBetween(session.startedAt, now), "minute", "minutes")}</dd>
      <dt>Invitations</dt>
      <dd>{invitations === undefined ? noneText : invitationsText(invitations)}</dd>
      <dt>Scope</dt>
      <dd>{messages.scopes[session.scope].label}</dd>
    </dl>
  );
}

interface ActiveSessionCardProps {
  readonly session: CountingSession;
  /** It was started on this page just now. */
  readonly isStartedHere: boolean;
  readonly onInvite: () => void;
  readonly onDone: (message: string, done?: { readonly endedId: string }) => void;
}

function useEnding({ session, onDone }: Pick<ActiveSessionCardProps, "session" | "onDone">) {
  const [asking, setAsking] = useState(false);
  const ending = useEndSession();
  const work = useWorkUnderWay(({ kind, sessionId }) => kind === "end" && sessionId === session._id);
  const confirm = (withoutEndStock: boolean) =>
    ending.send({ sessionId: session._id, ...(withoutEndStock ? { withoutEndStock } : {}) }, () => {
      setAsking(false);
      onDone(messages.ended(session.storeId.name), { endedId: session._id });
    });
  const ask = () => {
    ending.reset();
    work.forget();
    setAsking(true);
  };
  // A long end is followed on the card, so that the administrator can go on working.
  const isLong = ending.isLong || work.operation !== null;
  return {
    ...{ ending, confirm, ask, isLong },
    operation: work.operation ?? ending.operation,
    isEnding: ending.isPending || isLong || session.snapshot.status === "ending",
    error: ending.error ?? work.error,
    asking: asking && !isLong,
    cancel: () => setAsking(false),
  };
}

/** Leads to the session's code, and says how many wait there to be admitted. */
function CodeLink({ sessionId }: { sessionId: string }) {
  const { data } = useQuery(sessionCodeQuery(sessionId));
  const waiting = data?.requests.length ?? 0;
  return (
    <Button
      component={Link}
      to={`/admin/sessions/${encodeURIComponent(sessionId)}/code`}
      variant={waiting > 0 ? "light" : "default"}
    >
      {messages.code(waiting)}
    </Button>
  );
}

/** The page is still where the session was started, further down: its card comes into view, and the focus to its heading. */
function Heading({ session, isStartedHere }: Pick<ActiveSessionCardProps, "session" | "isStartedHere">) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isStartedHere) return;
    heading.current?.scrollIntoView({ block: "center" });
    heading.current?.focus({ preventScroll: true });
  }, [isStartedHere]);
  return (
    <Text component="h3" fw={620} fz="lg" ref={heading} tabIndex={-1}>
      {countName(session.storeId.name, session.name)}
    </Text>
  );
}

export function ActiveSessionCard(props: ActiveSessionCardProps) {
  const { session, isStartedHere, onInvite, onDone } = props;
  const { ending, asking, isEnding, ...end } = useEnding(props);
  const [showingPasses, setShowingPasses] = useState(false);
  return (
    <Card
      component="article"
      aria-label={session.storeId.name}
      p={{ base: "sm", sm: "md" }}
      className={classes.card ?? ""}
    >
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Heading session={session} isStartedHere={isStartedHere} />
          <StatusBadge tone={isEnding ? "warning" : "positive"}>{isEnding ? "Ending" : "Active"}</StatusBadge>
        </Group>
        <div className={classes.sides}>
          <Stack gap="sm">
            <SessionFacts session={session} />
            <Note session={session} />
            <div className={classes.actions}>
              <Button onClick={onInvite} disabled={isEnding}>
                {messages.invite}
              </Button>
              <CodeLink sessionId={session._id} />
              <Button
                component={Link}
                to={`/admin/sessions/${encodeURIComponent(session._id)}/files`}
                variant="default"
              >
                {messages.files}
              </Button>
              <Button component={Link} to={sheetsPath(session._id)} variant="default">
                {messages.sheets}
              </Button>
              <EditDescriptionButton session={session} onDone={onDone} />
              <Button variant="default" onClick={end.ask} disabled={isEnding}>
                {isEnding ? messages.ending : messages.end}
              </Button>
            </div>
            {end.isLong ? <OperationProgress label={messages.ending} operation={end.operation} /> : null}
            {asking ? null : <ErrorBox error={end.error} fallback={messages.endFailed} />}
          </Stack>
          <Stack gap="sm">
            <LiveProgress session={session} onDone={onDone}>
              <Button
                variant="subtle"
                size="sm"
                className={classes.quiet ?? ""}
                disabled={isEnding}
                onClick={() => setShowingPasses(true)}
              >
                {messages.earlier.open}
              </Button>
            </LiveProgress>
          </Stack>
        </div>
      </Stack>
      {showingPasses ? (
        <EarlierCountsDialog session={session} onClose={() => setShowingPasses(false)} />
      ) : null}
      {asking ? (
        <EndSessionDialog session={session} ending={ending} onConfirm={end.confirm} onCancel={end.cancel} />
      ) : null}
    </Card>
  );
}
