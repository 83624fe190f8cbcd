import { noneText } from "../../../ui/formats.ts";
import type { PersonLine } from "../../../ui/people/person-lines.ts";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { messages } from "../messages.ts";
import { CopyButton } from "../outbox.tsx";
import classes from "./invite-list.module.css";
import type { SentPerson } from "./list-sending.ts";

interface PersonRowProps {
  readonly number: number;
  readonly person: { readonly counterName: string; readonly email: string };
  readonly status: { readonly label: string; readonly tone: "positive" | "neutral" | "negative" } | null;
  readonly problem: string | null;
  /** The way in, where it has to be passed on by hand. */
  readonly link?: string | undefined;
}

function PersonRow({ number, person, status, problem, link }: PersonRowProps) {
  return (
    <li className={`${classes.person} ${problem === null ? "" : classes.bad}`}>
      <span className={classes.number}>{number}</span>
      <span>
        <span className={classes.name}>{person.counterName || noneText}</span>{" "}
        <span className={classes.email}>{person.email}</span>
      </span>
      <span>{status === null ? null : <StatusBadge tone={status.tone}>{status.label}</StatusBadge>}</span>
      {problem === null ? null : <span className={classes.problem}>{problem}</span>}
      {link === undefined ? null : (
        <span className={classes.link}>
          <span>{link}</span>
          <CopyButton text={link} label={messages.list.copyLinkOf(person.counterName)} />
        </span>
      )}
    </li>
  );
}

interface PeoplePreviewProps {
  readonly lines: readonly PersonLine[];
  /** The addresses, in small letters, that the session has invited. */
  readonly present: ReadonlySet<string>;
}

/** The people as they were read, with what is wrong beside each line that nobody can be invited by. */
export function PeoplePreview({ lines, present }: PeoplePreviewProps) {
  return (
    <ul className={classes.people} aria-label={messages.list.preview}>
      {lines.map((line, place) => (
        <PersonRow
          // A line may hold several people, and the same one twice.
          key={`${line.line} ${place}`}
          number={line.line}
          person={line}
          status={
            present.has(line.email.toLowerCase())
              ? { label: messages.list.statuses.already, tone: "neutral" }
              : null
          }
          problem={line.problem}
        />
      ))}
    </ul>
  );
}

const tones = {
  waiting: "neutral",
  sending: "neutral",
  sent: "positive",
  outbox: "neutral",
  already: "neutral",
  failed: "negative",
} as const;

interface SentPeopleProps {
  readonly people: readonly SentPerson[];
  /** By the address that each was invited under; of those alone to whom nothing could be sent. */
  readonly links: ReadonlyMap<string, string>;
}

/** What has become of each, while they are sent and afterwards. */
export function SentPeople({ people, links }: SentPeopleProps) {
  return (
    <ul className={classes.people} aria-label={messages.list.result}>
      {people.map(({ delivery, ...person }, place) => (
        <PersonRow
          key={person.email}
          number={place + 1}
          person={person}
          status={{ label: messages.list.statuses[delivery.status], tone: tones[delivery.status] }}
          problem={delivery.status === "failed" ? delivery.reason : null}
          link={links.get(person.email)}
        />
      ))}
    </ul>
  );
}
