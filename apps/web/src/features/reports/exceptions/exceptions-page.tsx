import { EmptyState } from "../../../ui/empty-state.tsx";
import { SessionPage } from "../../../ui/session-page.tsx";
import { ExceptionsPanel } from "./exceptions-panel.tsx";
import { help } from "./help.ts";
import { messages } from "./messages.ts";

const { list } = messages;

/** What the phones of a session set aside, decided on while it counts and the item is still at hand. */
export function ExceptionsPage() {
  return (
    <SessionPage
      title={list.pageTitle}
      subtitle={list.pageSubtitle}
      back={() => ({ to: "/admin/sessions", label: list.back })}
      failed={list.fetchFailed}
      missing={{ title: list.missing, text: list.missingText }}
      help={help}
    >
      {({ _id, storeId }) => (
        <ExceptionsPanel
          sessionId={_id}
          storeId={storeId._id}
          locked={false}
          anchor="scans-to-decide"
          empty={<EmptyState title={list.none}>{list.noneText}</EmptyState>}
        />
      )}
    </SessionPage>
  );
}
