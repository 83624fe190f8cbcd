import { List } from "@mantine/core";
import { Notice } from "../../ui/notice.tsx";
import type { DeployAnswer } from "./api.ts";
import { skipReasonTexts, texts } from "./texts.ts";

/** The rows that the last deploy left as they are, each with its reason. */
export function SkippedRows({ skipped }: { skipped: DeployAnswer["skipped"] }) {
  if (skipped.length === 0) return null;
  return (
    <Notice kind="warning" title={`${texts.notDeployedHeading} (${skipped.length})`}>
      <details>
        <summary>Show which and why</summary>
        <List fz="sm" spacing={2}>
          {skipped.map(({ sku, reason }) => (
            <List.Item key={sku}>
              {sku}: {skipReasonTexts[reason]}
            </List.Item>
          ))}
        </List>
      </details>
    </Notice>
  );
}
