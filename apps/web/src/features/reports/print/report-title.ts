import { useEffect } from "react";
import { dayText } from "../../../ui/formats.ts";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
import { coverMessages } from "./messages.ts";

/** What a file's name can't have everywhere. */
const noFileName = /[\\/:*?"<>|\s]+/g;
const shownOfId = 8;

/** "Variance report 2026-03-01 Harbour Street abcdefgh": sorts by day, and can be a file's name. */
export function fileTitle({ _id, storeId, endedAt, startedAt }: Report["session"]): string {
  const store = storeId.name.trim() || messages.unknownStore;
  const day = dayText(endedAt ?? startedAt);
  return coverMessages.fileTitle(store, day, _id.slice(-shownOfId)).replaceAll(noFileName, " ").trim();
}

/** As the margins of printed pages read it. */
const marginTitle = "--print-title";

/**
 * Names the document for as long as the report is on the page: a browser takes the name for the file that it prints to, and
 * each page of paper says in its margin what it is a page of.
 */
export function useReportTitle(session: Report["session"]): void {
  const title = fileTitle(session);
  useEffect(() => {
    const before = document.title;
    const { style } = document.documentElement;
    document.title = title;
    style.setProperty(marginTitle, JSON.stringify(title));
    return () => {
      document.title = before;
      style.removeProperty(marginTitle);
    };
  }, [title]);
}
