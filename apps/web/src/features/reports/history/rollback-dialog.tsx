import { Stack, Text } from "@mantine/core";
import type { Adjustment } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { ApiError } from "../../../http/errors.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { rollbackPreviewQuery, type useRollback } from "../api.ts";
import { AdjustmentProgress } from "../deploy/adjustment-progress.tsx";
import { messages } from "../messages.ts";
import { RollbackLook } from "./rollback-preview.tsx";

interface RollbackDialogProps {
  readonly sessionId: string;
  readonly rollback: ReturnType<typeof useRollback>;
  /** Of the rollback under way; null while none is known. */
  readonly progress: Adjustment["progress"];
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

const conflict = 409;

/** What refuses the look for the report's own sake refuses the rollback too; what is only out of reach does not. */
function isRefusal(error: Error): boolean {
  return error instanceof ApiError && error.status === conflict;
}

function useLook(sessionId: string) {
  const { data, error, isFetching, refetch } = useQuery(rollbackPreviewQuery(sessionId));
  return {
    preview: data,
    error: isFetching ? null : error,
    looking: isFetching,
    again: () => void refetch(),
  };
}

type LookState = ReturnType<typeof useLook>;

function LookSection({ preview, error, looking, again }: LookState) {
  if (looking) return <LoadingState label={messages.rollbackDialog.looking} />;
  return (
    <>
      <ErrorBox error={error} fallback={messages.rollbackDialog.lookFailed} onRetry={again} />
      {error === null || isRefusal(error) ? null : (
        <Notice kind="warning">{messages.rollbackDialog.withoutLook}</Notice>
      )}
      {preview === undefined || error !== null ? null : (
        <RollbackLook preview={preview} busy={looking} onLookAgain={again} />
      )}
    </>
  );
}

/**
 * Asks before a rollback and shows what has moved since. Where the look itself fails, the rollback stays possible: it
 * takes back exactly what was confirmed whatever has moved, so the look is advice and no guard.
 */
export function RollbackDialog({ sessionId, rollback, progress, onConfirm, onCancel }: RollbackDialogProps) {
  const look = useLook(sessionId);
  return (
    <ConfirmDialog
      title={messages.rollbackDialog.title}
      size="lg"
      message={
        <Stack gap="sm">
          <Text>{messages.rollbackDialog.question}</Text>
          {rollback.isPending ? (
            <AdjustmentProgress label={messages.rollingBack} progress={progress} />
          ) : (
            <LookSection {...look} />
          )}
        </Stack>
      }
      consequences={messages.rollbackDialog.consequences}
      confirmLabel={messages.rollbackDialog.confirm}
      busyLabel={messages.rollingBack}
      busy={rollback.isPending}
      disabled={look.looking || (look.error !== null && isRefusal(look.error))}
      error={rollback.error}
      errorFallback={messages.rollbackFailed}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}
