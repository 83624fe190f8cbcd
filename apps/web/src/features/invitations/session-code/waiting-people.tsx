import { Button, Group, Stack, Text } from "@mantine/core";
import type { JoinRequest, SessionCode } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { invitationsQuery } from "../../../http/shared-queries.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { timeText } from "../../../ui/formats.ts";
import { sharedNames, takenNames } from "../../../ui/names/shared-names.ts";
import { Notice } from "../../../ui/notice.tsx";
import { useAdmit, useAdmitAll, useDecline } from "./api.ts";
import { messages } from "./messages.ts";
import classes from "./session-code.module.css";

interface WaitingPersonProps {
  readonly request: JoinRequest;
  /** What becomes of the name, where others have it; else null. */
  readonly nameNote: string | null;
  /** Somebody else waits under the same name. */
  readonly isNameShared: boolean;
}

function WaitingPerson({ request, nameNote, isNameShared }: WaitingPersonProps) {
  const asked = messages.asked(timeText(request.askedAt));
  const who = isNameShared ? `${request.counterName}, ${asked}` : request.counterName;
  const admission = useAdmit(request._id);
  const decline = useDecline(request._id);
  const busy = admission.isPending || decline.isPending;
  return (
    <li>
      <div className={classes.person}>
        <div className={classes.name}>
          <Text fw={560}>{request.counterName}</Text>
          <Text c="dimmed" fz="sm">
            {asked}
          </Text>
          {nameNote === null ? null : (
            <Text c="dimmed" fz="sm">
              {nameNote}
            </Text>
          )}
        </div>
        <Button
          disabled={busy}
          onClick={() => admission.send(undefined)}
          aria-label={`${messages.admit} ${who}`}
        >
          {messages.admit}
        </Button>
        <Button
          variant="default"
          disabled={busy}
          onClick={() => decline.send(undefined)}
          aria-label={`${messages.decline} ${who}`}
        >
          {messages.decline}
        </Button>
      </div>
      <ErrorBox error={admission.error} fallback={messages.admitFailed} />
      <ErrorBox error={decline.error} fallback={messages.declineFailed} />
    </li>
  );
}

function Everybody({ code }: { code: SessionCode }) {
  const change = useAdmitAll(code._id);
  // The server names no time that is over by its clock.
  const { admitUntil } = code;
  const isAdmitting = admitUntil !== null;
  return (
    <>
      <ErrorBox error={change.error} fallback={messages.admitAllFailed} />
      {admitUntil !== null ? (
        <Notice kind="info" role="status">
          {messages.admittingUntil(timeText(admitUntil))}
        </Notice>
      ) : null}
      <Group>
        <Button variant="default" disabled={change.isPending} onClick={() => change.send(!isAdmitting)}>
          {isAdmitting ? messages.stopAdmitting : messages.admitAll}
        </Button>
      </Group>
    </>
  );
}

/** Who has come in by the code, the last one first; they are removed in the list of invitations. */
export function AdmittedPeople({ sessionId }: { sessionId: string }) {
  const { data: invitations } = useQuery(invitationsQuery(sessionId));
  if (invitations === undefined) return null;
  // Whoever was invited otherwise has an address.
  const admitted = invitations
    .filter(({ email }) => email === "")
    .toSorted((left, right) => right.createdAt.localeCompare(left.createdAt));
  if (admitted.length === 0) return <Text c="dimmed">{messages.nobodyAdmitted}</Text>;
  return (
    <ul className={classes.people} aria-label={messages.admittedHeading}>
      {admitted.map(({ _id, counterName, createdAt, usedAt }) => (
        <li key={_id} className={classes.person}>
          <Text fw={560} className={classes.name ?? ""}>
            {counterName}
          </Text>
          <Text c="dimmed" fz="sm">
            {messages.admittedAt(timeText(createdAt), usedAt !== null)}
          </Text>
        </li>
      ))}
    </ul>
  );
}

interface WaitingPeopleProps {
  readonly sessionId: string;
  readonly code: SessionCode;
  readonly requests: readonly JoinRequest[];
}

/** Who has asked, the longest waiting first, each to be admitted with one press; and the way to admit everybody. */
export function WaitingPeople({ sessionId, code, requests }: WaitingPeopleProps) {
  const { data: invitations = [] } = useQuery(invitationsQuery(sessionId));
  // Whoever was invited keeps the name, also before they come; of those who wait it is the first to be admitted.
  const isTaken = takenNames(invitations.map(({ counterName }) => counterName));
  const isShared = sharedNames(requests.map(({ counterName }) => counterName));
  const noteOn = (name: string) =>
    isTaken(name) ? messages.nameTaken : isShared(name) ? messages.sameName : null;
  return (
    <Stack gap="sm">
      <Everybody code={code} />
      <div aria-live="polite">
        {requests.length === 0 ? <Text c="dimmed">{messages.nobody}</Text> : null}
        <ul className={classes.people} aria-label={messages.waitingHeading}>
          {requests.map((request) => (
            <WaitingPerson
              key={request._id}
              request={request}
              nameNote={noteOn(request.counterName)}
              isNameShared={isShared(request.counterName)}
            />
          ))}
        </ul>
      </div>
    </Stack>
  );
}
