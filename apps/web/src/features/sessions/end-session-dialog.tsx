import { Stack, Text } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { coverageQuery, coveredAreasQuery, voidAreas } from "../../http/coverage.ts";
import { progressQuery } from "../../http/shared-queries.ts";
import { sheetsQuery } from "../../http/sheets.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import type { useEndSession } from "./api.ts";
import { DifferencesSoFar } from "./differences-so-far.tsx";
import { mayBeLocationGone, WithoutStockButton, WithoutStockDialog } from "./ending/location-gone.tsx";
import { RemainingWork } from "./ending/remaining-work.tsx";
import { messages } from "./messages.ts";
import { NeverCountedLeft } from "./never-counted-left.tsx";

interface EndSessionDialogProps {
  readonly session: CountingSession;
  readonly ending: ReturnType<typeof useEndSession>;
  readonly onConfirm: (withoutEndStock: boolean) => void;
  readonly onCancel: () => void;
}

/** Asks before a session is ended: first what is unfinished, then the question, then what the unfinished is in full. */
export function EndSessionDialog({ session, ending, onConfirm, onCancel }: EndSessionDialogProps) {
  const { data, dataUpdatedAt, error, isPending, refetch } = useQuery({
    ...progressQuery(session._id),
    staleTime: 0,
  });
  const sheets = useQuery({ ...sheetsQuery(session._id), staleTime: 0 });
  const coverage = useQuery({ ...coverageQuery(session._id), staleTime: 0 });
  const covered = useQuery({ ...coveredAreasQuery(session._id), staleTime: 0 });
  const isReading = isPending || sheets.isPending || coverage.isPending || covered.isPending;
  const [asksForLocation, setAsksForLocation] = useState(false);
  const [withoutStock, setWithoutStock] = useState(false);
  const askWithoutStock = (asked: boolean) => {
    // What was refused was said of the other question.
    ending.reset();
    setWithoutStock(asked);
  };
  // Also while it is tried once more, when nothing is refused yet.
  if (!asksForLocation && mayBeLocationGone(ending.error)) setAsksForLocation(true);
  if (withoutStock) {
    const back = () => askWithoutStock(false);
    return <WithoutStockDialog ending={ending} onConfirm={() => onConfirm(true)} onCancel={back} />;
  }
  const { endDialog } = messages;
  const question = <Text>{endDialog.question(session.storeId.name)}</Text>;
  return (
    <ConfirmDialog
      title={endDialog.title}
      message={
        <Stack gap="sm">
          {isReading ? <LoadingState /> : null}
          <ErrorBox error={error} fallback={endDialog.progressFailed} onRetry={refetch} />
          <ErrorBox error={sheets.error} fallback={endDialog.sheetsFailed} onRetry={sheets.refetch} />
          <ErrorBox
            error={coverage.error}
            fallback={endDialog.secondCountsFailed}
            onRetry={coverage.refetch}
          />
          {data === undefined || sheets.data === undefined || coverage.data === undefined ? (
            question
          ) : (
            <RemainingWork
              session={session}
              progress={data}
              readAt={dataUpdatedAt}
              sheets={sheets.data}
              coverage={coverage.data.open}
              uncounted={voidAreas(covered.data ?? [])}
            >
              {question}
            </RemainingWork>
          )}
          <NeverCountedLeft session={session} isEnding={ending.isPending} />
          <DifferencesSoFar session={session} isEnding={ending.isPending} />
        </Stack>
      }
      consequences={endDialog.consequences}
      confirmLabel={messages.end}
      busyLabel={messages.ending}
      change={ending}
      disabled={isReading}
      errorFallback={messages.endFailed}
      beside={
        asksForLocation ? <WithoutStockButton session={session} onAsk={() => askWithoutStock(true)} /> : null
      }
      onConfirm={() => onConfirm(false)}
      onCancel={onCancel}
    />
  );
}
