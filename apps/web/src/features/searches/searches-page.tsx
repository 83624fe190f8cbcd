import { Anchor, Text } from "@mantine/core";
import { Link } from "react-router";
import { reportPath } from "../../http/report-path.ts";
import { Notice } from "../../ui/notice.tsx";
import { SessionPage } from "../../ui/session-page.tsx";
import { help } from "./help.ts";
import { messages } from "./messages.ts";
import { NeverCounted } from "./never-counted.tsx";
import { SearchLists } from "./search-lists.tsx";

/** What nobody has counted, and the lists by which it is looked for. */
export function SearchesPage() {
  return (
    <SessionPage
      title={messages.title}
      subtitle={messages.subtitle}
      back={() => ({ to: "/admin/sessions", label: messages.back })}
      failed={messages.failed}
      missing={{ title: messages.missing, text: messages.missingText }}
      help={help}
    >
      {(session) => (
        <>
          <Text maw="48rem">{messages.intro}</Text>
          {session.status === "closed" ? (
            <Notice kind="info">
              {messages.ended}{" "}
              <Anchor component={Link} to={reportPath(session._id)} fz="inherit" underline="always">
                {messages.toReport}
              </Anchor>
            </Notice>
          ) : (
            <NeverCounted session={session} />
          )}
          <SearchLists session={session} />
        </>
      )}
    </SessionPage>
  );
}
