import { Button, Stack, Text, Textarea, TextInput } from "@mantine/core";
import {
  atMostDiffering,
  type CallAnswer,
  type ControlSample,
  type controlSamples,
  lengthProblem,
  limits,
} from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SampleCard } from "../../ui/samples/sample-card.tsx";
import { Section } from "../../ui/section.tsx";
import { useDraw, useVoid } from "./api.ts";
import { messages } from "./messages.ts";

const { samples: texts } = messages;

type Samples = Pick<CallAnswer<typeof controlSamples>, "samples" | "available">;

interface ReasonProps {
  readonly reason: string;
  readonly note: string;
  readonly onChange: (reason: string) => void;
}

function Reason({ reason, note, onChange }: ReasonProps) {
  return (
    <Textarea
      label={texts.reason}
      description={note}
      rows={2}
      required
      value={reason}
      error={lengthProblem(texts.reason, reason, limits.reason)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function isGiven(reason: string): boolean {
  return reason.trim() !== "" && lengthProblem(texts.reason, reason, limits.reason) === null;
}

interface DrawDialogProps extends Samples {
  readonly sessionId: string;
  readonly onClose: () => void;
}

/** Enough that no more than a quarter of the areas can differ where none is found to. */
function suggested(available: number): number {
  for (let drawn = 1; drawn < available; drawn += 1) {
    if (atMostDiffering({ areas: available, drawn, differing: 0 }) * 4 <= available) return drawn;
  }
  return available;
}

function DrawDialog({ sessionId, samples, available, onClose }: DrawDialogProps) {
  const draw = useDraw(sessionId);
  const [typed, setTyped] = useState(() => String(suggested(available)));
  const count = Number(typed);
  const [reason, setReason] = useState("");
  const isRedraw = samples.length > 0;
  const isRight = Number.isInteger(count) && count >= 1 && count <= available;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isRight || (isRedraw && !isGiven(reason))) return;
    draw.send({ areas: count, ...(isRedraw ? { reason } : {}) }, onClose);
  };
  return (
    <FormDialog
      title={texts.drawTitle}
      change={draw}
      errorFallback={texts.drawFailed}
      heading={<Text>{texts.drawText}</Text>}
      submitLabel={texts.draw}
      busyLabel={texts.drawing}
      disabled={!isRight || (isRedraw && !isGiven(reason))}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={texts.count}
        description={texts.countOf(available)}
        inputMode="numeric"
        required
        value={typed}
        error={isRight ? null : texts.countProblem(available)}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {isRight ? (
        <Text fz="sm">
          {texts.promise(atMostDiffering({ areas: available, drawn: count, differing: 0 }), available)}
        </Text>
      ) : null}
      {isRedraw ? <Reason reason={reason} note={texts.redrawNote} onChange={setReason} /> : null}
    </FormDialog>
  );
}

interface VoidDialogProps {
  readonly sessionId: string;
  readonly sample: ControlSample;
  readonly onClose: () => void;
}

function VoidDialog({ sessionId, sample: { number }, onClose }: VoidDialogProps) {
  const declare = useVoid(sessionId);
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isGiven(reason)) declare.send({ number, reason }, onClose);
  };
  return (
    <FormDialog
      title={texts.voidTitle(number)}
      change={declare}
      errorFallback={texts.voidFailed}
      heading={<Text>{texts.voidText}</Text>}
      submitLabel={texts.voidConfirm}
      disabled={!isGiven(reason)}
      onClose={onClose}
      onSubmit={submit}
    >
      <Reason reason={reason} note={texts.voidNote} onChange={setReason} />
    </FormDialog>
  );
}

interface SampleSectionProps extends Samples {
  readonly sessionId: string;
  /** Nothing can be drawn any more. */
  readonly hasEnded: boolean;
}

/** The control samples of a session, and the way to the next one. */
export function SampleSection({ sessionId, samples, available, hasEnded }: SampleSectionProps) {
  const [isDrawing, setDrawing] = useState(false);
  const [voided, setVoided] = useState<ControlSample | null>(null);
  const canDraw = !hasEnded && available > 0 && samples.every(({ status }) => status !== "counting");
  const drawButton = (
    <Button variant="default" size="sm" onClick={() => setDrawing(true)}>
      {samples.length === 0 ? texts.draw : texts.drawAnother}
    </Button>
  );
  const voidButton = (sample: ControlSample) => (
    <Button
      variant="default"
      size="sm"
      aria-label={texts.voidFor(sample.number)}
      onClick={() => setVoided(sample)}
    >
      {texts.void}
    </Button>
  );
  return (
    <Section title={texts.heading} aside={canDraw ? drawButton : null}>
      <Text maw="48rem">{texts.intro}</Text>
      {samples.length === 0 ? (
        <EmptyState title={texts.none}>{hasEnded ? texts.noneEnded : texts.noneText}</EmptyState>
      ) : (
        <Stack gap="lg">
          {samples.map((sample) => (
            <SampleCard
              key={sample.number}
              sample={sample}
              action={sample.status === "counting" ? voidButton(sample) : null}
            />
          ))}
        </Stack>
      )}
      {isDrawing ? (
        <DrawDialog
          sessionId={sessionId}
          samples={samples}
          available={available}
          onClose={() => setDrawing(false)}
        />
      ) : null}
      {voided === null ? null : (
        <VoidDialog sessionId={sessionId} sample={voided} onClose={() => setVoided(null)} />
      )}
    </Section>
  );
}
