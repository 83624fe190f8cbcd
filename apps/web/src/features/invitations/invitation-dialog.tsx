import { Button, Group, Stack, Title } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { InvitationForm } from "./invitation-form.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { InviteListDialog } from "./list/invite-list-dialog.tsx";
import { messages } from "./messages.ts";

interface InvitationDialogProps {
  readonly session: CountingSession;
  readonly onClose: () => void;
}

/** Invites counters to a session, and lists and revokes its invitations. */
export function InvitationDialog({ session, onClose }: InvitationDialogProps) {
  const [listing, setListing] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  return (
    <Dialog size="60rem" grows onClose={onClose} title={messages.title(session.storeId.name)}>
      <Stack gap="md">
        <SuccessMessage floats message={message} onClose={() => setMessage(null)} />
        <InvitationForm session={session} saysNoMail={!listing} />
        <Group>
          <Button variant="default" onClick={() => setListing(true)}>
            {messages.list.open}
          </Button>
        </Group>
        <Title order={3} fz="1rem">
          {messages.listHeading}
        </Title>
        <InvitationList sessionId={session._id} onDone={setMessage} />
      </Stack>
      {listing ? <InviteListDialog session={session} onClose={() => setListing(false)} /> : null}
    </Dialog>
  );
}
