import { Button } from "@mantine/core";
import { listMoveEvents, type MoveEvent } from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callAllPages } from "../../../http/call.ts";
import { queryRoots } from "../../../http/query-roots.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { countText, dateTimeText } from "../../../ui/formats.ts";
import { messages } from "../messages.ts";
import classes from "./timeline.module.css";
import { timelineMessages as texts } from "./timeline-messages.ts";

function timelineQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.adjustments, sessionId, "timeline"],
    queryFn: ({ signal }) => callAllPages(listMoveEvents, { params: { sessionId }, signal }),
    select: (answer) => answer.events,
  });
}

const shownAtFirst = 10;

function Event({ event }: { readonly event: MoveEvent }) {
  const open = texts.open(event);
  return (
    <li className={classes.event}>
      <div className={classes.what}>{texts.what(event)}</div>
      <div className={classes.note}>
        {dateTimeText(event.at)}, {event.by?.username ?? texts.server}
      </div>
      {open === null ? null : <div className={classes.note}>{open}</div>}
      {event.note === null ? null : <div className={classes.note}>{event.note}</div>}
    </li>
  );
}

/** What happened, asked for where the history is and not where it is drawn: on a phone it is folded, and printed all the same. */
export function useTimeline(sessionId: string, isWanted: boolean) {
  return useQuery({ ...timelineQuery(sessionId), enabled: isWanted });
}

/** Deploys, resumes and rollbacks in the order in which they happened, newest first, with what each left open and why. */
export function Timeline({ timeline }: { readonly timeline: ReturnType<typeof useTimeline> }) {
  const { data: events = [], error, refetch } = timeline;
  const [all, setAll] = useState(false);
  const shown = all ? events : events.slice(0, shownAtFirst);
  const more = events.length - shown.length;
  return (
    <div>
      <h3 className={classes.heading}>{texts.heading}</h3>
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      <ol className={classes.events} aria-label={texts.heading}>
        {shown.map((event) => (
          <Event key={event._id} event={event} />
        ))}
      </ol>
      {more === 0 ? null : (
        <Button variant="default" size="sm" onClick={() => setAll(true)}>
          {messages.openRows.showMore(countText(more, "entry", "entries"))}
        </Button>
      )}
    </div>
  );
}
