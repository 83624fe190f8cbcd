import { Button, FileButton, Group, Stack, Text, Textarea } from "@mantine/core";
import { type CountingSession, countingConstants, limits } from "@stocktake/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useSendsMail } from "../../../http/health.ts";
import { staleAfter } from "../../../http/query-roots.ts";
import { invitationsQuery, isFirstReading } from "../../../http/shared-queries.ts";
import { readAgain } from "../../../http/use-change.ts";
import { DialogActions } from "../../../ui/dialog.tsx";
import { ErrorMessage } from "../../../ui/error-box.tsx";
import { decodeFile } from "../../../ui/files/decode-file.ts";
import { useFallenFocus } from "../../../ui/focus/fallen-focus.ts";
import { TypedDialog } from "../../../ui/form-dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { type PersonLine, readPersonLines } from "../../../ui/people/person-lines.ts";
import { messages } from "../messages.ts";
import { opensHereOnly } from "../opens-here-only.ts";
import { CopyButton, NoMailNotice, outboxQuery } from "../outbox.tsx";
import { EarlierCounters } from "./earlier-counters.tsx";
import { createListSending, type ListSending, type SentPerson } from "./list-sending.ts";
import { PeoplePreview, SentPeople } from "./people-list.tsx";

interface InviteListDialogProps {
  readonly session: CountingSession;
  readonly onClose: () => void;
}

/** Puts what a file holds into the entry. */
function LoadFile({ onText }: { readonly onText: (text: string) => void }) {
  const [isRefused, setRefused] = useState(false);
  const resetInput = useRef<() => void>(null);
  const read = async (file: File | null) => {
    resetInput.current?.();
    if (file === null) return;
    const isSmall = file.size <= limits.bodyBytes;
    const text = isSmall ? decodeFile(await file.arrayBuffer()) : "";
    // A workbook or a picture is no text: it has bytes of zero.
    const isText = text.trim() !== "" && !text.includes("\0");
    setRefused(!isText);
    if (isText) onText(text);
  };
  return (
    <>
      {isRefused ? <ErrorMessage message={messages.list.notText} /> : null}
      <Group>
        <FileButton
          accept=".csv,.txt,.tsv,text/plain,text/csv"
          resetRef={resetInput}
          inputProps={{ "aria-label": messages.list.load }}
          onChange={(file) => void read(file)}
        >
          {(props) => (
            <Button variant="default" {...props}>
              {messages.list.load}
            </Button>
          )}
        </FileButton>
      </Group>
    </>
  );
}

function useEntry({ session }: InviteListDialogProps) {
  const [entry, setEntry] = useState("");
  const read = useQuery(invitationsQuery(session._id));
  const isReading = isFirstReading(read);
  const lines = useMemo(() => readPersonLines(entry), [entry]);
  const present = new Set(read.data?.map(({ email }) => email.toLowerCase()));
  const bad = lines.filter(({ problem }) => problem !== null).length;
  const people = lines.filter(({ problem, email }) => problem === null && !present.has(email.toLowerCase()));
  const tooMany = people.length > limits.invitationsPerList;
  return { entry, setEntry, lines, present, bad, people, tooMany, isReading };
}

interface EntryStepProps extends InviteListDialogProps {
  readonly list: ReturnType<typeof useEntry>;
  readonly onSend: (people: readonly PersonLine[]) => void;
}

function EntryStep({ session, list, onSend, onClose }: EntryStepProps) {
  const { entry, setEntry, lines, bad, people, tooMany, isReading } = list;
  // Who is invited already is left out of the list.
  const ready = people.length > 0 && bad === 0 && !tooMany && !isReading;
  const submit = useSendsMail() ? messages.list.submit : messages.list.create;
  return (
    <Stack gap="sm">
      <Textarea
        label={messages.list.label}
        description={messages.list.hint}
        placeholder={messages.list.placeholder}
        rows={countingConstants.bulkAreaRows}
        data-autofocus
        value={entry}
        onChange={({ currentTarget }) => setEntry(currentTarget.value)}
      />
      <LoadFile
        onText={(text) => setEntry([entry.trimEnd(), text].filter((part) => part !== "").join("\n"))}
      />
      <EarlierCounters sessionId={session._id} entry={entry} lines={lines} onChange={setEntry} />
      {lines.length === 0 ? null : <PeoplePreview lines={lines} present={list.present} />}
      <NoMailNotice sessionId={session._id} />
      <DialogActions>
        <Text role="status" fz="sm" c="var(--stocktake-negative)" style={{ flex: "1 1 10rem" }}>
          {tooMany ? messages.list.tooMany(limits.invitationsPerList) : null}
        </Text>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!ready} onClick={() => onSend(people)}>
          {bad > 0 ? messages.list.correct(bad) : submit(people.length)}
        </Button>
      </DialogActions>
    </Stack>
  );
}

