import { Button, Card, Stack, Text } from "@mantine/core";
import { type CallInput, type SessionScope, type Store, startSession } from "@stocktake/contract";
import { useState } from "react";
import { callApi } from "../../http/call.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { OperationProgress } from "../../ui/operation-progress.tsx";
import { messages } from "./messages.ts";
import { ScopeChoice } from "./scope-choice.tsx";
import {
  givenDescription,
  isDescriptionValid,
  noDescription,
  SessionDescriptionFields,
} from "./session-description.tsx";
import { StartDialog } from "./start-dialog.tsx";
import { useStarting } from "./use-starting.ts";

const start = (body: CallInput<typeof startSession>["body"]) => callApi(startSession, { body });

interface StartSessionCardProps {
  readonly store: Store;
  readonly onDone: (message: string) => void;
  readonly asksAtOnce: boolean;
}

export function StartSessionCard({ store, onDone, asksAtOnce }: StartSessionCardProps) {
  const [scope, setScope] = useState<SessionScope>("full");
  const [words, setWords] = useState(noDescription);
  const { starting, ...state } = useStarting({ store, start, onDone, asksAtOnce });
  return (
    <Card component="article" aria-label={store.name} p={{ base: "sm", sm: "md" }}>
      <Stack gap="sm" h="100%">
        <Text component="h3" fw={620} fz="lg" style={{ flex: 1 }}>
          {store.name}
        </Text>
        <ScopeChoice value={scope} onChange={setScope} />
        <Button onClick={state.ask} disabled={state.isBusy} style={{ alignSelf: "flex-start" }}>
          {state.isBusy ? messages.starting : messages.start}
        </Button>
        {state.isLong ? <OperationProgress label={messages.starting} operation={state.operation} /> : null}
        {state.asking ? null : <ErrorBox error={state.error} fallback={messages.startFailed} />}
      </Stack>
      {state.asking ? (
        <StartDialog
          store={store}
          scope={scope}
          change={starting}
          onConfirm={() => state.confirm({ storeId: store._id, scope, ...givenDescription(words) })}
          onCancel={state.cancel}
          disabled={!isDescriptionValid(words)}
        >
          <SessionDescriptionFields words={words} onChange={setWords} />
        </StartDialog>
      ) : null}
    </Card>
  );
}
