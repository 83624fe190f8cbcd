import { Button, Stack, Text } from "@mantine/core";
import { type AreaPass, type CountingSession, restorePass, sessionPasses } from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callAllPages, callApi } from "../../http/call.ts";
import { progressQuery, queryRoots, staleAfter } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { QuietTable } from "../../ui/tables/quiet-table.tsx";
import { messages } from "./messages.ts";
import { areaName } from "./progress-summary.ts";

/** Every count of every area of a session that was begun, and how it ended. */
function passesQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.passes, sessionId],
    queryFn: ({ signal }) => callAllPages(sessionPasses, { params: { id: sessionId }, signal }),
    select: (answer) => answer.passes,
  });
}

function useRestorePass() {
  return useChange(
    (body: { areaId: string; pass: number }) => callApi(restorePass, { body }),
    staleAfter.pass,
  );
}

const { earlier } = messages;

/** An ended count with scans in it, and the name of its area. */
interface EarlierCount extends AreaPass {
  readonly areaName: string;
}

function useEarlierCounts(sessionId: string) {
  const passes = useQuery(passesQuery(sessionId));
  const { data: progress } = useQuery(progressQuery(sessionId));
  const names = new Map(progress?.areas.map((area) => [area._id, areaName(area)]));
  // An area that was deleted has no name here, and can't be counted in any more.
  const counts = passes.data?.flatMap((pass): EarlierCount[] => {
    const areaName = names.get(pass.areaId);
    const isEarlier = pass.endedAs !== null && pass.endedAs !== "closed" && pass.scans > 0;
    return isEarlier && areaName !== undefined ? [{ ...pass, areaName }] : [];
  });
  return {
    counts: progress === undefined ? undefined : counts,
    error: passes.error,
    refetch: passes.refetch,
  };
}

interface RestoreDialogProps {
  readonly count: EarlierCount;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function RestoreDialog({ count, onDone, onClose }: RestoreDialogProps) {
  const restore = useRestorePass();
  const succeed = () => {
    onDone(earlier.restored(count.areaName));
    onClose();
  };
  return (
    <ConfirmDialog
      title={earlier.restoreTitle}
      message={earlier.question(count.areaName, count.scans)}
      consequences={earlier.consequences}
      confirmLabel={earlier.restore}
      change={restore}
      danger={false}
      errorFallback={earlier.restoreFailed}
      onConfirm={() => restore.send({ areaId: count.areaId, pass: count.pass }, succeed)}
      onCancel={onClose}
    />
  );
}

interface CountTableProps {
  readonly counts: readonly EarlierCount[];
  readonly onRestore: (count: EarlierCount) => void;
}

function CountTable({ counts, onRestore }: CountTableProps) {
  if (counts.length === 0) return <Text c="dimmed">{earlier.none}</Text>;
  return (
    <QuietTable
      label={earlier.open}
      rows={counts}
      keyOf={(count) => `${count.areaId} ${count.pass}`}
      columns={[
        { header: "Area", cell: (count) => count.areaName },
        { header: "Scans", numeric: true, cell: (count) => quantityText(count.scans) },
        { header: "Reason", cell: ({ endedAs }) => (endedAs === null ? "" : earlier.endedAs[endedAs]) },
        { header: "Ended", cell: (count) => dateTimeText(count.endedAt) },
        {
          header: "Actions",
          hiddenHeader: true,
          cell: (count) => (
            <Button
              variant="default"
              size="sm"
              onClick={() => onRestore(count)}
              aria-label={`${earlier.restore}: ${count.areaName}, ${quantityText(count.scans)}`}
            >
              {earlier.restore}
            </Button>
          ),
        },
      ]}
    />
  );
}

interface EarlierCountsDialogProps {
  readonly session: CountingSession;
  readonly onClose: () => void;
}

/** Counts that were reset, reopened or mismatched: voided, not erased, so a mistake can be taken back. */
export function EarlierCountsDialog({ session, onClose }: EarlierCountsDialogProps) {
  const { counts, error, refetch } = useEarlierCounts(session._id);
  const [restored, setRestored] = useState<EarlierCount | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  return (
    <Dialog title={earlier.title(session.storeId.name)} size="60rem" onClose={onClose}>
      <Stack gap="sm">
        <SuccessMessage floats message={message} onClose={() => setMessage(null)} />
        <Text c="dimmed">{earlier.intro}</Text>
        <ErrorBox error={error} fallback={earlier.failed} onRetry={refetch} />
        {counts === undefined && error === null ? <LoadingState /> : null}
        {counts === undefined ? null : <CountTable counts={counts} onRestore={setRestored} />}
      </Stack>
      {restored === null ? null : (
        <RestoreDialog count={restored} onDone={setMessage} onClose={() => setRestored(null)} />
      )}
    </Dialog>
  );
}
