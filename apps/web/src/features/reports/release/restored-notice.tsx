import { Button } from "@mantine/core";
import { useState } from "react";
import { Notice } from "../../../ui/notice.tsx";
import type { Report } from "../api.ts";
import { messages } from "./messages.ts";
import { ReleaseDialog } from "./release-dialog.tsx";

interface RestoredNoticeProps {
  readonly report: Report;
  readonly onDone: (message: string) => void;
}

/** Says of a report that came out of a backup that nothing of it moves stock, and leads to its release. */
export function RestoredNotice({ report, onDone }: RestoredNoticeProps) {
  const [asking, setAsking] = useState(false);
  if (report.session.restored !== true) return null;
  return (
    <>
      <Notice
        kind="warning"
        title={messages.noticeTitle}
        action={
          <Button variant="default" size="sm" onClick={() => setAsking(true)}>
            {messages.open}
          </Button>
        }
      >
        {messages.notice}
      </Notice>
      {asking ? (
        <ReleaseDialog sessionId={report.session._id} onDone={onDone} onClose={() => setAsking(false)} />
      ) : null}
    </>
  );
}
