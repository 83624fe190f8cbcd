import { Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { countText, moneyText } from "../../ui/formats.ts";
import { Notice } from "../../ui/notice.tsx";
import type { Report, useDeploy } from "./api.ts";
import { type DeployOutlook, deployOutlook } from "./deploy-outlook.ts";
import { deployTexts, texts } from "./texts.ts";

function notCountedText({ notCounted }: DeployOutlook, currency: string): string {
  const units = countText(notCounted.units, "unit", "units");
  return `${countText(notCounted.items, "SKU", "SKUs")} with ${units} on hand, worth ${moneyText(Math.abs(notCounted.cost), currency)}`;
}

function NotCounted({ outlook, currency }: { outlook: DeployOutlook; currency: string }) {
  if (outlook.notCounted.items === 0) return null;
  const what = notCountedText(outlook, currency);
  return (
    <Notice kind="warning" title={deployTexts.neverCounted}>
      {outlook.zeroNeedsChoice
        ? `${what}. They stay as they are unless you choose otherwise below.`
        : `${what}. Every area was closed, so they are set to zero.`}
    </Notice>
  );
}

function OpenAreas({ areas }: { areas: DeployOutlook["openAreas"] }) {
  if (areas.length === 0) return null;
  const names = areas.map((area) => (area.name === area.code ? area.code : `${area.code} – ${area.name}`));
  return (
    <Notice kind="warning" title={deployTexts.openAreas}>
      {countText(areas.length, "area was", "areas were")} never closed: {names.join(", ")}.
    </Notice>
  );
}

function consequencesOf(outlook: DeployOutlook): string[] {
  const changing = countText(outlook.changing, "SKU changes its stock", "SKUs change their stock");
  return [
    `${changing} in Shopify.`,
    ...(outlook.leftOut === 0
      ? []
      : [`${countText(outlook.leftOut, "SKU is", "SKUs are")} left out; the rows say why.`]),
    ...(outlook.exceptions === 0
      ? []
      : [`${deployTexts.exceptions}: ${countText(outlook.exceptions, "scan", "scans")}.`]),
    deployTexts.rollbackLater,
  ];
}

interface DeployDialogProps {
  readonly report: Report;
  readonly deploy: ReturnType<typeof useDeploy>;
  readonly onConfirm: (zeroUncounted: boolean) => void;
  readonly onCancel: () => void;
}

function ZeroDialog({ report, deploy, onConfirm, onCancel }: DeployDialogProps) {
  const outlook = deployOutlook(report);
  return (
    <ConfirmDialog
      title={deployTexts.zeroTitle}
      message={`${notCountedText(outlook, report.summary.currency)} will be set to zero in Shopify.`}
      consequences={[deployTexts.zeroNote, deployTexts.rollbackLater]}
      confirmLabel={deployTexts.zeroConfirm}
      busyLabel={texts.deploying}
      busy={deploy.isPending}
      error={deploy.error}
      errorFallback={texts.deployFailed}
      onConfirm={() => onConfirm(true)}
      onCancel={onCancel}
    />
  );
}

/** Says what was never counted and never closed before stock is moved; zeroing what was never counted is asked twice. */
export function DeployDialog(props: DeployDialogProps) {
  const { report, deploy, onConfirm, onCancel } = props;
  const [zero, setZero] = useState(false);
  const [askingZero, setAskingZero] = useState(false);
  const outlook = deployOutlook(report);
  if (askingZero) return <ZeroDialog {...props} onCancel={() => setAskingZero(false)} />;
  return (
    <ConfirmDialog
      title={deployTexts.title}
      message={
        <Stack gap="sm">
          <NotCounted outlook={outlook} currency={report.summary.currency} />
          <OpenAreas areas={outlook.openAreas} />
          <Text>{deployTexts.question}</Text>
        </Stack>
      }
      consequences={consequencesOf(outlook)}
      confirmLabel={deployTexts.confirm}
      busyLabel={texts.deploying}
      busy={deploy.isPending}
      danger={false}
      error={deploy.error}
      errorFallback={texts.deployFailed}
      onConfirm={() => (zero ? setAskingZero(true) : onConfirm(false))}
      onCancel={onCancel}
    >
      {outlook.zeroNeedsChoice ? (
        <Checkbox
          label={deployTexts.zeroLabel}
          description={deployTexts.zeroNote}
          checked={zero}
          onChange={(event) => setZero(event.currentTarget.checked)}
        />
      ) : null}
    </ConfirmDialog>
  );
}
