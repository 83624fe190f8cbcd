import { Button, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { limits, Quantity } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import * as z from "zod/mini";
import { stallMs } from "../../../scanner/keystrokes.ts";
import { useBurstGuard } from "../../../scanner/use-burst-guard.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorMessage } from "../../../ui/error-box.tsx";
import { quantityText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { messages } from "../messages.ts";
import type { FinishFigures } from "../station/finish-question.ts";
import type { Station } from "../station/station.ts";
import type { FinishQuestion } from "../station/station-state.ts";
import { OtherCounters } from "./other-counters.tsx";

type FinishStation = Pick<Station, "ownFigures" | "readFinishFigures" | "finish" | "answerFinishQuestion">;

interface FinishDialogProps {
  readonly station: FinishStation;
  readonly isBusy: boolean;
  readonly question: FinishQuestion | null;
  readonly onClose: () => void;
}

/** The declared total: a whole number from 0 to the contract's limit; null where the text is none. */
function readDeclaredTotal(text: string): number | null {
  if (!/^\d+$/.test(text.trim())) return null;
  const parsed = z.safeParse(Quantity, Number(text));
  return parsed.success ? parsed.data : null;
}

/** What was in the field before the keys that are coming now: a number input drops some of a scanned code's characters. */
function useTextBeforeBurst(text: string) {
  const before = useRef("");
  const lastKeyAt = useRef(Number.NEGATIVE_INFINITY);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.timeStamp - lastKeyAt.current > stallMs) before.current = text;
    lastKeyAt.current = event.timeStamp;
  };
  return { before, onKeyDown };
}

function useFigures({ ownFigures, readFinishFigures }: FinishStation): FinishFigures {
  const { data } = useQuery({
    queryKey: ["finish-figures"],
    queryFn: readFinishFigures,
    placeholderData: ownFigures,
    staleTime: 0,
    gcTime: 0,
  });
  return data ?? ownFigures();
}

/** What a person has to know of the pass to declare its total. */
function FinishFacts({ data, isOwn }: { data: FinishFigures; isOwn: boolean }) {
  const facts = [
    data.accepted > 0 ? messages.acceptedHere(data.accepted) : null,
    data.unknown > 0 ? messages.unknownAside(data.unknown) : null,
  ].filter((fact) => fact !== null);
  return (
    <>
      {data.othersCounted ? <OtherCounters devices={data.devices} isOwn={isOwn} /> : null}
      {facts.map((fact) => (
        <Notice key={fact} kind="info">
          {fact}
        </Notice>
      ))}
    </>
  );
}

interface IncludedUnknownProps {
  readonly question: FinishQuestion;
  readonly isBusy: boolean;
  readonly onAnswer: (wereIncluded: boolean) => void;
  readonly onCancel: () => void;
}

/** The question before a total that is right with the unknown scans and would void the count without them. */
function IncludedUnknown({ question, isBusy, onAnswer, onCancel }: IncludedUnknownProps) {
  const { declaredTotal, counted, unknown, othersCounted } = question;
  return (
    <Stack gap="sm" role="group" aria-label={messages.unknownAsked}>
      <Text fz="lg">{messages.unknownIncluded(counted, unknown, !othersCounted)}</Text>
      <Text>{messages.unknownMeans(unknown)}</Text>
      <Button size="lg" disabled={isBusy} onClick={() => onAnswer(true)} data-autofocus>
        {messages.unknownYes(counted)}
      </Button>
      <Button variant="default" size="lg" disabled={isBusy} onClick={() => onAnswer(false)}>
        {messages.unknownNo(declaredTotal)}
      </Button>
      <Button variant="default" size="lg" disabled={isBusy} onClick={onCancel}>
        Cancel
      </Button>
    </Stack>
  );
}

/** Where others counted here too, somebody can speak for the whole area, or everybody for themselves. */
function TotalOf({ isOwn, onChange }: { isOwn: boolean; onChange: (isOwn: boolean) => void }) {
  return (
    <Radio.Group
      label={messages.totalOf}
      value={isOwn ? "own" : "area"}
      onChange={(value) => onChange(value === "own")}
    >
      <Group gap="0 lg">
        <Radio value="area" size="md" label={messages.totalOfArea} />
        <Radio value="own" size="md" label={messages.totalOfMine} />
      </Group>
    </Radio.Group>
  );
}

/** Asks for the declared total. A scan meanwhile neither submits the dialog nor leaves its digits in the field. */
export function FinishDialog({ station, isBusy, question, onClose }: FinishDialogProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isOwnChosen, setIsOwn] = useState(false);
  const figures = useFigures(station);
  const isOwn = isOwnChosen && figures.othersCounted;
  const { before, onKeyDown } = useTextBeforeBurst(text);
  useBurstGuard(!isBusy, (_scanned, field) => {
    setError(messages.closeFirst);
    if (field === null) return;
    setText(before.current);
    // What is no number is in the field without being its value: the state alone does not take it out.
    field.value = before.current;
  });
  const attempt = async (work: () => Promise<void>) => {
    setError(null);
    try {
      await work();
    } catch (reason) {
      globalThis.reportError(reason);
      setError(messages.failedFinish);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const declaredTotal = readDeclaredTotal(text);
    if (declaredTotal === null) {
      return setError(`Enter a whole number from 0 to ${quantityText(limits.quantity)}.`);
    }
    void attempt(() => station.finish(declaredTotal, isOwn));
  };
  return (
    <Dialog title="Finish Area" onClose={isBusy ? () => undefined : onClose}>
      {question === null ? (
        <form onSubmit={submit} noValidate>
          <Stack gap="sm">
            <TextInput
              type="number"
              label={messages.finishQuestion}
              inputMode="numeric"
              min={0}
              max={limits.quantity}
              size="lg"
              labelProps={{ mb: "xs" }}
              data-autofocus
              value={text}
              onKeyDown={onKeyDown}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            {figures.othersCounted ? <TotalOf isOwn={isOwn} onChange={setIsOwn} /> : null}
            <FinishFacts data={figures} isOwn={isOwn} />
            {error === null ? null : <ErrorMessage message={error} />}
            <Group grow gap="xs">
              <Button variant="default" size="lg" px={4} disabled={isBusy} onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" size="lg" px={4} disabled={isBusy || text.trim() === ""}>
                {isBusy ? "Submitting..." : "Submit Count"}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <IncludedUnknown
          question={question}
          isBusy={isBusy}
          onCancel={onClose}
          onAnswer={(wereIncluded) => void attempt(() => station.answerFinishQuestion(wereIncluded))}
        />
      )}
    </Dialog>
  );
}
