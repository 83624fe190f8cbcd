import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import type { CallAnswer, CountSheet, returnSheet, SheetLine } from "@stocktake/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useCallback, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { sheetsPath } from "../../../../http/sheets.ts";
import { ErrorBox } from "../../../../ui/error-box.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { useSecondPress } from "../../../../ui/pressing/second-press.ts";
import { Section } from "../../../../ui/section.tsx";
import { sheetQuery, useReturnSheet } from "../api.ts";
import { messages as sheetMessages } from "../messages.ts";
import { BadEntries } from "./bad-entries.tsx";
import {
  declaredIn,
  forgetDraft,
  keepDraft,
  readDraft,
  returnOf,
  type SheetDraft,
  totalOf,
  withBox,
  withOther,
} from "./draft.ts";
import { isKeyedOtherwise, KeyedTwice, unitsOfCode } from "./keyed-twice.tsx";
import classes from "./keying.module.css";
import { messages } from "./messages.ts";
import { OtherLines, useFoundCodes } from "./other-lines.tsx";
import { PrintedLines } from "./printed-lines.tsx";
import { step, stepOn } from "./step-on.ts";

interface HeadFieldsProps {
  readonly draft: SheetDraft;
  readonly onChange: (change: Partial<SheetDraft>) => void;
}

/** What is written at the top of a sheet. */
function HeadFields({ draft, onChange }: HeadFieldsProps) {
  const isWrong = declaredIn(draft.declared) === undefined;
  return (
    <div className={classes.fields}>
      <TextInput
        {...step}
        label={messages.who}
        description={messages.whoNote}
        autoComplete="off"
        autoFocus
        value={draft.who}
        onChange={({ currentTarget }) => onChange({ who: currentTarget.value })}
      />
      <TextInput
        {...step}
        type="datetime-local"
        label={messages.at}
        description={messages.atNote}
        value={draft.at}
        onChange={({ currentTarget }) => onChange({ at: currentTarget.value })}
      />
      <TextInput
        {...step}
        label={messages.declared}
        description={messages.declaredNote}
        inputMode="numeric"
        autoComplete="off"
        value={draft.declared}
        error={isWrong ? messages.declaredProblem : null}
        onChange={({ currentTarget }) => onChange({ declared: currentTarget.value })}
      />
    </div>
  );
}

/** What a person should have seen before they save; empty where all is as it should be. */
function doubtsOf(draft: SheetDraft, { units, rows }: { units: number; rows: number }): string[] {
  const declared = declaredIn(draft.declared) ?? null;
  if (declared !== null && declared !== units) return [messages.differs(declared, declared - units)];
  return rows === 0 ? [messages.empty] : [];
}

interface TotalProps {
  readonly draft: SheetDraft;
  readonly total: ReturnType<typeof totalOf>;
  readonly doubts: readonly string[];
  /** The doubts were seen: the next press saves. */
  readonly isAsked: boolean;
  readonly isPending: boolean;
}

function Total({ draft, total, doubts, isAsked, isPending }: TotalProps) {
  const isMatching = typeof declaredIn(draft.declared) === "number" && doubts.length === 0;
  const label = isAsked ? messages.saveAnyway : messages.save;
  return (
    <div className={classes.total}>
      {isAsked
        ? doubts.map((doubt) => <Notice key={doubt} kind="warning" role="alert" title={doubt} />)
        : null}
      <Group justify="space-between" gap="xs">
        <div role="status">
          <Text fw={620}>{messages.total(total.units, total.rows)}</Text>
          {isMatching ? <Text fz="sm">{messages.matches}</Text> : null}
        </div>
        <Button {...step} type="submit" disabled={isPending || total.wrong > 0}>
          {isPending ? messages.saving : label}
        </Button>
      </Group>
    </div>
  );
}

/** What is being keyed, kept in this browser with every key. */
function useDraft(sessionId: string, number: number) {
  const [draft, setDraft] = useState(() => readDraft(sessionId, number));
  useEffect(() => keepDraft(sessionId, number, draft), [sessionId, number, draft]);
  return [draft, setDraft] as const;
}

interface KeyFormProps {
  readonly sessionId: string;
  readonly sheet: CountSheet;
  readonly lines: readonly SheetLine[];
}

/** The page of a sheet to be keyed from top to bottom without a mouse. */
export function KeyForm({ sessionId, sheet: { number }, lines }: KeyFormProps) {
  const [draft, setDraft] = useDraft(sessionId, number);
  const [typing, setTyping] = useState<number | null>(null);
  const { asked, ask, isUnread } = useSecondPress<SheetDraft>();
  const found = useFoundCodes(sessionId, draft.others, typing);
  const back = useReturnSheet(sessionId, number);
  const navigate = useNavigate();
  const client = useQueryClient();
  const { queryKey } = sheetQuery(sessionId, String(number));
  const total = totalOf(draft, unitsOfCode(found));
  const doubts = doubtsOf(draft, total);
  const type = useCallback(
    (line: number, typed: string) => setDraft((before) => withBox(before, line, typed)),
    [setDraft],
  );
  const saved = ({ sheet, bad, isRepeat, counted, unresolved, late }: CallAnswer<typeof returnSheet>) => {
    if (sheet.state !== "returned") return;
    // As it was read again meanwhile, unless that failed.
    const entries = client.getQueryData(queryKey)?.entries ?? null;
    if (isRepeat && isKeyedOtherwise({ draft, total, keyed: sheet.keyed, entries })) return;
    forgetDraft(sessionId, number);
    if (bad.length > 0) return;
    const done = sheetMessages.open.saved(number, sheet.keyed?.units ?? 0);
    const isRest = counted.rows + unresolved + late > 0;
    const again = isRest ? messages.restStored(number) : messages.repeated(number);
    const text = isRepeat ? again : done;
    void navigate(sheetsPath(sessionId), {
      state: { saved: late === 0 ? text : `${text} ${messages.late(late)}` },
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (total.wrong > 0) return;
    if (doubts.length > 0 && asked !== draft) return ask(draft, event);
    if (asked === draft && isUnread(event)) return;
    back.send(returnOf(draft), saved);
  };
  return (
    <form onSubmit={submit} onKeyDown={stepOn} noValidate>
      <Stack gap="md">
        <Section title={messages.heading}>
          <Text fz="sm" c="dimmed">
            {messages.keys}
          </Text>
          <HeadFields draft={draft} onChange={(change) => setDraft((before) => ({ ...before, ...change }))} />
          {lines.length === 0 ? null : <PrintedLines lines={lines} boxes={draft.boxes} onType={type} />}
        </Section>
        <Section title={messages.others}>
          <Text fz="sm" c="dimmed">
            {messages.othersNote}
          </Text>
          <OtherLines
            others={draft.others}
            found={found}
            onChange={(at, change) => setDraft((before) => withOther(before, at, change))}
            onTyping={setTyping}
          />
        </Section>
        <ErrorBox error={back.error} fallback={messages.saveFailed} />
        <BadEntries bad={back.data?.bad ?? []} isOut={back.data?.sheet.state !== "returned"} />
        {back.data?.isRepeat === true ? (
          <KeyedTwice sessionId={sessionId} sheet={back.data.sheet} entries={null} />
        ) : null}
        <Total {...{ draft, total, doubts }} isAsked={asked === draft} isPending={back.isPending} />
      </Stack>
    </form>
  );
}
