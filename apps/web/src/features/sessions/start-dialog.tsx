import { Button, Stack, Text } from "@mantine/core";
import type { Adjustment, CountingSession, SessionScope } from "@stocktake/contract";
import { useQueries, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import {
  adjustmentsQuery,
  areasQuery,
  isFirstReading,
  locationsQuery,
  sessionsQuery,
} from "../../http/shared-queries.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import type { PendingChange } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { messages } from "./messages.ts";

/**
 * The ended sessions of a store, newest first, whose deploys may still be rolled back: a full count ends that for every
 * one before it.
 */
export function rollableSessions(sessions: readonly CountingSession[], storeId: string): CountingSession[] {
  const ended = sessions.filter((session) => session.status === "closed" && session.storeId._id === storeId);
  const newestFull = ended.findIndex((session) => session.scope === "full");
  return newestFull < 0 ? ended : ended.slice(0, newestFull + 1);
}

/** Deployed, or being deployed now. */
function isActive(entry: Adjustment): boolean {
  return entry.status !== "failed" && entry.rolledBackAt === null;
}

/** What a new count of a store puts an end to. */
interface EarlierReports {
  /** Deploys that can be rolled back until then. */
  readonly rollable: readonly Adjustment[];
  /** Reports that can be deployed until then, and are not. */
  readonly undeployed: readonly CountingSession[];
  /** Some of them are not known yet. */
  readonly isReading: boolean;
  /** Why some of them could not be read. */
  readonly error: Error | null;
  readonly readAgain: () => void;
}

/** The earlier reports of a store that matter to somebody who begins to count it again. */
function useEarlierReports(storeId: string): EarlierReports {
  const sessions = useQuery(sessionsQuery);
  const earlier = rollableSessions(sessions.data ?? [], storeId);
  const histories = useQueries({ queries: earlier.map(({ _id }) => adjustmentsQuery(_id)) });
  const reads = [sessions, ...histories];
  const notRolledBack = histories.map(({ data }) => data?.filter(isActive));
  return {
    rollable: notRolledBack.flatMap((entries) => entries ?? []).filter(({ status }) => status !== "pending"),
    undeployed: earlier.filter(
      ({ withoutEndStock }, index) => withoutEndStock !== true && notRolledBack[index]?.length === 0,
    ),
    isReading: reads.some(isFirstReading),
    error: reads.find(({ data, error }) => data === undefined && error !== null)?.error ?? null,
    readAgain: () => {
      for (const { error, refetch } of reads) if (error !== null) void refetch();
    },
  };
}

/** Whether it is known that a store has nowhere to count, be it without locations or with empty ones alone. */
function useHasNoAreas(storeId: string): boolean {
  const { data: locations } = useQuery(locationsQuery);
  const { data: areas } = useQuery(areasQuery);
  if (locations === undefined || areas === undefined) return false;
  const own = new Set(locations.filter((location) => location.storeId._id === storeId).map(({ _id }) => _id));
  return !areas.some(({ locationId }) => own.has(locationId));
}

/** Counters would join and find nothing. It forbids nothing: areas may be added while the session runs. */
function NoAreasNotice({ storeId }: { storeId: string }) {
  if (!useHasNoAreas(storeId)) return null;
  return (
    <Notice kind="warning" role="status">
      <Stack gap="xs" align="flex-start">
        {messages.startDialog.noAreas}
        <Button
          component={Link}
          to={`/admin/locations?store=${encodeURIComponent(storeId)}`}
          variant="default"
        >
          {messages.startDialog.addAreas}
        </Button>
      </Stack>
    </Notice>
  );
}

// The newest reports: whoever counts a part of the store every week has many, most of them long settled.
const namedAtMost = 3;

interface StartDialogProps {
  readonly store: { readonly _id: string; readonly name: string };
  readonly scope: SessionScope;
  readonly change: PendingChange;
  /** What this start does besides, one sentence each. */
  readonly consequences?: readonly string[];
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly children?: ReactNode;
}

/** Asks before a session is started, and says what it puts an end to. */
export function StartDialog({
  store,
  scope,
  consequences = [],
  disabled = false,
  ...props
}: StartDialogProps) {
  const earlier = useEarlierReports(store._id);
  const ends = [
    ...earlier.undeployed
      .slice(0, namedAtMost)
      .map(({ endedAt }) => messages.startDialog.endsDeploy[scope](dateTimeText(endedAt))),
    ...earlier.rollable.map(({ appliedAt }) =>
      messages.startDialog.endsRollback[scope](dateTimeText(appliedAt)),
    ),
  ];
  return (
    <ConfirmDialog
      {...props}
      title={messages.startDialog.title}
      message={
        <Stack gap="sm">
          <Text>{messages.startDialog.question(store.name)}</Text>
          <NoAreasNotice storeId={store._id} />
          {earlier.isReading ? <LoadingState /> : null}
          <ErrorBox
            error={earlier.error}
            fallback={messages.startDialog.earlierFailed}
            onRetry={earlier.readAgain}
          />
        </Stack>
      }
      consequences={[
        messages.scopes[scope].note,
        ...messages.startDialog.consequences,
        ...consequences,
        ...ends,
      ]}
      confirmLabel={messages.start}
      busyLabel={messages.starting}
      danger={false}
      errorFallback={messages.startFailed}
      disabled={disabled || earlier.isReading}
    />
  );
}
