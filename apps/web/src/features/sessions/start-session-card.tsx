import { Button, Card, Radio, Stack, Text } from "@mantine/core";
import type { SessionScope, Store } from "@stocktake/contract";
import { useState } from "react";
import { useWorkUnderWay } from "../../http/work-under-way.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { OperationProgress } from "../../ui/operation-progress.tsx";
import { useStartSession } from "./api.ts";
import { texts } from "./texts.ts";
import { useEarlierReports } from "./use-earlier-reports.ts";

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
            label={texts.scopes[scope].label}
            description={texts.scopes[scope].note}
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
      onDone(texts.started(store.name));
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
      .map(({ endedAt }) => texts.startDialog.endsDeploy[scope](dateTimeText(endedAt))),
    ...earlier.standing.map(({ appliedAt }) =>
      texts.startDialog.endsRollback[scope](dateTimeText(appliedAt)),
    ),
  ];
  return (
    <Card component="article" aria-label={store.name} p={{ base: "sm", sm: "md" }}>
      <Stack gap="sm" h="100%">
        <Text component="h3" fw={620} fz="lg" style={{ flex: 1 }}>
          {store.name}
        </Text>
        <ScopeChoice value={scope} onChange={setScope} />
        {start.isLong ? <OperationProgress label={texts.starting} operation={start.operation} /> : null}
        {asking ? null : <ErrorBox error={start.error} fallback={texts.startFailed} />}
        <Button onClick={start.ask} disabled={start.isBusy} style={{ alignSelf: "flex-start" }}>
          {start.isBusy ? texts.starting : texts.start}
        </Button>
      </Stack>
      {asking ? (
        <ConfirmDialog
          title={texts.startDialog.title}
          message={texts.startDialog.question(store.name)}
          consequences={[texts.scopes[scope].note, ...texts.startDialog.consequences, ...ends]}
          confirmLabel={texts.start}
          busyLabel={texts.starting}
          busy={starting.isPending}
          danger={false}
          error={starting.error}
          errorFallback={texts.startFailed}
          onConfirm={start.confirm}
          onCancel={start.cancel}
        />
      ) : null}
    </Card>
  );
}
