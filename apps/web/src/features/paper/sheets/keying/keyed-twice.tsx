import { Button, List } from "@mantine/core";
import type { CallAnswer, CountSheet, readSheet } from "@stocktake/contract";
import { useState } from "react";
import { Notice } from "../../../../ui/notice.tsx";
import {
  declaredIn,
  entryLabel,
  forgetDraft,
  readDraft,
  returnOf,
  type SheetDraft,
  totalOf,
} from "./draft.ts";
import { messages } from "./messages.ts";
import { type FoundCode, useFoundCodes } from "./other-lines.tsx";

type Entries = CallAnswer<typeof readSheet>["entries"];

/** How many units one of a code counts, as far as that is known. */
export const unitsOfCode = (found: ReadonlyMap<string, FoundCode>) => (code: string) => {
  const answer = found.get(code);
  return answer === undefined || answer === "failed" ? 1 : answer.units;
};

interface Difference {
  /** As `entryLabel` names it. */
  readonly label: string;
  readonly before: number;
  readonly now: number;
}

type Keyed = Pick<ReturnType<typeof returnOf>, "lines" | "others">;

function quantitiesOf({ lines = [], others = [] }: Keyed): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  const all = [
    ...lines.map((line) => ({ code: null, ...line })),
    ...others.map((other) => ({ line: null, ...other })),
  ];
  for (const { line, code, quantity } of all) {
    const label = entryLabel({ line, code, problem: "" });
    sums.set(label, (sums.get(label) ?? 0) + quantity);
  }
  return sums;
}

/** Where two keyed something else. In which order they did, or in how many rows of one code, says nothing. */
function differencesOf(entries: Keyed, draft: SheetDraft): Difference[] {
  const [before, now] = [quantitiesOf(entries), quantitiesOf(returnOf(draft))];
  return [...new Set([...before.keys(), ...now.keys()])]
    .map((label) => ({ label, before: before.get(label) ?? 0, now: now.get(label) ?? 0 }))
    .filter((each) => each.before !== each.now);
}

interface Compared {
  readonly draft: SheetDraft;
  readonly total: Pick<ReturnType<typeof totalOf>, "rows" | "units">;
  readonly keyed: CountSheet["keyed"];
  /** What is kept of the sheet; null where that has not been read. */
  readonly entries: Entries;
}

/** Somebody else keyed the sheet first, and read something else on it. Whoever has keyed nothing has read nothing. */
export function isKeyedOtherwise({ draft, total, keyed, entries }: Compared): boolean {
  const declared = declaredIn(draft.declared) ?? null;
  if (keyed === null || (total.rows === 0 && declared === null)) return false;
  if (keyed.declaredTotal !== declared) return true;
  // Packs may count otherwise by now: what was keyed tells better than its units.
  if (entries !== null) return differencesOf(entries, draft).length > 0;
  return keyed.units !== total.units || keyed.rows !== total.rows;
}

interface KeyedTwiceProps {
  readonly sessionId: string;
  readonly sheet: CountSheet;
  readonly entries: Entries;
}

/** Says what this browser still holds of a sheet that somebody else keyed otherwise, until whoever keyed it has compared them. */
export function KeyedTwice({ sessionId, sheet: { number, keyed }, entries }: KeyedTwiceProps) {
  const [draft, setDraft] = useState<SheetDraft | null>(() => readDraft(sessionId, number));
  const found = useFoundCodes(sessionId, draft?.others ?? [], null);
  if (draft === null || keyed === null) return null;
  const total = totalOf(draft, unitsOfCode(found));
  if (!isKeyedOtherwise({ draft, total, keyed, entries })) return null;
  const forget = () => {
    forgetDraft(sessionId, number);
    setDraft(null);
  };
  return (
    <Notice
      kind="warning"
      role="alert"
      title={messages.keyedOtherwise(number, keyed, {
        units: total.units,
        declaredTotal: declaredIn(draft.declared) ?? null,
      })}
      action={
        <Button variant="default" size="sm" onClick={forget}>
          {messages.forgetMine}
        </Button>
      }
    >
      {messages.keyedOtherwiseText}
      <List listStyleType="none">
        {(entries === null ? [] : differencesOf(entries, draft)).map(({ label, before, now }) => (
          <List.Item key={label}>
            {label}
            {messages.difference(before, now)}
          </List.Item>
        ))}
      </List>
    </Notice>
  );
}
