import { Button } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useState } from "react";
import { dateTimeText } from "../../../ui/formats.ts";
import { StatusBadge, type StatusTone } from "../../../ui/status-badge.tsx";
import { QuietTable } from "../../../ui/tables/quiet-table.tsx";
import classes from "../reports.module.css";
import { type Compared, type Comparisons, movedNothing } from "./compare-each.ts";
import { messages, review } from "./messages.ts";

const firstShown = 10;

interface Appearance {
  readonly tone: StatusTone;
  readonly word: string;
  readonly note?: string;
}

function appearanceOf({ status }: CountingSession, compared: Compared | undefined): Appearance {
  if (status === "active") return { tone: "info", word: review.counting, note: review.countingNote };
  if (compared === undefined) return { tone: "neutral", word: review.waiting };
  if (compared.kind === "failed") return { tone: "negative", word: review.notCompared };
  const { preview } = compared;
  if (preview.question === "nothing") return { tone: "positive", word: review.nothing };
  const tone = movedNothing(compared) ? "positive" : "warning";
  return { tone, word: messages.verdict(preview.question, preview.verdict), note: review.figures(preview) };
}

interface HeldSessionsProps {
  readonly held: readonly CountingSession[];
  readonly comparisons: Comparisons;
  readonly isBusy: boolean;
  readonly onChoose: (sessionId: string) => void;
}

/** The sessions that wait, those that need a decision first. */
export function HeldSessions({ held, comparisons, isBusy, onChoose }: HeldSessionsProps) {
  const [isWhole, setWhole] = useState(false);
  if (held.length === 0) return null;
  const weight = ({ _id }: CountingSession) => (movedNothing(comparisons.get(_id)) ? 1 : 0);
  const sorted = held.toSorted((one, other) => weight(one) - weight(other));
  const shown = isWhole ? sorted : sorted.slice(0, firstShown);
  return (
    <div>
      <QuietTable
        label={review.table}
        rows={shown}
        keyOf={({ _id }) => _id}
        columns={[
          {
            header: review.session,
            cell: ({ _id, storeId, startedAt }) => {
              const compared = comparisons.get(_id);
              return (
                <div className={classes.stacked}>
                  <span>{storeId.name}</span>
                  <span className={classes.note}>{dateTimeText(startedAt)}</span>
                  {compared?.kind === "compared" ? (
                    <span className={classes.note}>
                      {review.backupMade(dateTimeText(compared.preview.backupMadeAt))}
                    </span>
                  ) : null}
                </div>
              );
            },
          },
          {
            header: review.looks,
            cell: (session) => {
              const { tone, word, note } = appearanceOf(session, comparisons.get(session._id));
              return (
                <div className={classes.stacked}>
                  <StatusBadge tone={tone}>{word}</StatusBadge>
                  {note === undefined ? null : <span className={classes.note}>{note}</span>}
                </div>
              );
            },
          },
          {
            header: review.action,
            hiddenHeader: true,
            cell: ({ _id, status, storeId, startedAt }) =>
              status === "active" ? null : (
                <Button
                  variant="default"
                  size="sm"
                  disabled={isBusy}
                  onClick={() => onChoose(_id)}
                  aria-label={`${messages.open}: ${storeId.name}, ${dateTimeText(startedAt)}`}
                >
                  {messages.open}
                </Button>
              ),
          },
        ]}
      />
      {shown.length < sorted.length ? (
        <Button variant="default" size="sm" mt="xs" onClick={() => setWhole(true)}>
          {messages.more(sorted.length - shown.length)}
        </Button>
      ) : null}
    </div>
  );
}
