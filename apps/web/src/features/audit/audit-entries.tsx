import { Text } from "@mantine/core";
import type { AuditEntry } from "@stocktake/contract";
import { useState } from "react";
import { quantityText, secondsText } from "../../ui/formats.ts";
import { FullHash, ShortHash } from "../../ui/tables/short-hash.tsx";
import classes from "./audit.module.css";
import { type Facts, namedFacts } from "./facts.ts";
import { messages } from "./messages.ts";
import { sentenceOf } from "./sentences.ts";

function Side({ title, facts }: { title: string; facts: Facts }) {
  return (
    <div>
      <p className={classes.side}>{title}</p>
      {facts === null ? (
        <Text fz="sm" c="dimmed">
          {messages.nothing}
        </Text>
      ) : (
        <dl className={classes.facts}>
          {namedFacts(facts).map(({ name, text }) => (
            <div key={name} style={{ display: "contents" }}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function Chain({ entry }: { entry: AuditEntry }) {
  return (
    <dl className={classes.chain}>
      <dt>{messages.hash}</dt>
      <dd>
        <FullHash hash={entry.hash} />
      </dd>
      <dt>{messages.previousHash}</dt>
      <dd>{entry.previousHash === null ? messages.firstOfChain : <FullHash hash={entry.previousHash} />}</dd>
    </dl>
  );
}

/** Before and after, made only once they are asked for: a page may hold hundreds of entries. */
function Details({ entry }: { entry: AuditEntry }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{messages.details}</summary>
      {open ? (
        <>
          <div className={classes.sides}>
            <Side title={messages.before} facts={entry.before} />
            <Side title={messages.after} facts={entry.after} />
          </div>
          <Chain entry={entry} />
        </>
      ) : null}
    </details>
  );
}

interface AuditEntriesProps {
  readonly entries: readonly AuditEntry[];
  /** The name of a session's store. */
  readonly storeOf: (sessionId: string) => string;
}

export function AuditEntries({ entries, storeOf }: AuditEntriesProps) {
  return (
    <ol className={classes.entries} aria-label={messages.entries}>
      {entries.map((entry) => (
        <li key={entry._id} className={classes.entry}>
          <div className={classes.line}>
            <time className={classes.time} dateTime={entry.at}>
              {secondsText(entry.at)}
            </time>
            <span className={classes.sentence}>{sentenceOf(entry)}</span>
            <span className={classes.place}>
              <span>{entry.sessionId === null ? messages.noSession : storeOf(entry.sessionId)}</span>
              <span>{messages.entry(quantityText(entry.position))}</span>
              <ShortHash hash={entry.hash} />
            </span>
            <Details entry={entry} />
          </div>
        </li>
      ))}
    </ol>
  );
}
