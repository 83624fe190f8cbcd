import { Button, Stack, Text } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useState } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { dateTimeText, quantityText } from "../../../ui/formats.ts";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { SuccessMessage } from "../../../ui/success-message.tsx";
import { QuietTable } from "../../../ui/tables/quiet-table.tsx";
import { messages } from "../messages.ts";
import { type EarlierCount, restoreLabel, useEarlierCounts } from "./earlier-counts.ts";
import { RestoreDialog } from "./restore-dialog.tsx";

const { earlier } = messages;

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
              aria-label={restoreLabel(count)}
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
