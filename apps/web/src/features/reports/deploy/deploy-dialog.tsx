import { Checkbox, Stack, Text } from "@mantine/core";
import type { Adjustment } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { coverageQuery } from "../../../http/coverage.ts";
import { ApiError } from "../../../http/errors.ts";
import { coverageTexts } from "../../../ui/certificates/coverage-messages.ts";
import { certificateText } from "../../../ui/certificates/coverage-text.ts";
import { ConfirmDialog, Consequences } from "../../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { countText } from "../../../ui/formats.ts";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { Notice } from "../../../ui/notice.tsx";
import {
  type DeployOptions,
  type DeployPreview,
  deployPreviewQuery,
  type Report,
  type useDeploy,
} from "../api.ts";
import { messages } from "../messages.ts";
import { openAreasText } from "../open-areas.ts";
import { neverCountedShare } from "../summary/report-shares.ts";
import { AdjustmentProgress } from "./adjustment-progress.tsx";
import {
  type Choices,
  consequencesOf,
  isAgreed,
  optionsOf,
  type Previewed,
  searchedOf,
  toConfirm,
} from "./consequences.ts";
import { MovedAfterCount } from "./moved-after-count.tsx";
import { OnOneWord, SearchedChoice, SearchedNotices } from "./searched.tsx";
import { SkippedRows } from "./skipped-rows.tsx";
import { isConfirmed, uncountedText, Zeroing } from "./zeroing.tsx";

const nothingChosen: Choices = { zero: false, searched: false, stock: false, agreed: [] };

/** What was never counted goes to zero by this very dialog, and so much of it that its units have to be typed. */
function needsTyping(preview: DeployPreview): boolean {
  return preview.zeroed === "always" && toConfirm(preview, nothingChosen).units !== null;
}

/** What is zeroed by choice is asked about once more, unless somebody has looked for all of it. */
function asksAgain({ zeroed }: DeployPreview, { zero }: Choices): boolean {
  return zeroed === "by_choice" && zero;
}

function Uncounted({ report, preview }: Previewed) {
  const { uncounted, zeroed } = preview;
  if (uncounted.items === 0 || needsTyping(preview)) return null;
  const what = uncountedText(uncounted, report.summary.currency);
  // The report's figure has those too that no deploy can move, such as a bundle.
  const others = neverCountedShare(report).items - uncounted.items - searchedOf(preview).items;
  return (
    <Notice kind="warning" title={messages.deployDialog.neverCounted}>
      {zeroed === "by_choice"
        ? `${what}. They will stay as they are unless you choose otherwise below.`
        : `${what}. Every area was closed, so they will be set to zero.`}
      {others > 0 ? ` ${messages.deployDialog.uncountedLeftOut(others)}` : null}
    </Notice>
  );
}

function OpenAreas({ report }: Pick<Previewed, "report">) {
  const text = openAreasText(report.session);
  if (text === null) return null;
  return (
    <Notice kind="warning" title={messages.deployDialog.openAreas}>
      {text}.
    </Notice>
  );
}

function PreviewNotices({ choices, ...given }: Previewed & { readonly choices: Choices }) {
  const { found, shopifyAsked } = given.preview;
  const stocked = new Set(choices.stock ? found.skus : []);
  const skipped = given.preview.skipped.filter(({ sku }) => !stocked.has(sku));
  return (
    <>
      <MovedAfterCount report={given.report} />
      <Uncounted {...given} />
      <SearchedNotices {...given} />
      <OpenAreas report={given.report} />
      <SkippedRows title={messages.deployDialog.skipped(skipped.length)} skipped={skipped} />
      {shopifyAsked ? null : <Notice kind="info">{messages.deployDialog.notAsked}</Notice>}
    </>
  );
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
}

function ZeroDialog({ preview, choices, typed, onType, ...props }: ZeroDialogProps) {
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
      disabled={!isConfirmed(zeroed.units, typed)}
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
          description={messages.zeroing.stockNote(
            countText(found.items, "SKU", "SKUs"),
            countText(found.units, "unit", "units"),
          )}
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

/** The preview and, where the server says that its figures are not those of now any more, another one. */
function usePreview({ report, deploy }: DeployDialogProps) {
  const { data, error, refetch } = useQuery(deployPreviewQuery(report.session._id));
  const outdated = deploy.error instanceof ApiError && deploy.error.code === "CONFIRM_ZEROING";
  useEffect(() => {
    if (outdated) void refetch();
  }, [outdated, refetch]);
  return { preview: data, error, refetch };
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
  const { preview, error, refetch } = usePreview(props);
  // Another figure than was agreed to is agreed to in the dialog that names whose word it is.
  if (askingZero && preview !== undefined && !isAgreed(preview, choices)) setAskingZero(false);
  const typing = { typed, onType: setTyped };
  const confirm = () => props.onConfirm(preview === undefined ? {} : optionsOf(preview, choices));
  if (askingZero && preview !== undefined) {
    const back = () => setAskingZero(false);
    return (
      <ZeroDialog {...props} {...typing} {...{ preview, choices }} onConfirm={confirm} onCancel={back} />
    );
  }
  const sending = sendingOf(props);
  const zeroing = preview !== undefined && needsTyping(preview);
  const zeroed = preview === undefined ? null : toConfirm(preview, choices);
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
            {...{ report, preview, choices, error }}
            onRetry={refetch}
            zeroing={zeroing && zeroed !== null ? <Zeroing zeroed={zeroed} {...zeroes} /> : null}
          />
        )
      }
      confirmLabel={zeroing ? messages.deployDialog.zeroConfirm : messages.deployDialog.confirm}
      danger={zeroing}
      disabled={
        preview === undefined ||
        !isAgreed(preview, choices) ||
        (zeroing && zeroed !== null && !isConfirmed(zeroed.units, typed))
      }
      onConfirm={preview !== undefined && asksAgain(preview, choices) ? () => setAskingZero(true) : confirm}
    >
      {preview === undefined || deploy.isPending ? null : (
        <ChoicesSection report={report} preview={preview} choices={choices} onChoose={setChoices} />
      )}
    </ConfirmDialog>
  );
}
