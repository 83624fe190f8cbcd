import { Anchor, Button, Stack, Text } from "@mantine/core";
import type { OutboxMail } from "@stocktake/contract";
import { useState } from "react";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { Notice } from "../../ui/notice.tsx";
import { messages } from "./messages.ts";

/** Copies where the browser lets a page copy: only on https and on this machine itself. */
function CopyLink({ link }: { link: string }) {
  const [copied, setCopied] = useState(false);
  if (!window.isSecureContext) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(link);
    setCopied(true);
  };
  return (
    <Button variant="default" onClick={() => void copy()}>
      {copied ? messages.copied : messages.copyLink}
    </Button>
  );
}

/** A server without a public address puts this machine's own into the link. */
function opensHereOnly(link: string): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(new URL(link).hostname);
}

/** A mail that no server took, as it would have been sent. */
export function MailDialog({ mail, onClose }: { mail: OutboxMail; onClose: () => void }) {
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
          <CopyLink link={mail.link} />
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}
