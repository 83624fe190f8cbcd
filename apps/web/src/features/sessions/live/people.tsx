import { Box, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { invitationsQuery } from "../../../http/shared-queries.ts";
import { agoText, areaText } from "../../../ui/formats.ts";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { useNow } from "../../../ui/timers.ts";
import type { SessionProgress } from "../api.ts";
import { messages } from "../messages.ts";
import { type CountingPerson, clockOf, countingPeople, whereText } from "../progress-summary.ts";
import classes from "./live.module.css";

const agoEveryMs = 15_000;
const { live } = messages;

interface ReadProgress {
  readonly progress: SessionProgress;
  /** When it was read, by the browser's clock. */
  readonly readAt: number;
}

const namedArea = ({ code, name }: SessionProgress["areas"][number]) => areaText(code, name);

/** Where somebody counts, and where that are several, on how many devices. */
function placeText(person: CountingPerson, areas: SessionProgress["areas"]): string {
  const where = whereText(person, areas, namedArea);
  return person.devices < 2 ? where : `${where} · ${live.onDevices(person.devices)}`;
}

interface PersonLineProps extends ReadProgress {
  readonly person: CountingPerson;
}

function PersonLine({ person, progress, readAt }: PersonLineProps) {
  const now = clockOf(progress, readAt, useNow(agoEveryMs));
  return (
    <li className={classes.device}>
      <div className={classes.who}>
        <span className={classes.person}>{person.username}</span>
        <span className={classes.where}>{placeText(person, progress.areas)}</span>
      </div>
      <div className={classes.seen}>
        {person.lastSeenAt === null ? null : live.heard(agoText(person.lastSeenAt, now))}
        {person.pending === 0 ? null : (
          <StatusBadge tone="warning">{live.notSent(person.pending)}</StatusBadge>
        )}
      </div>
    </li>
  );
}

/** Everybody who counts or has joined, and where. */
export function People({ sessionId, progress, readAt }: ReadProgress & { readonly sessionId: string }) {
  const { data: invited = [] } = useQuery(invitationsQuery(sessionId));
  const people = countingPeople(progress.devices, invited);
  if (people.length === 0) return <Text c="dimmed">{live.nobody}</Text>;
  return (
    <Box className={classes.scroll ?? ""} tabIndex={0}>
      <ul className={classes.devices} aria-label={live.counters}>
        {people.map((person) => (
          <PersonLine key={person.username} person={person} progress={progress} readAt={readAt} />
        ))}
      </ul>
    </Box>
  );
}
