import { EmptyState } from "../../ui/empty-state.tsx";
import { SessionPage } from "../../ui/session-page.tsx";
import { LoadCounts } from "./count-file/load-counts.tsx";
import { help } from "./help.ts";
import { messages } from "./messages.ts";

/** Counts of a session that were made elsewhere (/admin/sessions/:sessionId/files). */
export function PaperPage() {
  return (
    <SessionPage
      title={messages.title}
      subtitle={messages.subtitle}
      back={() => ({ to: "/admin/sessions", label: messages.back })}
      failed={messages.failed}
      missing={{ title: messages.missing, text: messages.missingText }}
      help={help}
    >
      {({ _id, status }) =>
        status === "closed" ? (
          <EmptyState title={messages.over}>{messages.overText}</EmptyState>
        ) : (
          <LoadCounts sessionId={_id} />
        )
      }
    </SessionPage>
  );
}
