import { Stack, Title } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { Dialog } from "../../ui/dialog.tsx";
import { InvitationForm } from "./invitation-form.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { messages } from "./messages.ts";

interface InvitationDialogProps {
  readonly session: CountingSession;
  readonly onClose: () => void;
}

/** Invites counters to a session, and lists and revokes its invitations. */
export function InvitationDialog({ session, onClose }: InvitationDialogProps) {
  return (
    <Dialog size="60rem" onClose={onClose} title={messages.title(session.storeId.name)}>
      <Stack gap="md">
        <InvitationForm session={session} />
        <Title order={3} fz="1rem">
          {messages.listHeading}
        </Title>
        <InvitationList sessionId={session._id} />
      </Stack>
    </Dialog>
  );
}
