import { Button, TextInput } from "@mantine/core";
import type { Area } from "@stocktake/contract";
import { type ReactNode, useId, useState } from "react";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { holdsWords } from "../../../ui/search/holds-words.ts";
import { Section } from "../../../ui/section.tsx";
import { StatusBadge, type StatusTone } from "../../../ui/status-badge.tsx";
import { messages } from "../messages.ts";
import {
  type AreaNote,
  finishAgainSentence,
  isRecountRequested,
  ownTotalsSentence,
  recountSentence,
  requestSentence,
} from "../opening/area-notes.ts";
import { inCountingOrder, isMine, isOthersAlone, namesOf } from "../opening/area-order.ts";
import classes from "./choice-step.module.css";

/** One thing to choose: its name, what else is searched for, and a note at the end of its line. */
export interface ChoiceOption {
  readonly id: string;
  readonly name: string;
  readonly code?: string;
  readonly note?: ReactNode;
  /** A sentence below its name; null and absent show none. */
  readonly advice?: string | null;
  readonly isDisabled?: boolean;
}

interface ChoiceStepProps {
  readonly number: number;
  readonly title: string;
  /** What is chosen, in a word. Where there is only one, and it is chosen, the step is a line with it. */
  readonly noun?: string;
  readonly options: readonly ChoiceOption[];
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly errorFallback: string;
  readonly onRetry: () => unknown;
  /** Shown where there is nothing to choose. */
  readonly empty: string;
  /** Stays open with the choice marked, instead of folding to it. */
  readonly isOpen?: boolean;
}

// Shorter lists are read faster than searched, and need no folding.
const longFrom = 6;

interface OptionsProps extends Pick<ChoiceStepProps, "options" | "chosen" | "onChoose" | "title"> {
  readonly group: string;
}

function Options({ options, chosen, onChoose, title, group }: OptionsProps) {
  return (
    <div role="radiogroup" aria-label={title} className={classes.options}>
      {options.map((option) => (
        <label key={option.id} className={classes.option} data-disabled={option.isDisabled === true}>
          <input
            type="radio"
            className={classes.radio}
            name={group}
            value={option.id}
            checked={option.id === chosen}
            disabled={option.isDisabled === true}
            onChange={() => onChoose(option.id)}
          />
          <span className={classes.name}>
            {option.code === undefined ? null : <strong className={classes.code}>{option.code}</strong>}
            {option.name === option.code ? null : <span>{option.name}</span>}
          </span>
          {option.note}
          {typeof option.advice === "string" ? <span className={classes.advice}>{option.advice}</span> : null}
        </label>
      ))}
    </div>
  );
}

function ChosenOption({ option, onChange }: { option: ChoiceOption; onChange: () => void }) {
  return (
    <div className={classes.chosen}>
      <strong className={classes.name}>{option.name}</strong>
      <Button variant="default" size="lg" onClick={onChange} aria-label={`Change ${option.name}`}>
        Change
      </Button>
    </div>
  );
}

function OpenStep(props: ChoiceStepProps) {
  const [search, setSearch] = useState("");
  const group = useId();
  const { options, title, empty } = props;
  const found = options.filter(({ code, name }) => holdsWords(`${code ?? ""} ${name}`, search));
  if (options.length === 0) return <p className={classes.empty}>{empty}</p>;
  return (
    <>
      {options.length < longFrom ? null : (
        <TextInput
          type="search"
          size="lg"
          aria-label={`Search: ${title}`}
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {found.length === 0 ? <p className={classes.empty}>No matches for “{search.trim()}”.</p> : null}
      <Options {...props} options={found} group={group} />
    </>
  );
}

/** The only one that there is: nothing to decide, and no room taken from what is. */
function OnlyOption({ noun, option, title }: { noun: string; option: ChoiceOption; title: string }) {
  const group = useId();
  return (
    <label className={classes.only}>
      <input type="radio" className={classes.radio} name={group} checked readOnly aria-label={option.name} />
      <span className={classes.noun}>{noun}</span>
      <strong className={classes.name} title={title}>
        {option.name}
      </strong>
    </label>
  );
}

/** One step of the selector: a list to choose from; a long one is searched, and folds to the choice once it is made. */
export function ChoiceStep(props: ChoiceStepProps) {
  const { number, title, options, chosen, isLoading, error, errorFallback, onRetry, onChoose } = props;
  const [only, ...further] = options;
  if (props.noun !== undefined && further.length === 0 && only?.id === chosen && error === null) {
    return only === undefined ? null : <OnlyOption noun={props.noun} option={only} title={title} />;
  }
  const folds = props.isOpen !== true && options.length >= longFrom;
  const option = folds ? options.find((each) => each.id === chosen) : undefined;
  return (
    <Section title={`${number}. ${title}`}>
      <ErrorBox error={error} fallback={errorFallback} onRetry={onRetry} />
      {isLoading ? <LoadingState /> : null}
      {isLoading || (error !== null && options.length === 0) ? null : option === undefined ? (
        <OpenStep {...props} />
      ) : (
        <ChosenOption option={option} onChange={() => onChoose(null)} />
      )}
    </Section>
  );
}

const statuses: Record<Area["status"], { tone: StatusTone; label: string }> = {
  not_started: { tone: "neutral", label: "Not Started" },
  in_progress: { tone: "info", label: "In Progress" },
  closed: { tone: "positive", label: "Completed" },
};

function AreaState({ area, note }: { area: Area; note: AreaNote | undefined }) {
  const { tone, label } = statuses[area.status];
  const isRecount = recountSentence(area, note) !== null;
  const isRequested = !isRecount && isRecountRequested(area);
  return (
    <span className={classes.state}>
      {isMine(area) && area.status !== "closed" ? (
        <StatusBadge tone="positive">{messages.assignedToMe}</StatusBadge>
      ) : null}
      {isRecount ? <StatusBadge tone="negative">{messages.recountNeeded}</StatusBadge> : null}
      {isRequested ? <StatusBadge tone="warning">{messages.recountRequested}</StatusBadge> : null}
      {note?.isFinishWaiting === true ? <StatusBadge tone="warning">Finish pending</StatusBadge> : null}
      <StatusBadge tone={tone}>{label}</StatusBadge>
    </span>
  );
}

/** Whom an area is assigned to besides this person; null where nobody else is. */
function assignmentSentence(area: Area): string | null {
  if (isOthersAlone(area)) return messages.assignedAlone(namesOf(area));
  return isMine(area) || namesOf(area).length === 0 ? null : messages.assignedToOthers(namesOf(area));
}

/** All that a person reads about an area, as one text. */
function adviceOf(area: Area, note: AreaNote | undefined, me: string): string | null {
  const state =
    recountSentence(area, note) ??
    finishAgainSentence(area, note) ??
    ownTotalsSentence(area) ??
    requestSentence(area, me);
  const sentences = [assignmentSentence(area), state].filter((sentence) => sentence !== null);
  return sentences.length === 0 ? null : sentences.join(" ");
}

/** The area cards, in the order in which they are to be counted: code, name and state; completed ones cannot be chosen. */
export function areaOptions(
  areas: readonly Area[],
  notes: ReadonlyMap<string, AreaNote>,
  me: string,
): readonly ChoiceOption[] {
  return inCountingOrder(areas).map((area) => ({
    id: area._id,
    code: area.code,
    name: area.name,
    isDisabled: area.status === "closed" || isOthersAlone(area),
    advice: adviceOf(area, notes.get(area._id), me),
    note: <AreaState area={area} note={notes.get(area._id)} />,
  }));
}
