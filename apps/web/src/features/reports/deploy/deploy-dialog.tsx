import { Checkbox, Stack, Text } from "@mantine/core";
import type { Adjustment } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { coverageQuery } from "../../../http/coverage.ts";
import { ApiError } from "../../../http/errors.ts";
import { coverageTexts } from "../../../ui/certificates/coverage-messages.ts";
import { certificateText } from "../../../ui/certificates/coverage-text.ts";
import { ConfirmDialog, Consequences } from "../../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import {
  type DeployOptions,
  type DeployPreview,
  deployPreviewQuery,
  type Report,
  type useDeploy,
} from "../api.ts";
import { messages } from "../messages.ts";
import { useShownAgain } from "../use-shown-again.ts";
import { AdjustmentProgress } from "./adjustment-progress.tsx";
import {
  type Choices,
  consequencesOf,
  foundText,
  isAgreed,
  needsTyping,
  nothingChosen,
  optionsOf,
  type Previewed,
  toConfirm,
} from "./consequences.ts";
import { PreviewNotices } from "./preview-notices.tsx";
import { OnOneWord, SearchedChoice } from "./searched.tsx";
import { isConfirmed, Zeroing } from "./zeroing.tsx";

/** What is zeroed by choice is asked about once more, unless somebody has looked for all of it. */
function asksAgain({ zeroed }: DeployPreview, { zero }: Choices): boolean {
  return zeroed === "by_choice" && zero;
}

interface DeployDialogProps {
  readonly report: Report;
  readonly deploy: ReturnType<typeof useDeploy>;
  /** Of the deploy under way; null while none is known. */
  readonly progress: Adjustment["progress"];
  readonly onConfirm: (options: DeployOptions) => void;
  readonly onCancel: () => void;
}

function sendingOf({ deploy, progress, onCancel }: DeployDialogProps) {
  return {
    busyLabel: messages.deploying,
    change: deploy,
    errorFallback: messages.deployFailed,
    size: "lg",
    onCancel,
    children: deploy.isPending ? <AdjustmentProgress label={messages.deploying} progress={progress} /> : null,
  };
}

interface ZeroDialogProps extends DeployDialogProps {
  readonly preview: DeployPreview;
  readonly choices: Choices;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly isReading: boolean;
}

function ZeroDialog({ preview, choices, typed, onType, isReading, ...props }: ZeroDialogProps) {
  const zeroed = toConfirm(preview, choices);
  const { currency } = props.report.summary;
  return (
    <ConfirmDialog
      {...sendingOf(props)}
      title={messages.deployDialog.zeroTitle}
      message={<Zeroing zeroed={zeroed} currency={currency} typed={typed} onType={onType} />}
      consequences={[
        ...(choices.zero ? [messages.deployDialog.zeroNote] : []),
        messages.deployDialog.rollbackLater,
      ]}
      confirmLabel={messages.deployDialog.zeroConfirm}
      disabled={isReading || !isConfirmed(zeroed.units, typed)}
      onConfirm={() => props.onConfirm({})}
    />
  );
}

/**
 * Whether a certificate says that nothing was left out. It is said and stops nobody. It is read anew: what somebody has just settled may
 * be open in the answer of before.
 */
function CertificateLine({ report }: Pick<Previewed, "report">) {
  const { data, error, isFetching } = useQuery({
    ...coverageQuery(report.session._id),
    refetchOnMount: "always",
  });
  const failed = error === null ? null : messages.deployDialog.coverageNotRead;
  const known = data === undefined ? coverageTexts.reading : certificateText(data);
  return (
    <Text fz="sm" c="dimmed">
      {isFetching ? coverageTexts.reading : (failed ?? known)}
    </Text>
  );
}

interface MessageProps {
  readonly report: Report;
  readonly preview: DeployPreview | undefined;
  readonly choices: Choices;
  readonly error: Error | null;
  readonly onRetry: () => unknown;
  /** What goes to zero, where it is confirmed by typing. */
  readonly zeroing: ReactNode;
}

/** What would change first; then what to heed before it is confirmed, and last what was never counted, SKU by SKU. */
function Message({ report, preview, choices, error, onRetry, zeroing }: MessageProps) {
  return (
    <Stack gap="sm">
      {preview === undefined && error === null ? (
        <LoadingState label={messages.deployDialog.loading} />
      ) : null}
      <ErrorBox error={error} fallback={messages.deployDialog.previewFailed} onRetry={onRetry} />
      {preview === undefined ? null : (
        <>
          <Consequences sentences={consequencesOf({ report, preview }, choices)} />
          <PreviewNotices report={report} preview={preview} choices={choices} />
          <CertificateLine report={report} />
        </>
      )}
      {zeroing}
      <Text>{messages.deployDialog.question}</Text>
    </Stack>
  );
}

