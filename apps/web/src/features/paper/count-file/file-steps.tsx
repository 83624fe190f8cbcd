import { Button, Group, Progress as ProgressBar, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { queryRoots, staleAfter } from "../../../http/query-roots.ts";
import { readAgain } from "../../../http/use-change.ts";
import { browserPorts } from "../../../offline/offline.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { quantityText } from "../../../ui/formats.ts";
import type { CountFile } from "./count-file.ts";
import { createFileLoading, type FileLoading, type FileState } from "./file-loading.ts";
import { FoundInFile, LoadedFromFile } from "./found-in-file.tsx";
import { messages } from "./messages.ts";

function Progress({ label, rows, total }: { label: string; rows: number; total: number }) {
  return (
    <div role="status">
      <Text fz="sm" mb={4} className="tabular">
        {label}: {messages.progress(quantityText(rows), quantityText(total))}
      </Text>
      <ProgressBar value={total === 0 ? 100 : (100 * rows) / total} aria-label={label} />
    </div>
  );
}

interface StepsProps {
  readonly loading: FileLoading;
  readonly state: FileState;
  readonly onClose: () => void;
}

function storeLabel({ preview }: FileState): string {
  const { counted = 0, unresolved = 0, bad = [] } = preview ?? {};
  const rows = counted + unresolved;
  return bad.length === 0 ? messages.store(rows) : messages.storeWithout(rows, bad.length);
}

function Buttons({ loading, state, onClose }: StepsProps) {
  const { status, preview } = state;
  const isStorable = preview !== null && preview.counted + preview.unresolved > 0;
  const alike = status === "checked" ? (preview?.alike ?? 0) : 0;
  const all = (preview?.counted ?? 0) + (preview?.unresolved ?? 0) + alike;
  return (
    <Group gap="xs">
      {status === "checked" && isStorable ? (
        <Button onClick={() => void loading.store()}>{storeLabel(state)}</Button>
      ) : null}
      {alike > 0 ? (
        <Button variant="default" onClick={() => void loading.store({ countAlike: true })}>
          {messages.storeAlike(all, alike)}
        </Button>
      ) : null}
      {status === "failed" ? (
        <Button onClick={() => void (preview === null ? loading.check() : loading.store())}>
          {preview === null ? messages.again : messages.goOn}
        </Button>
      ) : null}
      <Button variant="default" onClick={onClose}>
        {status === "done" || (status === "checked" && !isStorable && alike === 0)
          ? messages.close
          : messages.cancel}
      </Button>
    </Group>
  );
}

/** What the pages show is read again once rows were stored, whatever came of the rest. */
function useReadAgain({ status, preview }: FileState): void {
  const client = useQueryClient();
  const isOver = status === "done" || (status === "failed" && preview !== null);
  useEffect(() => {
    if (isOver)
      readAgain(client, [...staleAfter.session, queryRoots.exceptions]).catch(globalThis.reportError);
  }, [client, isOver]);
}

interface FileStepsProps {
  readonly sessionId: string;
  readonly name: string;
  readonly file: CountFile;
  readonly onClose: () => void;
}

/** A chosen file: it is checked at once, and stored when a person has seen what is in it. */
export function FileSteps({ sessionId, name, file, onClose }: FileStepsProps) {
  const [loading] = useState(() => createFileLoading({ sessionId, name }, file, browserPorts.timers));
  const state = useSyncExternalStore(loading.subscribe, loading.get);
  useReadAgain(state);
  useEffect(() => {
    void loading.check();
    // Nobody would see any more how far it has come.
    return loading.stop;
  }, [loading]);
  const { status, rows, total, error, preview, loaded } = state;
  return (
    <Stack gap="sm">
      <Text fw={600}>{messages.from(name, total + file.bad.length)}</Text>
      {status === "checking" ? <Progress label={messages.checking} rows={rows} total={total} /> : null}
      {status === "storing" ? <Progress label={messages.storing} rows={rows} total={total} /> : null}
      <ErrorBox error={error} fallback={preview === null ? messages.checkFailed : messages.storeFailed} />
      {status === "failed" ? <Text>{preview === null ? messages.nothingStored : messages.safe}</Text> : null}
      {preview === null || loaded !== null ? null : <FoundInFile preview={preview} />}
      {loaded === null ? null : <LoadedFromFile loaded={loaded} />}
      <Buttons loading={loading} state={state} onClose={onClose} />
    </Stack>
  );
}
