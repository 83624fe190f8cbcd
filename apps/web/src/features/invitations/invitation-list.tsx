import { Anchor, Button, Flex, Stack, Text } from "@mantine/core";
import { type Invitation, type OutboxMail, revokeInvitation } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../http/call.ts";
import { useSendsMail } from "../../http/health.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { invitationsQuery } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/drawing/loaded.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { sharedNames } from "../../ui/names/shared-names.ts";
import { Notice } from "../../ui/notice.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { QuietTable } from "../../ui/tables/quiet-table.tsx";
import { messages } from "./messages.ts";
import { opensHereOnly } from "./opens-here-only.ts";
import { CopyButton, outboxQuery } from "./outbox.tsx";
import { WaitingPeople } from "./waiting-people.tsx";

function useRevokeInvitation() {
  return useChange((id: string) => callApi(revokeInvitation, { params: { id } }), staleAfter.invitation);
}

/** The mail that carries an invitation: its link ends with the token, of which the list has the last characters. */
function mailOf(invitation: Invitation, mails: readonly OutboxMail[]): OutboxMail | undefined {
  return mails.find((mail) => mail.link.endsWith(invitation.token));
}

interface RevokeDialogProps {
  readonly invitation: Invitation;
  /** Others of the session have the name too. */
  readonly isNameShared: boolean;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RevokeDialog({ invitation, isNameShared, onDone, onClose }: RevokeDialogProps) {
  const revocation = useRevokeInvitation();
  const { counterName, email } = invitation;
  const who = isNameShared && email !== "" ? `${counterName} (${email})` : counterName;
  const succeed = () => {
    onDone();
    onClose();
  };
  return (
    <ConfirmDialog
      title={messages.revokeHeading}
      message={messages.revokeQuestion(who)}
      consequences={messages.revokeConsequences(counterName)}
      confirmLabel={messages.revokeConfirm}
      change={revocation}
      errorFallback={messages.revokeFailed}
      onConfirm={() => revocation.send(invitation._id, succeed)}
      onCancel={onClose}
    />
  );
}

interface RowActionsProps {
  readonly invitation: Invitation;
  readonly mail: OutboxMail | undefined;
  readonly onOpenMail: (mail: OutboxMail) => void;
  readonly onRevoke: () => void;
}

function RowActions({ invitation, mail, onOpenMail, onRevoke }: RowActionsProps) {
  const name = invitation.counterName;
  return (
    <Flex gap={4} justify="flex-end" wrap={{ base: "wrap", md: "nowrap" }}>
      {mail === undefined ? null : (
        <Button
          variant="subtle"
          size="sm"
          onClick={() => onOpenMail(mail)}
          aria-label={`${messages.openMail} for ${name}`}
        >
          {messages.openMail}
        </Button>
      )}
      <Button
        variant="subtle"
        color="red"
        size="sm"
        onClick={onRevoke}
        aria-label={`${messages.revoke} ${name}`}
      >
        {messages.revoke}
      </Button>
    </Flex>
  );
}

interface PersonProps {
  readonly invitation: Invitation;
  readonly isNameShared: boolean;
  /** Where a mail server has been set up since, nothing else on the page says that this one was not sent. */
  readonly isNotSent: boolean;
}

function Person({ invitation, isNameShared, isNotSent }: PersonProps) {
  const { locationName = null, usedAt } = invitation;
  return (
    <div>
      <Text fw={560}>{invitation.counterName}</Text>
      <Text c="dimmed" fz="sm" style={{ overflowWrap: "anywhere" }}>
        {invitation.email === "" ? messages.byCode : invitation.email}
      </Text>
      {isNameShared && usedAt === null ? (
        <Text c="dimmed" fz="sm">
          {messages.sameName}
        </Text>
      ) : null}
      {locationName === null ? null : (
        <Text c="dimmed" fz="sm" style={{ overflowWrap: "anywhere" }}>
          {messages.begins(locationName)}
        </Text>
      )}
      {isNotSent ? (
        <Text c="dimmed" fz="sm">
          {messages.notSent}
        </Text>
      ) : null}
    </div>
  );
}

interface InvitationTableProps {
  readonly invitations: readonly Invitation[];
  readonly onOpenMail: (mail: OutboxMail) => void;
  readonly onRevoke: (invitation: Invitation) => void;
}

function InvitationTable({ invitations, onOpenMail, onRevoke }: InvitationTableProps) {
  const { data: mails = [] } = useQuery(outboxQuery);
  const sendsMail = useSendsMail();
  const isShared = sharedNames(invitations.map(({ counterName }) => counterName));
  if (invitations.length === 0) return <Text c="dimmed">{messages.none}</Text>;
  return (
    <QuietTable
      label={messages.listHeading}
      rows={invitations}
      keyOf={(invitation) => invitation._id}
      columns={[
        {
          header: "Counter",
          cell: (invitation) => (
            <Person
              invitation={invitation}
              isNameShared={isShared(invitation.counterName)}
              isNotSent={sendsMail && mailOf(invitation, mails) !== undefined}
            />
          ),
        },
        { header: "Token", cell: ({ token }) => <code>…{token}</code> },
        { header: "Created", cell: (invitation) => dateTimeText(invitation.createdAt) },
        {
          header: "Used",
          cell: ({ usedAt }) =>
            usedAt === null ? <StatusBadge tone="neutral">Not used</StatusBadge> : dateTimeText(usedAt),
        },
        {
          header: "Actions",
          hiddenHeader: true,
          cell: (invitation) => (
            <RowActions
              invitation={invitation}
              mail={mailOf(invitation, mails)}
              onOpenMail={onOpenMail}
              onRevoke={() => onRevoke(invitation)}
            />
          ),
        },
      ]}
    />
  );
}

/** A mail that no server took, as it would have been sent. */
function MailDialog({ mail, onClose }: { mail: OutboxMail; onClose: () => void }) {
  return (
    <Dialog size="lg" onClose={onClose} title={messages.mailHeading}>
      <Stack gap="sm">
        <Text c="dimmed" fz="sm">
          To {mail.to} · {dateTimeText(mail.createdAt)}
        </Text>
        <Text fw={620}>{mail.subject}</Text>
        <Text style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{mail.text}</Text>
        <Anchor href={mail.link} style={{ overflowWrap: "anywhere" }}>
          {mail.link}
        </Anchor>
        {opensHereOnly(mail.link) ? <Notice kind="warning">{messages.opensHereOnly}</Notice> : null}
        <DialogActions>
          <CopyButton text={mail.link} label={messages.copyLink} />
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

interface InvitationListProps {
  readonly sessionId: string;
  readonly onDone: (message: string) => void;
}

export function InvitationList({ sessionId, onDone }: InvitationListProps) {
  const query = useQuery(invitationsQuery(sessionId));
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const [mail, setMail] = useState<OutboxMail | null>(null);
  return (
    <Loaded query={query} fallback={messages.fetchFailed}>
      {(invitations) => (
        <>
          <WaitingPeople sessionId={sessionId} />
          <InvitationTable invitations={invitations} onOpenMail={setMail} onRevoke={setRevoking} />
          {revoking === null ? null : (
            <RevokeDialog
              invitation={revoking}
              isNameShared={sharedNames(invitations.map(({ counterName }) => counterName))(
                revoking.counterName,
              )}
              onDone={() => onDone(messages.revoked)}
              onClose={() => setRevoking(null)}
            />
          )}
          {mail === null ? null : <MailDialog mail={mail} onClose={() => setMail(null)} />}
        </>
      )}
    </Loaded>
  );
}
