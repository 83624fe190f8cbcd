import { Notice } from "../../ui/notice.tsx";
import type { DeployAnswer } from "./api.ts";
import { SkuGroups } from "./sku-groups.tsx";
import { skipReasonTexts, texts } from "./texts.ts";

interface SkippedRowsProps {
  readonly title: string;
  readonly skipped: DeployAnswer["skipped"];
}

/** The SKUs that a deploy leaves as they are, by the reason. */
export function SkippedRows({ title, skipped }: SkippedRowsProps) {
  if (skipped.length === 0) return null;
  return (
    <Notice kind="warning" title={title}>
      <details>
        <summary>{texts.whichAndWhy}</summary>
        <SkuGroups rows={skipped.map(({ sku, reason }) => ({ sku, reason: skipReasonTexts[reason] }))} />
      </details>
    </Notice>
  );
}
