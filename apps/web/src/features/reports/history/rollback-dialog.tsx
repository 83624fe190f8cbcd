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
import { useShownAgain } from "../use-shown-again.ts";
import { RollbackPreviewPanel } from "./rollback-preview.tsx";

interface RollbackDialogProps {
  readonly sessionId: string;
  readonly rollback: ReturnType<typeof useRollback>;
  /** Of the rollback under way; null while none is known. */
  readonly progress: Adjustment["progress"];
  /** With the plan of the preview that was on screen; without one where there is none. */
  readonly onConfirm: (plan: string | undefined) => void;
  readonly onCancel: () => void;
}

const conflict = 409;

/** A refusal of the preview because of the report refuses the rollback too; an unreachable Shopify does not. */
function isRefusal(error: Error): boolean {
  return error instanceof ApiError && error.status === conflict;
}

function usePreview({ sessionId, rollback }: RollbackDialogProps) {
  const { data, error, isFetching, refetch } = useQuery(rollbackPreviewQuery(sessionId));
  const isOutdated = useShownAgain(rollback.error, refetch);
  const isLoading = isFetching || isOutdated;
  return {
    preview: error === null ? data : undefined,
    error: isLoading ? null : error,
    isLoading,
    again: () => void refetch(),
  };
}

type PreviewState = ReturnType<typeof usePreview>;

function PreviewSection({ preview, error, isLoading, again }: PreviewState) {
  if (isLoading) return <LoadingState label={messages.rollbackDialog.loading} />;
  return (
    <>
      <ErrorBox error={error} fallback={messages.rollbackDialog.previewFailed} onRetry={again} />
      {error === null || isRefusal(error) ? null : (
        <Notice kind="warning">{messages.rollbackDialog.withoutPreview}</Notice>
      )}
      {preview === undefined ? null : (
        <RollbackPreviewPanel preview={preview} busy={isLoading} onCheckAgain={again} />
      )}
    </>
  );
}

/**
 * Asks before a rollback and shows what has moved since. If the preview fails, the rollback is still possible: it
 * reverses exactly what was confirmed whatever has moved, so the preview is advice, not a guard; but what it has shown is what is reversed.
 */
export function RollbackDialog(props: RollbackDialogProps) {
  const { rollback, progress, onConfirm, onCancel } = props;
  const loaded = usePreview(props);
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
            <PreviewSection {...loaded} />
          )}
        </Stack>
      }
      consequences={messages.rollbackDialog.consequences}
      confirmLabel={messages.rollbackDialog.confirm}
      busyLabel={messages.rollingBack}
      change={rollback}
      disabled={loaded.isLoading || (loaded.error !== null && isRefusal(loaded.error))}
      errorFallback={messages.rollbackFailed}
      onConfirm={() => onConfirm(loaded.preview?.plan)}
      onCancel={onCancel}
    />
  );
}
