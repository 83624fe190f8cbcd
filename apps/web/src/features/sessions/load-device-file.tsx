import { Button, FileButton, Group, Progress as ProgressBar, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { staleAfter } from "../../http/query-roots.ts";
import { readAgain } from "../../http/use-change.ts";
import { browserPorts, type QueueFile, readQueueFile, type SavedOperation } from "../../offline/offline.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorBox, ErrorMessage } from "../../ui/error-box.tsx";
import { dateTimeText, deviceText, quantityText } from "../../ui/formats.ts";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { QuietTable } from "../../ui/tables/quiet-table.tsx";
import type { LoadReport } from "./load-queue.ts";
import { messages } from "./messages.ts";
import { createQueueLoading, type LoadingState, type QueueLoading } from "./queue-loading.ts";

function figuresOf(report: LoadReport): { label: string; figure: number }[] {
  const { counted, late, unresolved, voided, known, undone, leftOut } = report;
  const always = [
    { label: messages.deviceFile.counted, figure: counted },
    { label: messages.deviceFile.late, figure: late },
    { label: messages.deviceFile.unresolved, figure: unresolved },
    { label: messages.deviceFile.known, figure: known },
  ];
  const sometimes = [
    { label: messages.deviceFile.voided, figure: voided },
    { label: messages.deviceFile.undone, figure: undone },
    { label: messages.deviceFile.leftOut, figure: leftOut },
  ];
  return [...always, ...sometimes.filter(({ figure }) => figure > 0)];
}

function decisionText(operation: SavedOperation): string {
  const { areaCode } = operation;
  if (operation.kind !== "finish") return messages.deviceFile.reset(areaCode);
  const { declaredTotal, ownOf } = operation;
  return ownOf === undefined
    ? messages.deviceFile.finish(areaCode, declaredTotal)
    : messages.deviceFile.ownTotal(areaCode, declaredTotal);
}

function Outcome({ report }: { report: LoadReport }) {
  return (
    <Stack gap="sm">
      <Notice kind="success" title={messages.deviceFile.done} role="status" />
      <QuietTable
        label={messages.deviceFile.done}
        rows={figuresOf(report)}
        keyOf={({ label }) => label}
        columns={[
          { header: "Scans", cell: ({ label }) => label },
          { header: "Number", numeric: true, cell: ({ figure }) => quantityText(figure) },
        ]}
      />
      {report.refused.length === 0 ? null : (
        <Notice kind="error" title={messages.deviceFile.refusedTitle(report.refused.length)}>
          {report.refused.map(({ opId, what, areaCode, error }) => (
            <div key={opId}>{messages.deviceFile.refusedIn(what, areaCode, error)}</div>
          ))}
        </Notice>
      )}
      {report.toDecide.length === 0 ? null : (
        <Notice kind="warning" title={messages.deviceFile.toDecide}>
          {report.toDecide.map((operation) => (
            <div key={operation.opId}>{decisionText(operation)}</div>
          ))}
        </Notice>
      )}
    </Stack>
  );
}

function Contents({ file }: { file: QueueFile }) {
  const scans = [...file.unsent.scans, ...file.refused.scans];
  const undone = scans.filter((scan) => scan.undone).length;
  return (
    <Stack gap={4}>
      <Text>{messages.deviceFile.from(deviceText(file.deviceId), dateTimeText(file.exportedAt))}</Text>
      <Text fw={600}>{messages.deviceFile.holds(scans.length, undone)}</Text>
    </Stack>
  );
}

function Progress({ state }: { state: LoadingState }) {
  const { status, done, total } = state;
  if (total === 0) return null;
  return (
    <div role="status">
      <Text fz="sm" mb={4} className="tabular">
        {messages.deviceFile.progress(quantityText(done), quantityText(total))}
        {status === "waiting" ? ` ${messages.deviceFile.waiting}` : null}
      </Text>
      <ProgressBar value={(100 * done) / total} aria-label={messages.deviceFile.sending} />
    </div>
  );
}

function Buttons({ loading, state, onClose }: LoadingProps & { onClose: () => void }) {
  const { status } = state;
  const isSending = status === "sending" || status === "waiting";
  const label = status === "ready" ? messages.deviceFile.send : messages.deviceFile.goOn;
  return (
    <DialogActions>
      <Button variant="default" onClick={isSending ? loading.stop : onClose}>
        {isSending ? messages.deviceFile.stop : messages.deviceFile.close}
      </Button>
      {status === "done" ? null : (
        <Button loading={isSending} onClick={() => void loading.start()}>
          {isSending ? messages.deviceFile.sending : label}
        </Button>
      )}
    </DialogActions>
  );
}

interface LoadingProps {
  readonly loading: QueueLoading;
  readonly state: LoadingState;
}

/** What the pages show is read again once a run has ended, whatever came of it. */
function useReadAgain({ status }: LoadingState): void {
  const client = useQueryClient();
  useEffect(() => {
    if (status === "done" || status === "stopped" || status === "failed")
      readAgain(client, staleAfter.session).catch(globalThis.reportError);
  }, [client, status]);
}

function LoadDialog({ file, onClose }: { file: QueueFile; onClose: () => void }) {
  const [loading] = useState(() => createQueueLoading(file, browserPorts.timers));
  const state = useSyncExternalStore(loading.subscribe, loading.get);
  useReadAgain(state);
  // Nobody would see any more how far it has come.
  useEffect(() => () => loading.stop(), [loading]);
  const { status, error, report } = state;
  return (
    <Dialog
      title={status === "ready" ? messages.deviceFile.title : messages.deviceFile.heading}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Contents file={file} />
        {report === null ? <Progress state={state} /> : null}
        <ErrorBox error={error} fallback={messages.deviceFile.failed} />
        {status === "failed" || status === "stopped" ? <Text>{messages.deviceFile.safe}</Text> : null}
        {report === null ? null : <Outcome report={report} />}
      </Stack>
      <Buttons loading={loading} state={state} onClose={onClose} />
    </Dialog>
  );
}

type Chosen = QueueFile | "nothing" | "not_a_queue";

/** An administrator's way to bring in what a device saved that can't connect any more (docs/SYNC.md, S29). */
export function LoadDeviceFile() {
  const [chosen, setChosen] = useState<Chosen>("nothing");
  const resetInput = useRef<() => void>(null);
  const open = async (file: File | null) => {
    // A browser fires no event for a file that is chosen again, unless the input is reset.
    resetInput.current?.();
    if (file !== null) setChosen(readQueueFile(await file.text()) ?? "not_a_queue");
  };
  return (
    <Section title={messages.deviceFile.heading}>
      <Text>{messages.deviceFile.intro}</Text>
      <Group>
        <FileButton
          accept="application/json,.json"
          resetRef={resetInput}
          inputProps={{ "aria-label": messages.deviceFile.choose }}
          onChange={(file) => void open(file)}
        >
          {(props) => (
            <Button variant="default" {...props}>
              {messages.deviceFile.choose}
            </Button>
          )}
        </FileButton>
      </Group>
      {chosen === "not_a_queue" ? <ErrorMessage message={messages.deviceFile.notAQueue} /> : null}
      {typeof chosen === "string" ? null : <LoadDialog file={chosen} onClose={() => setChosen("nothing")} />}
    </Section>
  );
}
