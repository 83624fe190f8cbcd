import { Button, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { limits, Quantity } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import * as z from "zod/mini";
import { useBurstGuard } from "../../../scanner/use-burst-guard.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorMessage } from "../../../ui/error-box.tsx";
import { quantityText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { messages } from "../messages.ts";
import type { FinishFigures } from "../station/finish-question.ts";
import type { Station } from "../station/station.ts";
import type { FinishQuestion } from "../station/station-state.ts";
import classes from "./finish-dialog.module.css";
import { OtherCounters } from "./other-counters.tsx";
import { useTextBeforeBurst } from "./text-before-burst.ts";

type FinishStation = Pick<Station, "ownFigures" | "readFinishFigures" | "finish" | "answerFinishQuestion">;

interface FinishDialogProps {
  readonly station: FinishStation;
  readonly isBusy: boolean;
  readonly isOnline: boolean;
  readonly question: FinishQuestion | null;
  readonly onClose: () => void;
  /** Makes heard that a scan was not counted. */
  readonly onScanIgnored: () => void;
}

/** The declared total: a whole number from 0 to the contract's limit; null where the text is none. */
function readDeclaredTotal(text: string): number | null {
  if (!/^\d+$/.test(text.trim())) return null;
  const parsed = z.safeParse(Quantity, Number(text));
  return parsed.success ? parsed.data : null;
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
  readonly problem: ReactNode;
  readonly onAnswer: (wereIncluded: boolean) => void;
  readonly onCancel: () => void;
}

/** The question before a total that is right with the unknown scans and would void the count without them. */
function IncludedUnknown(props: IncludedUnknownProps) {
  const { question, isBusy, problem, onAnswer, onCancel } = props;
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
      {problem}
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
      <Group gap={0} style={{ columnGap: "var(--mantine-spacing-lg)" }}>
        <Radio value="area" size="md" label={messages.totalOfArea} />
        <Radio value="own" size="md" label={messages.totalOfMine} />
      </Group>
    </Radio.Group>
  );
}

/** Comes into sight where the dialog is higher than the screen, and moves nothing where it is not. */
function Problem({ message }: { message: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which is no effect's end.
    void box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={box}>
      <ErrorMessage message={message} />
    </div>
  );
}

/** Asks for the declared total. A scan meanwhile neither submits the dialog nor leaves its digits in the field. */
export function FinishDialog(props: FinishDialogProps) {
  const { station, isBusy, isOnline, question, onClose, onScanIgnored } = props;
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isOwnChosen, setIsOwn] = useState(false);
  const figures = useFigures(station);
  const isOwn = isOwnChosen && figures.othersCounted;
  const { before, onKeyDown } = useTextBeforeBurst(text);
  useBurstGuard(true, (_scanned, field) => {
    setError(isBusy ? messages.finishSending : messages.closeFirst);
    onScanIgnored();
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
  const problem = error === null ? null : <Problem key={error} message={error} />;
  return (
    <Dialog title="Finish Area" onClose={isBusy ? () => undefined : onClose} grows>
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
            <Group grow gap="xs" className={classes.foot ?? ""}>
              <Button variant="default" size="lg" px={4} disabled={isBusy} onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" size="lg" px={4} disabled={isBusy || text.trim() === ""}>
                {isBusy ? "Submitting..." : "Submit Count"}
              </Button>
            </Group>
            {/* What comes while the dialog is open comes below the buttons, which it must not move. */}
            {problem}
            {isOnline ? null : <Notice kind="info">{messages.finishOffline}</Notice>}
          </Stack>
        </form>
      ) : (
        <IncludedUnknown
          question={question}
          isBusy={isBusy}
          problem={problem}
          onCancel={onClose}
          onAnswer={(wereIncluded) => void attempt(() => station.answerFinishQuestion(wereIncluded))}
        />
      )}
    </Dialog>
  );
}
