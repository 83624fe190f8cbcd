import { Button, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { type CountingSession, Email, type Invitation, limits } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import * as z from "zod/mini";
import { invitationsQuery, locationsQuery } from "../../http/shared-queries.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox, ErrorMessage } from "../../ui/error-box.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { type InvitationEntry, useCreateInvitation } from "./api.ts";
import { texts } from "./texts.ts";

const emptyEntry: InvitationEntry = { counterName: "", email: "", locationId: "" };

/** What is wrong with an invitation (specification, section 5), a sentence each. */
function problemsOfInvitation({ counterName, email }: InvitationEntry): readonly string[] {
  const missing = counterName.trim() === "" || email.trim() === "";
  const invalid = email.trim() !== "" && !isEmail(email);
  return [...(missing ? [texts.required] : []), ...(invalid ? [texts.invalidEmail] : [])];
}

function isEmail(entry: string): boolean {
  return z.safeParse(Email, entry).success;
}

/** Who of the session was invited under an address before; null where nobody was. */
function useInvitedBefore(sessionId: string, email: string): Invitation | null {
  const { data: invitations = [] } = useQuery(invitationsQuery(sessionId));
  const address = email.trim().toLowerCase();
  return invitations.find((invitation) => invitation.email.toLowerCase() === address) ?? null;
}

function useInvitationForm(session: CountingSession) {
  const [entry, setEntry] = useState(emptyEntry);
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  const create = useCreateInvitation(session._id, session.storeId._id);
  const before = useInvitedBefore(session._id, entry.email);
  const problems = problemsOfInvitation(entry);
  const send = () => {
    setAsking(false);
    create.send(entry, () => {
      setEntry(emptyEntry);
      setTried(false);
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    setTried(true);
    create.reset();
    if (problems.length > 0) return;
    if (before === null) send();
    else setAsking(true);
  };
  return {
    ...{ entry, setEntry, create, submit, send },
    problems: tried ? problems : [],
    again: asking ? before : null,
    cancel: () => setAsking(false),
  };
}

interface InviteAgainDialogProps {
  readonly before: Invitation;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

function InviteAgainDialog({ before, onConfirm, onCancel }: InviteAgainDialogProps) {
  return (
    <ConfirmDialog
      title={texts.againHeading}
      message={texts.againQuestion(before.email, before.counterName)}
      consequences={texts.againConsequences}
      confirmLabel={texts.send}
      danger={false}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}

function LocationChoice({ storeId, value, onChange }: LocationChoiceProps) {
  const { data: locations = [] } = useQuery(locationsQuery);
  const choices = locations
    .filter((location) => location.storeId._id === storeId)
    .map((location) => ({ value: location._id, label: location.name }));
  return (
    <NativeSelect
      label={texts.locationLabel}
      description={value === "" ? undefined : texts.locationNote}
      inputWrapperOrder={["label", "input", "description"]}
      value={value}
      data={[{ value: "", label: texts.anyLocation }, ...choices]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface LocationChoiceProps {
  readonly storeId: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

export function InvitationForm({ session }: { session: CountingSession }) {
  const { entry, setEntry, problems, create, ...form } = useInvitationForm(session);
  const [problem, ...further] = problems;
  const delivery = create.data?.delivery;
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        {problem === undefined ? null : <ErrorMessage message={problem} advice={further[0] ?? null} />}
        <ErrorBox error={create.error} fallback={texts.sendFailed} />
        <SuccessMessage message={delivery === "sent" ? texts.sent : null} onClose={create.reset} />
        {delivery === "outbox" ? (
          <Notice kind="warning" role="status">
            {texts.outbox}
          </Notice>
        ) : null}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={texts.nameLabel}
            maxLength={limits.name}
            autoComplete="off"
            value={entry.counterName}
            onChange={(event) => setEntry({ ...entry, counterName: event.currentTarget.value })}
          />
          <TextInput
            label={texts.emailLabel}
            type="email"
            maxLength={limits.email}
            autoComplete="off"
            value={entry.email}
            error={problems.includes(texts.invalidEmail)}
            onChange={(event) => setEntry({ ...entry, email: event.currentTarget.value })}
          />
        </SimpleGrid>
        <LocationChoice
          storeId={session.storeId._id}
          value={entry.locationId}
          onChange={(locationId) => setEntry({ ...entry, locationId })}
        />
        <Button type="submit" disabled={create.isPending} style={{ alignSelf: "flex-start" }}>
          {create.isPending ? texts.sending : texts.send}
        </Button>
      </Stack>
      {form.again === null ? null : (
        <InviteAgainDialog before={form.again} onConfirm={form.send} onCancel={form.cancel} />
      )}
    </form>
  );
}
