import { Button, Stack, Text, Textarea, TextInput } from "@mantine/core";
import {
  type CallInput,
  type CountingSession,
  lengthProblem,
  limits,
  updateSession,
  visibleName,
} from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import { callApi } from "../../http/call.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { useChange } from "../../http/use-change.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { countName } from "../../ui/search/session-text.ts";
import { MeanwhileNotice } from "../../ui/shared-forms/meanwhile-notice.tsx";
import { useSharedForm } from "../../ui/shared-forms/use-shared-form.ts";
import { messages } from "./messages.ts";
import classes from "./sessions.module.css";

const texts = messages.words;

/** What people call a count, and what they note about it, as they are typed. */
export interface SessionDescription {
  readonly name: string;
  readonly note: string;
}

export const noDescription: SessionDescription = { name: "", note: "" };

const nameProblem = ({ name }: SessionDescription) => lengthProblem(texts.fields.name, name, limits.name);
const noteProblem = ({ note }: SessionDescription) => lengthProblem(texts.fields.note, note, limits.reason);

/** Whether they can be sent. */
export function isDescriptionValid(words: SessionDescription): boolean {
  return nameProblem(words) === null && noteProblem(words) === null;
}

/** Those that were given. */
export function givenDescription({ name, note }: SessionDescription): Partial<SessionDescription> {
  return { ...(name.trim() === "" ? {} : { name }), ...(note.trim() === "" ? {} : { note }) };
}

/** What of a description two people may change at the same time: compared without what the server leaves out. */
export const descriptionFields = [
  {
    label: texts.fields.name,
    valueOf: ({ name }: SessionDescription) => visibleName(name),
    textOf: ({ name }: SessionDescription) => name,
    take: (into: SessionDescription, { name }: SessionDescription) => ({ ...into, name }),
  },
  {
    label: texts.fields.note,
    valueOf: ({ note }: SessionDescription) => note.trim(),
    textOf: ({ note }: SessionDescription) => note,
    take: (into: SessionDescription, { note }: SessionDescription) => ({ ...into, note }),
  },
] as const;

interface SessionWordsFieldsProps {
  readonly words: SessionDescription;
  readonly onChange: (words: SessionDescription) => void;
}

export function SessionDescriptionFields({ words, onChange }: SessionWordsFieldsProps) {
  return (
    <Stack gap="sm">
      <TextInput
        label={texts.name}
        description={texts.nameNote}
        value={words.name}
        error={nameProblem(words)}
        onChange={({ currentTarget }) => onChange({ ...words, name: currentTarget.value })}
      />
      <Textarea
        label={texts.note}
        description={texts.noteNote}
        rows={2}
        value={words.note}
        error={noteProblem(words)}
        onChange={({ currentTarget }) => onChange({ ...words, note: currentTarget.value })}
      />
    </Stack>
  );
}

/** The administrator's note on a session, where there is one. */
export function Note({ session: { note } }: { readonly session: Pick<CountingSession, "note"> }) {
  if (note === undefined || note === null) return null;
  return (
    <Text c="dimmed" fz="sm" className={classes.note ?? ""}>
      {note}
    </Text>
  );
}

interface EditDescriptionProps {
  readonly session: CountingSession;
  readonly onDone: (message: string) => void;
}

function EditDescriptionDialog({
  session,
  onDone,
  onClose,
}: EditDescriptionProps & { readonly onClose: () => void }) {
  const { _id: id, storeId } = session;
  const change = useChange(
    (body: CallInput<typeof updateSession>["body"]) => callApi(updateSession, { params: { id }, body }),
    staleAfter.session,
  );
  const form = useSharedForm({
    opened: session,
    now: change.isPending || change.isSuccess ? undefined : session,
    draftOf: ({ name, note }): SessionDescription => ({ name: name ?? "", note: note ?? "" }),
    fields: descriptionFields,
  });
  const { draft: words, seen } = form;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { name = null, note = null } = seen;
    change.send({ ...words, seen: { name, note } }, () => {
      onDone(texts.saved(storeId.name));
      onClose();
    });
  };
  return (
    <FormDialog
      title={texts.editOf(storeId.name)}
      onClose={onClose}
      onSubmit={submit}
      change={change}
      errorFallback={texts.failed}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      disabled={!isDescriptionValid(words)}
    >
      <SessionDescriptionFields words={words} onChange={form.set} />
      <MeanwhileNotice form={form} />
    </FormDialog>
  );
}

/** Lets a session, running or ended, be given another name and note. */
export function EditDescriptionButton(props: EditDescriptionProps) {
  const { session } = props;
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        aria-label={texts.editOf(countName(session.storeId.name, session.name))}
        onClick={() => setOpen(true)}
      >
        {texts.edit}
      </Button>
      {open ? <EditDescriptionDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
