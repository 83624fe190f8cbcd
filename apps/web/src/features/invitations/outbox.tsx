import { Button } from "@mantine/core";
import { listOutboxMails } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { callAllPages } from "../../http/call.ts";
import { useSendsMail } from "../../http/health.ts";
import { queryRoots } from "../../http/query-roots.ts";
import { Notice } from "../../ui/notice.tsx";
import { messages } from "./messages.ts";

/** The mails that no server took. */
export const outboxQuery = queryOptions({
  queryKey: [queryRoots.outbox],
  queryFn: ({ signal }) => callAllPages(listOutboxMails, { signal }),
  select: (answer) => answer.mails,
  retry: false,
});

interface NoMailNoticeProps {
  readonly sessionId: string;
  /** An invitation was created just now, and not sent. */
  readonly isCreated?: boolean;
}

/** Says before anybody is invited that nothing will be sent, and afterwards that nothing was, with what to do instead. */
export function NoMailNotice({ sessionId, isCreated = false }: NoMailNoticeProps) {
  const sendsMail = useSendsMail();
  if (sendsMail && !isCreated) return null;
  return (
    <Notice
      kind={isCreated ? "warning" : "info"}
      role="status"
      action={
        <Button
          component={Link}
          to={`/admin/sessions/${encodeURIComponent(sessionId)}/code`}
          variant="default"
          size="sm"
        >
          {messages.showCode}
        </Button>
      }
    >
      {isCreated ? messages.outbox : messages.noMail}
    </Notice>
  );
}

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
}

/** Copies where the browser lets a page copy: only on https and on this machine itself. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  if (!window.isSecureContext) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <Button variant="default" onClick={() => void copy()}>
      {copied ? messages.copied : label}
    </Button>
  );
}
