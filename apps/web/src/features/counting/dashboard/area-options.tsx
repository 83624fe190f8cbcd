import type { Area } from "@stocktake/contract";
import { StatusBadge, type StatusTone } from "../../../ui/status-badge.tsx";
import { messages } from "../messages.ts";
import { type AreaNote, finishAgainSentence, recountSentence } from "../opening/area-notes.ts";
import classes from "./area-options.module.css";
import type { ChoiceOption } from "./choice-step.tsx";

const statuses: Record<Area["status"], { tone: StatusTone; label: string }> = {
  not_started: { tone: "neutral", label: "Not Started" },
  in_progress: { tone: "info", label: "In Progress" },
  closed: { tone: "positive", label: "Completed" },
};

function AreaState({ area, note }: { area: Area; note: AreaNote | undefined }) {
  const { tone, label } = statuses[area.status];
  const isRecount = recountSentence(area, note) !== null;
  return (
    <span className={classes.state}>
      {isRecount ? <StatusBadge tone="negative">{messages.recountNeeded}</StatusBadge> : null}
      {note?.isFinishWaiting === true ? <StatusBadge tone="warning">Finish waits</StatusBadge> : null}
      <StatusBadge tone={tone}>{label}</StatusBadge>
    </span>
  );
}

/** The area cards: code, name and state; completed ones cannot be chosen. */
export function areaOptions(
  areas: readonly Area[],
  notes: ReadonlyMap<string, AreaNote>,
): readonly ChoiceOption[] {
  return areas.map((area) => ({
    id: area._id,
    code: area.code,
    name: area.name,
    isDisabled: area.status === "closed",
    advice: recountSentence(area, notes.get(area._id)) ?? finishAgainSentence(area, notes.get(area._id)),
    note: <AreaState area={area} note={notes.get(area._id)} />,
  }));
}
