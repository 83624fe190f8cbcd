import { Anchor, Stack } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { Link, useParams } from "react-router";
import { reportPath } from "../http/report-path.ts";
import { sessionsQuery } from "../http/shared-queries.ts";
import { EmptyState } from "./empty-state.tsx";
import { ErrorBox } from "./error-box.tsx";
import type { HelpText } from "./help/page-help.tsx";
import { LoadingState } from "./loading-state.tsx";
import { PageHeader } from "./page-header.tsx";

interface WayBack {
  readonly to: string;
  readonly label: string;
}

/** Back to the report of a session that has ended, and to the sessions of one that has not. */
export function backToReportOrSessions(labels: {
  readonly toReport: string;
  readonly back: string;
}): (session: CountingSession | undefined) => WayBack {
  return (session) =>
    session?.status === "closed"
      ? { to: reportPath(session._id), label: labels.toReport }
      : { to: "/admin/sessions", label: labels.back };
}

interface SessionPageProps {
  readonly title: string;
  readonly subtitle: (store: string) => string;
  /** The link above the title; the session is undefined until it is known. */
  readonly back: (session: CountingSession | undefined) => WayBack;
  readonly failed: string;
  /** Of an address that names no session. */
  readonly missing: { readonly title: string; readonly text: string };
  readonly help?: HelpText;
  readonly children: (session: CountingSession) => ReactNode;
}

/** A page about the session that its address names (`:sessionId`). */
export function SessionPage({ title, subtitle, back, failed, missing, help, children }: SessionPageProps) {
  const { sessionId = "" } = useParams();
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const session = sessions?.find(({ _id }) => _id === sessionId);
  const isMissing = sessions !== undefined && session === undefined;
  const { to, label } = back(session);
  return (
    <Stack gap="md">
      <Anchor component={Link} to={to}>
        {label}
      </Anchor>
      <PageHeader
        title={title}
        subtitle={session === undefined ? "" : subtitle(session.storeId.name)}
        {...(help === undefined ? {} : { help })}
      />
      <ErrorBox error={error} fallback={failed} onRetry={refetch} />
      {sessions === undefined && error === null ? <LoadingState /> : null}
      {isMissing ? <EmptyState title={missing.title}>{missing.text}</EmptyState> : null}
      {session === undefined ? null : <Fragment key={sessionId}>{children(session)}</Fragment>}
    </Stack>
  );
}
