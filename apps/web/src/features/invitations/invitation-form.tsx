import { Button, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import type { FormErrors } from "@mantine/form";
import { type CountingSession, createInvitation, type Invitation } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../http/call.ts";
import { useSendsMail } from "../../http/health.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { invitationsQuery, isFirstReading, locationsQuery } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { type ContractForm, focusField, useContractForm } from "../../ui/contract-form.ts";
import { ErrorBox, ErrorMessage } from "../../ui/error-box.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { messages } from "./messages.ts";
import { NoMailNotice } from "./outbox.tsx";

interface InvitationEntry {
  readonly counterName: string;
  readonly email: string;
  /** "" for any location of the store. */
  readonly locationId: string;
}

function useCreateInvitation(sessionId: string, storeId: string) {
  return useChange(
    ({ counterName, email, locationId }: InvitationEntry) =>
      callApi(createInvitation, {
        body: {
          sessionId,
          storeId,
          counterName,
          email,
          ...(locationId === "" ? {} : { locationId }),
        },
      }),
    staleAfter.invitation,
  );
}

interface InvitedBefore {
  /** Who of the session was invited under the address before; null where nobody was. */
  readonly before: Invitation | null;
  /** That is not known yet. */
  readonly isReading: boolean;
}

function useInvitedBefore(sessionId: string, email: string): InvitedBefore {
  const read = useQuery(invitationsQuery(sessionId));
  const address = email.trim().toLowerCase();
  const before = read.data?.find((invitation) => invitation.email.toLowerCase() === address) ?? null;
  return { before, isReading: isFirstReading(read) };
}

function useInvitationForm(session: CountingSession) {
  const [asking, setAsking] = useState(false);
  const sessionId = session._id;
  const storeId = session.storeId._id;
  const create = useCreateInvitation(sessionId, storeId);
  const form = useContractForm<InvitationEntry>({
    initialValues: { counterName: "", email: "", locationId: "" },
    schema: createInvitation.body,
    bodyOf: (entry) => ({ ...entry, sessionId, storeId }),
    required: { counterName: messages.required, email: messages.required },
    refused: { email: () => messages.invalidEmail },
  });
  const { before, isReading } = useInvitedBefore(sessionId, form.values.email);
  const send = () => {
    setAsking(false);
    create.send(form.getValues(), () => {
      form.reset();
      focusField(form, "counterName");
    });
  };
  const submit = form.onSubmit(
    () => {
      if (create.isPending || isReading) return;
      create.reset();
      if (before === null) send();
      else setAsking(true);
    },
    () => {
      if (!create.isPending) create.reset();
    },
  );
  const again = asking ? before : null;
  return { form, create, submit, send, again, isReading, cancel: () => setAsking(false) };
}

/** What is wrong with an invitation (specification, section 5), a sentence each. */
function problemsIn(errors: FormErrors): readonly string[] {
  const shown = Object.values(errors);
  return [messages.required, messages.invalidEmail].filter((text) => shown.includes(text));
}

interface InviteAgainDialogProps {
  readonly before: Invitation;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

function InviteAgainDialog({ before, onConfirm, onCancel }: InviteAgainDialogProps) {
  return (
    <ConfirmDialog
      title={messages.againHeading}
      message={messages.againQuestion(before.email, before.counterName)}
      consequences={messages.againConsequences}
      confirmLabel={messages.send}
      danger={false}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}

interface LocationChoiceProps {
  readonly storeId: string;
  readonly form: ContractForm<InvitationEntry>;
}

/** Where the store has but one location, phones choose it by themselves: then there is nothing to ask. */
function LocationChoice({ storeId, form }: LocationChoiceProps) {
  const { data: locations = [] } = useQuery(locationsQuery);
  const choices = locations
    .filter((location) => location.storeId._id === storeId)
    .map((location) => ({ value: location._id, label: location.name }));
  if (choices.length < 2) return null;
  return (
    <NativeSelect
      label={messages.locationLabel}
      description={form.values.locationId === "" ? undefined : messages.locationNote}
      inputWrapperOrder={["label", "input", "description"]}
      data={[{ value: "", label: messages.anyLocation }, ...choices]}
      {...form.getInputProps("locationId")}
    />
  );
}

interface InvitationFormProps {
  readonly session: CountingSession;
  /** Nothing over it says already that no mail is sent. */
  readonly saysNoMail: boolean;
}

export function InvitationForm({ session, saysNoMail }: InvitationFormProps) {
  const { form, create, ...invitation } = useInvitationForm(session);
  const [problem, ...further] = problemsIn(form.errors);
  // What the box says already is not repeated beside the fields.
  const email = form.getInputProps("email", { withError: false });
  const delivery = create.data?.delivery;
  const sendsMail = useSendsMail();
  return (
    <form onSubmit={invitation.submit} noValidate>
      <Stack gap="sm">
        <SuccessMessage floats message={delivery === "sent" ? messages.sent : null} onClose={create.reset} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={messages.nameLabel}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps("counterName", { withError: false })}
          />
          <TextInput
            label={messages.emailLabel}
            type="email"
            autoComplete="off"
            {...email}
            error={email.error ?? form.errors.email === messages.invalidEmail}
          />
        </SimpleGrid>
        <LocationChoice storeId={session.storeId._id} form={form} />
        {saysNoMail ? <NoMailNotice sessionId={session._id} isCreated={delivery === "outbox"} /> : null}
        <Button
          type="submit"
          disabled={create.isPending || invitation.isReading}
          style={{ alignSelf: "flex-start" }}
        >
          {create.isPending ? messages.sending : sendsMail ? messages.send : messages.create}
        </Button>
        {problem === undefined ? null : <ErrorMessage message={problem} advice={further[0] ?? null} />}
        <ErrorBox error={create.error} fallback={messages.sendFailed} />
      </Stack>
      {invitation.again === null ? null : (
        <InviteAgainDialog
          before={invitation.again}
          onConfirm={invitation.send}
          onCancel={invitation.cancel}
        />
      )}
    </form>
  );
}
