import { List } from "@mantine/core";
import type { BadEntry } from "@stocktake/contract";
import { Notice } from "../../../../ui/notice.tsx";
import { entryLabel } from "./draft.ts";
import { messages } from "./messages.ts";

interface BadEntriesProps {
  readonly bad: readonly BadEntry[];
  /** Nothing of the sheet was stored because of these. */
  readonly isOut: boolean;
}

/** What could not be stored of a sheet, each with what to do. */
export function BadEntries({ bad, isOut }: BadEntriesProps) {
  if (bad.length === 0) return null;
  const sentences = [...new Set(bad.map((entry) => `${entryLabel(entry)}${entry.problem}`))];
  return (
    <Notice kind="error" role="alert" title={messages.badTitle(isOut)}>
      <List listStyleType="none">
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
    </Notice>
  );
}
