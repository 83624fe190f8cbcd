import { Button, Stack, Text, Title } from "@mantine/core";
import { revokeInvitation, type WaitingInvitation } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { invitationsQuery } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { type QuietColumn, QuietTable } from "../../ui/tables/quiet-table.tsx";
import { messages } from "./messages.ts";

const texts = messages.waiting;

function Problem({ person: { problem, givenUp } }: { readonly person: WaitingInvitation }) {
  const next = givenUp ? texts.givenUp : texts.trying;
  return (
    <div>
      {problem === null ? null : <StatusBadge tone="negative">{problem}</StatusBadge>}
      <Text fz="sm" c="dimmed">
        {next}
      </Text>
    </div>
  );
}

const columnsWith = (
  onTakeOut: (id: string) => void,
  isBusy: boolean,
): readonly QuietColumn<WaitingInvitation>[] => [
  {
    header: "Counter",
    cell: ({ counterName, email }) => (
      <div>
        <Text fw={560}>{counterName}</Text>
        <Text c="dimmed" fz="sm" style={{ overflowWrap: "anywhere" }}>
          {email}
        </Text>
      </div>
    ),
  },
  {
    header: "Invitation",
    cell: (person) => <Problem person={person} />,
  },
  {
    header: "Actions",
    hiddenHeader: true,
    cell: ({ _id, counterName }) => (
      <Button
        variant="subtle"
        size="sm"
        disabled={isBusy}
        onClick={() => onTakeOut(_id)}
        aria-label={texts.takeOutOf(counterName)}
      >
        {texts.takeOut}
      </Button>
    ),
  },
];

/** Whom a planned session, now started, is still to invite, with what is in the way. */
export function WaitingPeople({ sessionId }: { readonly sessionId: string }) {
  const { data: waiting = [] } = useQuery({
    ...invitationsQuery(sessionId),
    select: (answer) => answer.waiting ?? [],
  });
  const takingOut = useChange(
    (id: string) => callApi(revokeInvitation, { params: { id } }),
    staleAfter.invitation,
  );
  if (waiting.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={4} fz="1rem">
        {texts.heading}
      </Title>
      <ErrorBox error={takingOut.error} fallback={texts.failed} />
      <QuietTable
        label={texts.heading}
        rows={waiting}
        keyOf={({ _id }) => _id}
        columns={columnsWith((id) => takingOut.send(id), takingOut.isPending)}
      />
    </Stack>
  );
}
