import { Button, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useMeantPresses } from "../../../ui/pressing/meant-presses.tsx";
import { messages } from "../messages.ts";
import type { FinishFigures } from "../station/finish-question.ts";
import type { Station } from "../station/station.ts";
import type { FinishQuestion, TotalOf, UnknownQuestion, WhoseQuestion } from "../station/station-state.ts";
import { useFirstFocus } from "./first-focus.ts";
import { OwnCount, ownDevices } from "./other-counters.tsx";

export type FinishAnswers = Pick<Station, "answerWhose" | "answerUnknown">;

interface QuestionProps<Question> {
  readonly question: Question;
  readonly isBusy: boolean;
  readonly problem: ReactNode;
  readonly onCancel: () => void;
}

interface AnswersProps {
  readonly isBusy: boolean;
  readonly problem: ReactNode;
  readonly onCancel: () => void;
  /** The first one has the focus. */
  readonly answers: readonly { readonly label: string; readonly onClick: () => void }[];
  readonly areEqual: boolean;
}

function Answers({ isBusy, problem, onCancel, answers, areEqual }: AnswersProps) {
  const first = useFirstFocus<HTMLButtonElement>(!isBusy);
  // They come into the place of the button that asked.
  useMeantPresses();
  return (
    <>
      {answers.map(({ label, onClick }, index) => (
        <Button
          key={label}
          ref={index === 0 ? first : null}
          {...(index === 0 || areEqual ? {} : { variant: "default" })}
          size="lg"
          disabled={isBusy}
          onClick={onClick}
        >
          {label}
        </Button>
      ))}
      <Button variant="default" size="lg" disabled={isBusy} onClick={onCancel}>
        Cancel
      </Button>
      {problem}
    </>
  );
}

interface WhoseTotalProps extends QuestionProps<WhoseQuestion> {
  readonly figures: FinishFigures;
  readonly onAnswer: (of: TotalOf) => void;
}

/** The question before a total that may be meant as one's own is compared as the whole area's, which would void all counts. */
function WhoseTotal({ question, figures, onAnswer, ...given }: WhoseTotalProps) {
  const { declaredTotal, isOwnCount } = question;
  // Of several devices this one shows a part of what the person counted.
  const asked =
    isOwnCount && ownDevices(figures.devices) === null
      ? messages.whoseOwnCount
      : messages.whoseTotal(declaredTotal);
  return (
    <Stack gap="sm" role="group" aria-label={messages.totalOf}>
      <Text fz="lg">{asked}</Text>
      <OwnCount {...figures} />
      <Text>{messages.whoseMeans}</Text>
      <Answers
        {...given}
        answers={[
          { label: messages.whoseMine, onClick: () => onAnswer("own") },
          { label: messages.whoseArea, onClick: () => onAnswer("area") },
        ]}
        areEqual
      />
    </Stack>
  );
}

interface IncludedUnknownProps extends QuestionProps<UnknownQuestion> {
  readonly onAnswer: (wereIncluded: boolean) => void;
}

/** The question before a total that is right with the unknown scans and would void the count without them. */
function IncludedUnknown({ question, onAnswer, ...given }: IncludedUnknownProps) {
  const { declaredTotal, counted, unknown, othersCounted } = question;
  return (
    <Stack gap="sm" role="group" aria-label={messages.unknownAsked}>
      <Text fz="lg">{messages.unknownIncluded(counted, unknown, !othersCounted)}</Text>
      <Text>{messages.unknownMeans(unknown)}</Text>
      <Answers
        {...given}
        answers={[
          { label: messages.unknownYes(counted), onClick: () => onAnswer(true) },
          { label: messages.unknownNo(declaredTotal), onClick: () => onAnswer(false) },
        ]}
        areEqual={false}
      />
    </Stack>
  );
}

interface FinishQuestionsProps extends QuestionProps<FinishQuestion>, Pick<WhoseTotalProps, "figures"> {
  readonly station: FinishAnswers;
  /** Sends what the answer leads to, and shows where that failed. */
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
  /** The choice is another one: the form shows it again where nothing could be sent. */
  readonly onWhose: (of: TotalOf) => void;
}

/** What is asked before the declared total is sent. */
export function FinishQuestions(props: FinishQuestionsProps) {
  const { question, station, attempt, onWhose, figures, ...given } = props;
  switch (question.asks) {
    case "whose":
      return (
        <WhoseTotal
          {...given}
          {...{ question, figures }}
          onAnswer={(of) => {
            onWhose(of);
            void attempt(() => station.answerWhose(of));
          }}
        />
      );
    case "unknown":
      return (
        <IncludedUnknown
          {...given}
          question={question}
          onAnswer={(wereIncluded) => void attempt(() => station.answerUnknown(wereIncluded))}
        />
      );
  }
}