function countOf(people: readonly SentPerson[], ...statuses: SentPerson["delivery"]["status"][]): number {
  return people.filter(({ delivery }) => statuses.includes(delivery.status)).length;
}

/** How far a list is, and in the end what came of it. */
function Summary({ people }: { people: readonly SentPerson[] }) {
  const open = countOf(people, "waiting", "sending");
  const failed = countOf(people, "failed");
  if (countOf(people, "sending") > 0) {
    return <Text role="status">{messages.list.sending(people.length - open, people.length)}</Text>;
  }
  const text = messages.list.done(countOf(people, "sent", "outbox"), countOf(people, "already"), failed);
  return (
    <Notice kind={failed > 0 ? "warning" : "success"} role="status">
      {text}
    </Notice>
  );
}

/** The summary has the focus as long as nothing else has it: the buttons that were pressed before are gone. */
function FocusedSummary({ people }: { people: readonly SentPerson[] }) {
  const summary = useRef<HTMLDivElement>(null);
  useFallenFocus(summary, true);
  return (
    <div ref={summary} tabIndex={-1}>
      <Summary people={people} />
    </div>
  );
}

/** The links of those to whom no mail could be sent, by their addresses. */
function useLinks(people: readonly SentPerson[]): ReadonlyMap<string, string> {
  const { data: mails = [] } = useQuery(outboxQuery);
  return new Map(
    people.flatMap(({ email, delivery }): [string, string][] => {
      if (delivery.status !== "outbox") return [];
      const link = mails.find((mail) => mail.link.endsWith(delivery.token))?.link;
      return link === undefined ? [] : [[email, link]];
    }),
  );
}

interface PassOnProps {
  readonly people: readonly SentPerson[];
  readonly links: ReadonlyMap<string, string>;
}

/** What to do about those to whom nothing was sent. */
function PassOn({ people, links }: PassOnProps) {
  if (countOf(people, "outbox") === 0) return null;
  const lines = people.flatMap(({ email, counterName }) => {
    const link = links.get(email);
    return link === undefined ? [] : [messages.list.linkOf(counterName, link)];
  });
  return (
    <Notice
      kind="warning"
      action={
        lines.length === 0 ? null : <CopyButton text={lines.join("\n")} label={messages.list.copyLinks} />
      }
    >
      {messages.list.outbox}
      {[...links.values()].some(opensHereOnly) ? ` ${messages.opensHereOnly}` : null}
    </Notice>
  );
}

interface SendingStepProps {
  readonly sending: ListSending;
  readonly onStart: () => void;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

function SendingStep({ sending, onStart, onChange, onClose }: SendingStepProps) {
  const people = useSyncExternalStore(sending.subscribe, sending.get);
  const links = useLinks(people);
  const open = countOf(people, "waiting", "failed");
  const isBusy = countOf(people, "sending") > 0;
  return (
    <Stack gap="sm">
      <FocusedSummary people={people} />
      <PassOn people={people} links={links} />
      <SentPeople people={people} links={links} />
      <DialogActions>
        {isBusy ? (
          <Button variant="default" onClick={sending.stop}>
            {messages.list.stop}
          </Button>
        ) : null}
        {isBusy || open === 0 ? null : (
          <>
            <Button variant="default" onClick={onChange}>
              {messages.list.change}
            </Button>
            <Button onClick={onStart}>{messages.list.again(open)}</Button>
          </>
        )}
        {isBusy ? null : (
          <Button variant={open === 0 ? "filled" : "default"} onClick={onClose}>
            {messages.list.close}
          </Button>
        )}
      </DialogActions>
    </Stack>
  );
}

/** Invites everybody of a pasted, loaded or chosen list, and says of each what came of it. */
export function InviteListDialog(props: InviteListDialogProps) {
  const { session, onClose } = props;
  const client = useQueryClient();
  const [sending, setSending] = useState<ListSending | null>(null);
  const list = useEntry(props);
  useEffect(() => () => sending?.stop(), [sending]);
  const start = (made: ListSending) => void made.start().then(() => readAgain(client, staleAfter.invitation));
  const send = (people: readonly PersonLine[]) => {
    const made = createListSending({ sessionId: session._id, storeId: session.storeId._id }, people);
    setSending(made);
    start(made);
  };
  return (
    <TypedDialog
      size="lg"
      title={messages.list.title(session.storeId.name)}
      isTyped={sending === null && list.entry.trim() !== ""}
      onClose={onClose}
    >
      {sending === null ? (
        <EntryStep {...props} list={list} onSend={send} />
      ) : (
        <SendingStep
          sending={sending}
          onStart={() => start(sending)}
          onChange={() => setSending(null)}
          onClose={onClose}
        />
      )}
    </TypedDialog>
  );
}
