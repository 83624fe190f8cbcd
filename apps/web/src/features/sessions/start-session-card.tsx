import { Button, Card, Radio, Stack, Text } from "@mantine/core";
import {
  type Adjustment,
  type CountingSession,
  type SessionScope,
  type Store,
  startSession,
} from "@stocktake/contract";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../http/call.ts";
import { useLongChange } from "../../http/long-change.ts";
import { adjustmentsQuery, sessionsQuery, staleAfter } from "../../http/shared-queries.ts";
import { useWorkUnderWay } from "../../http/work-under-way.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { OperationProgress } from "../../ui/operation-progress.tsx";
import { operationOf } from "./api.ts";
import { messages } from "./messages.ts";

function useStartSession() {
  return useLongChange(
    (body: { storeId: string; scope: SessionScope }) => callApi(startSession, { body }),
    operationOf,
    staleAfter.session,
  );
}

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
}

/** The earlier reports of a store that matter to somebody who begins to count it again; read while `asked`. */
function useEarlierReports(storeId: string, asked: boolean): EarlierReports {
  const { data: sessions = [] } = useQuery(sessionsQuery);
  const earlier = asked ? rollableSessions(sessions, storeId) : [];
  const histories = useQueries({ queries: earlier.map(({ _id }) => adjustmentsQuery(_id)) });
  const notRolledBack = histories.map(({ data }) => data?.filter(isActive));
  return {
    rollable: notRolledBack.flatMap((entries) => entries ?? []).filter(({ status }) => status !== "pending"),
    undeployed: earlier.filter((_session, index) => notRolledBack[index]?.length === 0),
  };
}

// The newest reports: whoever counts a part of the store every week has many, most of them long settled.
const namedAtMost = 3;

interface ScopeChoiceProps {
  readonly value: SessionScope;
  readonly onChange: (scope: SessionScope) => void;
}

function ScopeChoice({ value, onChange }: ScopeChoiceProps) {
  return (
    <Radio.Group
      label="Scope"
      value={value}
      onChange={(chosen) => onChange(chosen === "partial" ? "partial" : "full")}
    >
      <Stack gap={4}>
        {(["full", "partial"] as const).map((scope) => (
          <Radio
            key={scope}
            value={scope}
            label={messages.scopes[scope].label}
            description={messages.scopes[scope].note}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function useStarting(store: Store, onDone: (message: string) => void) {
  const [scope, setScope] = useState<SessionScope>("full");
  const [asking, setAsking] = useState(false);
  const starting = useStartSession();
  const work = useWorkUnderWay(({ kind, storeId }) => kind === "start" && storeId === store._id);
  const confirm = () =>
    starting.send({ storeId: store._id, scope }, () => {
      setAsking(false);
      onDone(messages.started(store.name));
    });
  const ask = () => {
    starting.reset();
    work.forget();
    setAsking(true);
  };
  // A long start is followed on the card, so that the administrator can go on working.
  const isLong = starting.isLong || work.operation !== null;
  return {
    ...{ scope, setScope, starting, confirm, ask, isLong },
    operation: work.operation ?? starting.operation,
    isBusy: starting.isPending || isLong,
    error: starting.error ?? work.error,
    asking: asking && !isLong,
    cancel: () => setAsking(false),
  };
}

interface StartSessionCardProps {
  readonly store: Store;
  readonly onDone: (message: string) => void;
}

export function StartSessionCard({ store, onDone }: StartSessionCardProps) {
  const { scope, setScope, starting, asking, ...start } = useStarting(store, onDone);
  const earlier = useEarlierReports(store._id, asking);
  const ends = [
    ...earlier.undeployed
      .slice(0, namedAtMost)
      .map(({ endedAt }) => messages.startDialog.endsDeploy[scope](dateTimeText(endedAt))),
    ...earlier.rollable.map(({ appliedAt }) =>
      messages.startDialog.endsRollback[scope](dateTimeText(appliedAt)),
    ),
  ];
  return (
    <Card component="article" aria-label={store.name} p={{ base: "sm", sm: "md" }}>
      <Stack gap="sm" h="100%">
        <Text component="h3" fw={620} fz="lg" style={{ flex: 1 }}>
          {store.name}
        </Text>
        <ScopeChoice value={scope} onChange={setScope} />
        {start.isLong ? <OperationProgress label={messages.starting} operation={start.operation} /> : null}
        {asking ? null : <ErrorBox error={start.error} fallback={messages.startFailed} />}
        <Button onClick={start.ask} disabled={start.isBusy} style={{ alignSelf: "flex-start" }}>
          {start.isBusy ? messages.starting : messages.start}
        </Button>
      </Stack>
      {asking ? (
        <ConfirmDialog
          title={messages.startDialog.title}
          message={messages.startDialog.question(store.name)}
          consequences={[messages.scopes[scope].note, ...messages.startDialog.consequences, ...ends]}
          confirmLabel={messages.start}
          busyLabel={messages.starting}
          change={starting}
          danger={false}
          errorFallback={messages.startFailed}
          onConfirm={start.confirm}
          onCancel={start.cancel}
        />
      ) : null}
    </Card>
  );
}
