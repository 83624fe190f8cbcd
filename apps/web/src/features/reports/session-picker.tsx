import { Button, UnstyledButton } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useState } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { SearchableList } from "../../ui/search/searchable-list.tsx";
import { sessionText } from "../../ui/search/session-text.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { messages } from "./messages.ts";
import classes from "./session-picker.module.css";

const shownAtFirst = 6;

interface SessionCardProps {
  readonly session: CountingSession;
  readonly selected: boolean;
  readonly onSelect: () => void;
}

function SessionCard({ session, selected, onSelect }: SessionCardProps) {
  return (
    <UnstyledButton className={classes.card ?? ""} aria-pressed={selected} onClick={onSelect}>
      <span className={classes.head}>
        <span className={classes.store}>{session.storeId.name.trim() || messages.unknownStore}</span>
        {selected ? <StatusBadge tone="positive">{messages.selected}</StatusBadge> : null}
      </span>
      {session.name === undefined || session.name === null ? null : <span>{session.name}</span>}
      <span className={classes.dates}>Started {dateTimeText(session.startedAt)}</span>
      <span className={classes.dates}>Ended {dateTimeText(session.endedAt)}</span>
    </UnstyledButton>
  );
}

interface SessionPickerProps {
  /** Completed sessions, newest first. */
  readonly sessions: readonly CountingSession[];
  readonly selectedId: string | null;
  readonly onSelect: (id: string) => void;
}

/** The newest sessions and the selected one; the others on demand. */
function shownSessions(sessions: readonly CountingSession[], selectedId: string | null) {
  return sessions.filter((session, index) => index < shownAtFirst || session._id === selectedId);
}

export function SessionPicker({ sessions, selectedId, onSelect }: SessionPickerProps) {
  const [all, setAll] = useState(false);
  if (sessions.length === 0)
    return <EmptyState title={messages.noSessions}>{messages.noSessionsText}</EmptyState>;
  return (
    <SearchableList label={messages.selectSession} rows={sessions} textOf={sessionText}>
      {(found) => {
        const isWhole = all || found.length < sessions.length;
        const shown = isWhole ? found : shownSessions(sessions, selectedId);
        return (
          <>
            <div className={isWhole ? classes.every : classes.newest}>
              {shown.map((session) => (
                <SessionCard
                  key={session._id}
                  session={session}
                  selected={session._id === selectedId}
                  onSelect={() => onSelect(session._id)}
                />
              ))}
            </div>
            {shown.length === found.length ? null : (
              <Button variant="subtle" onClick={() => setAll(true)} style={{ alignSelf: "flex-start" }}>
                {messages.showAllSessions(sessions.length)}
              </Button>
            )}
          </>
        );
      }}
    </SearchableList>
  );
}
