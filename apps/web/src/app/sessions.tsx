import { InvitationDialog } from "../features/invitations/invitation-dialog.tsx";
import { SessionsPage } from "../features/sessions/sessions-page.tsx";

/** The sessions page with the invitations of a session in it. */
export function Sessions() {
  return (
    <SessionsPage
      renderInvitations={(session, onClose) => <InvitationDialog session={session} onClose={onClose} />}
    />
  );
}