interface ChoicesProps extends Previewed {
  readonly choices: Choices;
  readonly onChoose: (choices: Choices) => void;
}

function ChoicesSection(props: ChoicesProps) {
  const { preview, choices, onChoose } = props;
  const { found, uncounted, zeroed } = preview;
  return (
    <>
      {found.items === 0 ? null : (
        <Checkbox
          label={messages.zeroing.stockLabel}
          description={foundText(preview)}
          checked={choices.stock}
          onChange={(event) => onChoose({ ...choices, stock: event.currentTarget.checked })}
        />
      )}
      <SearchedChoice {...props} />
      {zeroed === "always" || uncounted.items === 0 ? null : (
        <Checkbox
          label={messages.deployDialog.zeroLabel}
          description={messages.deployDialog.zeroNote}
          checked={choices.zero}
          onChange={(event) => onChoose({ ...choices, zero: event.currentTarget.checked })}
        />
      )}
      <OnOneWord {...props} />
    </>
  );
}

/** The preview, and whether it can be gone by: another one is read where the server says that its figures are no longer so. */
function usePreview({ report, deploy }: DeployDialogProps) {
  const { data, error, isFetching, refetch } = useQuery(deployPreviewQuery(report.session._id));
  const isOutdated = useShownAgain(deploy.error, refetch);
  const isReading = isFetching || isOutdated;
  return { preview: data, error: isReading ? null : error, isReading, refetch };
}

function isPlanChanged({ error }: DeployDialogProps["deploy"]): boolean {
  return error instanceof ApiError && error.code === "PLAN_CHANGED";
}

/**
 * Says what would change, what is left out and why, and what was never counted and never closed, before stock is moved;
 * zeroing what was never counted is asked twice, and where it is much, confirmed by typing its units.
 */
export function DeployDialog(props: DeployDialogProps) {
  const { report, deploy } = props;
  const [choices, setChoices] = useState<Choices>(nothingChosen);
  const [typed, setTyped] = useState("");
  const [askingZero, setAskingZero] = useState(false);
  const { preview, error, isReading, refetch } = usePreview(props);
  const shown = isReading || error !== null ? undefined : preview;
  // Another figure than was agreed to is agreed to in the dialog that names whose word it is.
  if (askingZero && preview !== undefined && !isAgreed(preview, choices)) setAskingZero(false);
  // What was confirmed of another plan is asked about once more, from what would change on.
  if (isReading && isPlanChanged(deploy) && (askingZero || typed !== "")) {
    setAskingZero(false);
    setTyped("");
  }
  const typing = { typed, onType: setTyped };
  const confirm = () => props.onConfirm(shown === undefined ? {} : optionsOf(shown, choices));
  const askForZero = () => {
    // Why the press before came to nothing is no matter of the second question.
    deploy.reset();
    setAskingZero(true);
  };
  if (askingZero && preview !== undefined && error === null) {
    const back = () => setAskingZero(false);
    return (
      <ZeroDialog
        {...props}
        {...typing}
        {...{ preview, choices, isReading }}
        onConfirm={confirm}
        onCancel={back}
      />
    );
  }
  const sending = sendingOf(props);
  const zeroing = shown !== undefined && needsTyping(shown);
  const zeroed = shown === undefined ? null : toConfirm(shown, choices);
  const zeroes = { ...typing, currency: report.summary.currency };
  return (
    <ConfirmDialog
      {...sending}
      title={messages.deployDialog.title}
      message={
        deploy.isPending ? (
          sending.children
        ) : (
          <Message
            {...{ report, preview: shown, choices, error }}
            onRetry={refetch}
            zeroing={zeroing && zeroed !== null ? <Zeroing zeroed={zeroed} {...zeroes} /> : null}
          />
        )
      }
      confirmLabel={zeroing ? messages.deployDialog.zeroConfirm : messages.deployDialog.confirm}
      danger={zeroing}
      disabled={
        shown === undefined ||
        !isAgreed(shown, choices) ||
        (zeroing && zeroed !== null && !isConfirmed(zeroed.units, typed))
      }
      onConfirm={shown !== undefined && asksAgain(shown, choices) ? askForZero : confirm}
    >
      {shown === undefined || deploy.isPending ? null : (
        <ChoicesSection report={report} preview={shown} choices={choices} onChoose={setChoices} />
      )}
    </ConfirmDialog>
  );
}
