import { Checkbox, Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { type Release, type ReleasePreview, releasePreviewQuery, useRelease } from "./api.ts";
import { messages } from "./messages.ts";
import { ReleasePreviewPanel, ReleasePreviewRows } from "./release-preview.tsx";

const choices = ["none", "looks", "all"] as const;
type Choice = (typeof choices)[number];

interface Decision {
  /** Null until the administrator has chosen. */
  readonly choice: Choice | null;
  readonly zeroUncounted: boolean;
}

const undecided: Decision = { choice: null, zeroUncounted: false };

function labelOf(choice: Choice, { movedSkus, total }: ReleasePreview): string {
  if (choice === "none") return messages.choices.none;
  return choice === "looks" ? messages.choices.looks(movedSkus.length) : messages.choices.all(total);
}

/** Recording those that look moved is a choice of its own only where they are some of all. */
function offered({ movedSkus, verdict, total }: ReleasePreview): Choice[] {
  const some = movedSkus.length > 0 && verdict !== "all";
  return choices.filter((choice) => (choice === "looks" ? some : choice === "none" || total > 0));
}

interface ChoiceProps {
  readonly preview: ReleasePreview;
  readonly decision: Decision;
  readonly onDecide: (decision: Decision) => void;
}

function Choices({ preview, decision, onDecide }: ChoiceProps) {
  if (preview.question === "nothing") return null;
  return (
    <Stack gap="sm">
      <Radio.Group
        label={messages.choice}
        value={decision.choice}
        onChange={(value) => {
          const choice = choices.find((one) => one === value) ?? null;
          onDecide({ ...decision, choice });
        }}
      >
        <Stack gap="xs" mt="xs">
          {offered(preview).map((choice) => (
            <Radio key={choice} value={choice} label={labelOf(choice, preview)} />
          ))}
        </Stack>
      </Radio.Group>
      {decision.choice === "all" && preview.uncounted.total > 0 ? (
        <Checkbox
          label={messages.zeroUncounted}
          checked={decision.zeroUncounted}
          onChange={(event) => onDecide({ ...decision, zeroUncounted: event.currentTarget.checked })}
        />
      ) : null}
    </Stack>
  );
}

function releaseOf({ movedSkus }: ReleasePreview, { choice, zeroUncounted }: Decision): Release {
  if (choice === "all") return { alreadyMoved: "all", zeroUncounted };
  return choice === "looks" ? { alreadyMoved: movedSkus } : {};
}

function consequencesOf({ question }: ReleasePreview, { choice }: Decision): readonly string[] {
  if (question === "nothing" || choice === null) return [];
  return messages.consequences(question, choice !== "none");
}

interface ReleaseDialogProps {
  readonly sessionId: string;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

/**
 * Shows what may have been moved since the backup and asks what is to be recorded of it. Without the comparison nobody
 * could decide, so there is no release where Shopify can't be read.
 */
export function ReleaseDialog({ sessionId, onDone, onClose }: ReleaseDialogProps) {
  const { data: preview, error, isFetching, refetch } = useQuery(releasePreviewQuery(sessionId));
  const [decision, setDecision] = useState(undecided);
  const release = useRelease(sessionId);
  const compared = isFetching || error !== null ? undefined : preview;
  const decided = compared?.question === "nothing" || decision.choice !== null;
  const confirm = () => {
    if (compared === undefined) return;
    const body = releaseOf(compared, decision);
    release.send(body, () => {
      onClose();
      onDone(messages.done(body.alreadyMoved !== undefined));
    });
  };
  return (
    <ConfirmDialog
      title={messages.title}
      size="xl"
      danger={false}
      message={
        <>
          {isFetching ? <LoadingState label={messages.loading} /> : null}
          <ErrorBox
            error={isFetching ? null : error}
            fallback={messages.previewFailed}
            onRetry={() => refetch()}
          />
          {compared === undefined ? null : (
            <Stack gap="sm">
              <ReleasePreviewPanel preview={compared} />
              <Choices preview={compared} decision={decision} onDecide={setDecision} />
            </Stack>
          )}
        </>
      }
      confirmLabel={messages.confirm}
      busyLabel={messages.releasing}
      change={release}
      disabled={compared === undefined || !decided}
      errorFallback={messages.failed}
      consequences={compared === undefined ? [] : consequencesOf(compared, decision)}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {compared === undefined ? null : <ReleasePreviewRows preview={compared} />}
    </ConfirmDialog>
  );
}
