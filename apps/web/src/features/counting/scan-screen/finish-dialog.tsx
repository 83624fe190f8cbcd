import { Button, Group, Radio, Stack, TextInput } from "@mantine/core";
import { limits, Quantity } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type Ref, useEffect, useRef, useState } from "react";
import * as z from "zod/mini";
import { useBurstGuard } from "../../../scanner/use-burst-guard.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorMessage } from "../../../ui/error-box.tsx";
import { quantityText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { messages } from "../messages.ts";
import type { FinishFigures } from "../station/finish-question.ts";
import type { Station } from "../station/station.ts";
import type { FinishQuestion, TotalOf } from "../station/station-state.ts";
import classes from "./dialog-form.module.css";
import { type FinishAnswers, FinishQuestions } from "./finish-questions.tsx";
import { OtherCounters } from "./other-counters.tsx";
import { isSlowScan, useFurtherSuffixes, useTextBeforeBurst, useWrittenRun } from "./text-before-burst.ts";

type FinishStation = Pick<Station, "ownFigures" | "readFinishFigures" | "finish"> & FinishAnswers;

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
function FinishFacts({ data, of }: { data: FinishFigures; of: TotalOf | null }) {
  const facts = [
    data.accepted > 0 ? messages.acceptedHere(data.accepted) : null,
    data.unknown > 0 ? messages.unknownAside(data.unknown) : null,
  ].filter((fact) => fact !== null);
  return (
    <>
      {data.othersCounted ? <OtherCounters figures={data} of={of} /> : null}
      {facts.map((fact) => (
        <Notice key={fact} kind="info">
          {fact}
        </Notice>
      ))}
    </>
  );
}

interface ChooseWhoseProps {
  readonly of: TotalOf | null;
  readonly onChange: (of: TotalOf) => void;
  readonly first: Ref<HTMLInputElement>;
}

/**
 * Where others counted here too, everybody can speak for themselves, or somebody for the whole area. Nothing is chosen beforehand: one's own
 * count taken for the area's would void what everybody counted.
 */
function ChooseWhose({ of, onChange, first }: ChooseWhoseProps) {
  return (
    <Radio.Group
      label={messages.totalOf}
      value={of}
      onChange={(value) => onChange(value === "own" ? "own" : "area")}
    >
      <Group gap={0} style={{ columnGap: "var(--mantine-spacing-lg)" }}>
        <Radio ref={first} value="own" size="md" label={messages.totalOfMine} />
        <Radio value="area" size="md" label={messages.totalOfArea} />
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
  const [chosen, setChosen] = useState<TotalOf | null>(null);
  const firstChoice = useRef<HTMLInputElement>(null);
  const figures = useFigures(station);
  // A choice once made holds, also where nobody else is listed any more: one's own count must not be sent as the area's.
  const isChoice = figures.othersCounted || chosen !== null;
  const { before, onKeyDown } = useTextBeforeBurst(text);
  const run = useWrittenRun(text);
  const suffixes = useFurtherSuffixes();
  const refuseScan = () => {
    setError(isBusy ? messages.finishSending : messages.closeFirst);
    onScanIgnored();
  };
  useBurstGuard(true, (_scanned, field) => {
    refuseScan();
    // Of a choice that has the focus no text was changed.
    if (field?.type === "text") setText(before.current);
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
    const written = run.written(event.timeStamp);
    if (isSlowScan(written)) {
      suffixes.begin(event.timeStamp);
      setText(written.typed);
      return refuseScan();
    }
    if (suffixes.includes(event.timeStamp)) return;
    const declaredTotal = readDeclaredTotal(text);
    if (declaredTotal === null) {
      return setError(`Enter a whole number from 0 to ${quantityText(limits.quantity)}.`);
    }
    if (isChoice && chosen === null) {
      firstChoice.current?.focus();
      return setError(messages.totalOfFirst);
    }
    void attempt(() => station.finish(declaredTotal, chosen));
  };
  const choose = (whose: TotalOf) => {
    setChosen(whose);
    if (error === messages.totalOfFirst) setError(null);
  };
  const problem = error === null ? null : <Problem key={error} message={error} />;
  return (
    <Dialog title="Finish Area" onClose={isBusy ? () => undefined : onClose} grows>
      {question === null ? (
        <form className={classes.form} onSubmit={submit} noValidate>
          <Stack gap="sm">
            <TextInput
              // A number field would count up and down by a wheel or an arrow key that somebody meant for the page.
              label={messages.finishQuestion}
              inputMode="numeric"
              autoComplete="off"
              size="lg"
              labelProps={{ mb: "xs" }}
              data-autofocus
              value={text}
              onKeyDown={(event) => {
                onKeyDown(event);
                run.onKeyDown(event);
              }}
              onChange={(event) => {
                run.follow(event.timeStamp);
                setText(event.currentTarget.value);
              }}
            />
            {isChoice ? <ChooseWhose of={chosen} onChange={choose} first={firstChoice} /> : null}
            <FinishFacts data={figures} of={chosen} />
            <div className={`${classes.buttons} ${classes.foot}`}>
              <Button variant="default" size="lg" disabled={isBusy} onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" size="lg" disabled={isBusy || text.trim() === ""}>
                {isBusy ? "Submitting..." : "Submit Count"}
              </Button>
            </div>
            {/* What comes while the dialog is open comes below the buttons, which it must not move. */}
            {problem}
            {isOnline ? null : <Notice kind="info">{messages.finishOffline}</Notice>}
          </Stack>
        </form>
      ) : (
        <FinishQuestions
          // Each takes the focus when it comes.
          key={question.asks}
          {...{ station, attempt, question, isBusy, problem }}
          figures={figures}
          onWhose={choose}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}
