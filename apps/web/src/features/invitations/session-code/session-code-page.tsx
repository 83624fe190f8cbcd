import { Anchor, Button, Stack } from "@mantine/core";
import type { SessionCode } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useParams } from "react-router";
import { sessionCodeQuery, sessionsQuery } from "../../../http/shared-queries.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { timeText } from "../../../ui/formats.ts";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { qrCodePicture } from "../../../ui/qr-code.ts";
import { Section } from "../../../ui/section.tsx";
import { messages as invitationMessages } from "../messages.ts";
import { opensHereOnly } from "../opens-here-only.ts";
import { useCloseCode, useOpenCode } from "./api.ts";
import { help } from "./help.ts";
import { messages } from "./messages.ts";
import classes from "./session-code.module.css";
import { AdmittedPeople, WaitingPeople } from "./waiting-people.tsx";

function Paper({ code, store }: { code: SessionCode; store: string }) {
  const picture = useMemo(() => qrCodePicture(code.link), [code.link]);
  const { admitUntil } = code;
  // What is printed is read later too.
  const entry = admitUntil === null ? messages.paperWait : messages.paperWaitAfter(timeText(admitUntil));
  return (
    <div className={classes.paper}>
      <div className={classes.heading}>{messages.paperHeading(store)}</div>
      <img className={classes.picture} src={picture} alt={messages.picture} />
      <ol className={classes.steps}>
        {[...messages.paperSteps, entry].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div className={classes.link}>{code.link}</div>
    </div>
  );
}

function NoCode({ sessionId }: { sessionId: string }) {
  const opening = useOpenCode(sessionId);
  return (
    <>
      <EmptyState
        title={messages.none}
        action={
          <Button disabled={opening.isPending} onClick={() => opening.send(undefined)}>
            {opening.isPending ? messages.opening : messages.open}
          </Button>
        }
      >
        {messages.noneText}
      </EmptyState>
      <ErrorBox error={opening.error} fallback={messages.openFailed} />
    </>
  );
}

function CloseCode({ code }: { code: SessionCode }) {
  const [asking, setAsking] = useState(false);
  const closing = useCloseCode(code._id);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {messages.close}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={messages.closeHeading}
          message={messages.closeQuestion}
          consequences={messages.closeConsequences}
          confirmLabel={messages.close}
          change={closing}
          errorFallback={messages.closeFailed}
          onConfirm={() => closing.send(undefined, () => setAsking(false))}
          onCancel={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function usePage() {
  const { sessionId = "" } = useParams();
  const sessions = useQuery(sessionsQuery);
  const code = useQuery(sessionCodeQuery(sessionId));
  const session = sessions.data?.find(({ _id, status }) => _id === sessionId && status === "active");
  return {
    ...{ sessionId, session, answer: code.data },
    error: sessions.error ?? code.error,
    isPending: sessions.isPending || code.isPending,
    refetch: () => Promise.all([sessions.refetch(), code.refetch()]),
  };
}

/** The code of a session, on the screen and printed, and who waits to be admitted by it. */
export function SessionCodePage() {
  const { sessionId, session, answer, error, isPending, refetch } = usePage();
  const code = answer?.code ?? null;
  const store = session?.storeId.name ?? "";
  const actions =
    code === null || session === undefined ? undefined : (
      <>
        <CloseCode code={code} />
        <Button onClick={() => window.print()}>{messages.print}</Button>
      </>
    );
  return (
    <Stack gap="md">
      <div className="screen-only">
        <Anchor component={Link} to="/admin/sessions">
          {messages.back}
        </Anchor>
        <PageHeader
          title={messages.title}
          subtitle={session === undefined ? "" : messages.subtitle(store)}
          actions={actions}
          help={help}
        />
      </div>
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      {isPending ? <LoadingState /> : null}
      {!isPending && error === null && session === undefined ? (
        <EmptyState title={messages.gone}>{messages.goneText}</EmptyState>
      ) : null}
      {session === undefined || answer === undefined || code !== null ? null : (
        <NoCode sessionId={sessionId} />
      )}
      {session === undefined || answer === undefined || code === null ? null : (
        <div className={classes.sides}>
          <Stack gap="sm">
            {opensHereOnly(code.link) ? (
              <div className="screen-only">
                <Notice kind="warning">{invitationMessages.opensHereOnly}</Notice>
              </div>
            ) : null}
            <Paper code={code} store={store} />
          </Stack>
          <Stack gap="md" className="screen-only">
            <Section title={messages.waitingHeading}>
              <WaitingPeople sessionId={sessionId} code={code} requests={answer.requests} />
            </Section>
            <Section title={messages.admittedHeading}>
              <AdmittedPeople sessionId={sessionId} />
            </Section>
          </Stack>
        </div>
      )}
    </Stack>
  );
}
