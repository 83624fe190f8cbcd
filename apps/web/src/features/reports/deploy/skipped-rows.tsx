import { Notice } from "../../../ui/notice.tsx";
import type { DeployAnswer } from "../api.ts";
import { messages } from "../messages.ts";
import { SkuGroups } from "./sku-groups.tsx";

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
        <summary>{messages.whichAndWhy}</summary>
        <SkuGroups rows={skipped.map(({ sku, reason }) => ({ sku, reason: messages.skipReasons[reason] }))} />
      </details>
    </Notice>
  );
}
