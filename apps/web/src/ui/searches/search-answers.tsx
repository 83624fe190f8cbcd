import { Button, Group, Text } from "@mantine/core";
import type { SearchAnswer, SearchHistory, SeenSearch } from "@stocktake/contract";
import { useDecideSearch } from "../../http/searches.ts";
import { ErrorBox } from "../error-box.tsx";
import { searchTexts as texts } from "./search-messages.ts";
import classes from "./searches.module.css";

interface SearchAnswersProps {
  readonly sessionId: string;
  readonly sku: string;
  readonly history: SearchHistory;
  /** Nothing can be decided any more. */
  readonly locked?: boolean;
}

/** Something has happened that speaks against "not there", perhaps after somebody had looked. */
function hasHappenedSince({ movedSince, scannedAgain, voidedSince }: SearchHistory): boolean {
  return movedSince || scannedAgain === true || voidedSince === true;
}

function aboutText(history: SearchHistory): string | null {
  const { state, lateScanWaits, movedSince, scannedAgain, voidedSince, clockWasSet } = history;
  if (state === "overruled") return texts.overruled;
  if (state !== "contradicted") return null;
  if (lateScanWaits) return texts.lateScan;
  if (clockWasSet === true && hasHappenedSince(history)) return texts.clockWasSet;
  if (movedSince) return texts.moved;
  if (scannedAgain === true) return texts.scannedAgain;
  return voidedSince === true ? texts.voided : texts.differ;
}

function seenOf({ answers, decision, movedSince, scannedAgain, voidedSince }: SearchHistory): SeenSearch {
  const said = answers.map(({ username, answer, answeredAt }) => ({ username, answer, answeredAt }));
  return {
    ...{ answers: said, decision, movedSince },
    ...(scannedAgain === undefined ? {} : { scannedAgain }),
    ...(voidedSince === undefined ? {} : { voidedSince }),
  };
}

/** Who has said what of a SKU that was searched for; where people differ, the administrator decides. */
export function SearchAnswers({ sessionId, sku, history, locked = false }: SearchAnswersProps) {
  const decide = useDecideSearch(sessionId);
  const { answers, decision } = history;
  const about = aboutText(history);
  const said = new Set([...answers, ...(decision === null ? [] : [decision])].map(({ answer }) => answer));
  const isOpen = hasHappenedSince(history) || said.size > 1;
  const say = (answer: SearchAnswer, label: string) => (
    <Button
      size="sm"
      variant={decision?.answer === answer ? "filled" : "default"}
      aria-pressed={decision?.answer === answer}
      disabled={decide.isPending}
      onClick={() => decide.send({ sku, answer, seen: seenOf(history) })}
    >
      {label}
    </Button>
  );
  return (
    <>
      {about === null ? null : <Text fz="sm">{about}</Text>}
      <ul className={classes.answers} aria-label={texts.answers(sku)}>
        {answers.map((answer) => (
          <li key={answer.username + answer.answeredAt}>{texts.answer(answer)}</li>
        ))}
        {decision === null ? null : <li>{texts.decided(decision)}</li>}
      </ul>
      <ErrorBox error={decide.error} fallback={texts.decideFailed} />
      {locked || !isOpen || history.state === "overruled" ? null : (
        <Group gap="xs" mt="xs">
          {say("not_there", texts.notThere)}
          {say("found", texts.there)}
        </Group>
      )}
    </>
  );
}
