import { Button, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { type CountingSession, limits } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { locationsQuery } from "../../http/shared-queries.ts";
import { ErrorBox, ErrorMessage } from "../../ui/error-box.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { type InvitationEntry, useCreateInvitation } from "./api.ts";
import { texts } from "./texts.ts";

const emptyEntry: InvitationEntry = { counterName: "", email: "", locationId: "" };
const emailShape = /^[^\s@]+@[^\s@]+$/;

/** What is wrong with an invitation (specification, section 5), or null. */
function problemOfInvitation(entry: InvitationEntry): string | null {
  if (entry.counterName.trim() === "" || entry.email.trim() === "") return texts.required;
  return emailShape.test(entry.email.trim()) ? null : texts.invalidEmail;
}

function useInvitationForm(session: CountingSession) {
  const [entry, setEntry] = useState(emptyEntry);
  const [problem, setProblem] = useState<string | null>(null);
  const create = useCreateInvitation(session._id, session.storeId._id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    const found = problemOfInvitation(entry);
    setProblem(found);
    create.reset();
    if (found === null) create.mutate(entry, { onSuccess: () => setEntry(emptyEntry) });
  };
  return { entry, setEntry, problem, create, submit };
}

function LocationChoice({ storeId, value, onChange }: LocationChoiceProps) {
  const { data: locations = [] } = useQuery(locationsQuery);
  const choices = locations
    .filter((location) => location.storeId._id === storeId)
    .map((location) => ({ value: location._id, label: location.name }));
  return (
    <NativeSelect
      label={texts.locationLabel}
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
  const { entry, setEntry, problem, create, submit } = useInvitationForm(session);
  const delivery = create.data?.delivery;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {problem === null ? null : <ErrorMessage message={problem} />}
        <ErrorBox error={create.error} fallback={texts.sendFailed} />
        <SuccessMessage message={delivery === "sent" ? texts.sent : null} />
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
    </form>
  );
}
