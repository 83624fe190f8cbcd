import { ActionIcon, Stack, Text } from "@mantine/core";
import type { WorkNotice } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { BellIcon } from "../../ui/icons.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { countName } from "../../ui/search/session-text.ts";
import { StatusBadge, type StatusTone } from "../../ui/status-badge.tsx";
import { noticesQuery } from "./api.ts";
import classes from "./inbox.module.css";
import { addressOf, kindTextOf, messages, textOf } from "./messages.ts";
import { useSeenDeploys } from "./seen-deploys.ts";

const texts = messages.inbox;

const tones: Readonly<Record<WorkNotice["kind"], StatusTone>> = {
  recounts: "warning",
  silent_devices: "warning",
  unheard_devices: "neutral",
  join_requests: "warning",
  not_invited: "warning",
  counted_by_others: "warning",
  exceptions: "warning",
  deploy_partial: "negative",
  deploy_failed: "negative",
  deploy_done: "positive",
};

interface NoticeLineProps {
  readonly notice: WorkNotice;
  readonly onFollow: () => void;
}

/** Leads to where the notice is worked off. */
function NoticeLine({ notice, onFollow }: NoticeLineProps) {
  const { kind, storeName, sessionName } = notice;
  return (
    <li>
      <Link to={addressOf(notice)} className={classes.notice} onClick={onFollow}>
        <StatusBadge tone={tones[kind]}>{kindTextOf(notice)}</StatusBadge>
        <span>{textOf(notice)}</span>
        <span className={classes.where}>{countName(storeName, sessionName)}</span>
      </Link>
    </li>
  );
}

/** What waits for the administrator, on every page; what is done is gone by itself. */
export function Inbox() {
  const [open, setOpen] = useState(false);
  const { data, error, refetch } = useQuery(noticesQuery);
  const { isSeen, markSeen } = useSeenDeploys();
  const waiting = (data?.work ?? []).filter((notice) => !isSeen(notice));
  const follow = (notice: WorkNotice) => {
    markSeen(notice);
    setOpen(false);
  };
  return (
    <>
      <div className={classes.button}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={48}
          aria-label={texts.button(waiting.length)}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          <BellIcon />
        </ActionIcon>
        {waiting.length === 0 ? null : (
          <span className={classes.badge} aria-hidden="true">
            {waiting.length}
          </span>
        )}
      </div>
      {open ? (
        <Dialog title={texts.title} onClose={() => setOpen(false)}>
          <Stack gap="xs">
            <ErrorBox error={error} fallback={texts.failed} onRetry={refetch} />
            {data === undefined && error === null ? <LoadingState /> : null}
            {data !== undefined && waiting.length === 0 ? <Text c="dimmed">{texts.none}</Text> : null}
            {waiting.length === 0 ? null : (
              <ul className={classes.notices}>
                {waiting.map((notice) => (
                  <NoticeLine
                    key={`${notice.kind} ${notice.sessionId} ${notice.adjustmentId ?? ""}`}
                    notice={notice}
                    onFollow={() => follow(notice)}
                  />
                ))}
              </ul>
            )}
          </Stack>
        </Dialog>
      ) : null}
    </>
  );
}
