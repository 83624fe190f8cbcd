import { Button, Stack, Text, Textarea, TextInput } from "@mantine/core";
import {
  atMostDiffering,
  type CallAnswer,
  type ControlSample,
  type controlSamples,
  drawSample,
  voidSample,
} from "@stocktake/contract";
import { useState } from "react";
import { useContractForm, useReasonForm } from "../../ui/contract-form.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SampleCard } from "../../ui/samples/sample-card.tsx";
import { Section } from "../../ui/section.tsx";
import { useDraw, useVoid } from "./api.ts";
import { messages } from "./messages.ts";

const { samples: texts } = messages;

type Samples = Pick<CallAnswer<typeof controlSamples>, "samples" | "available">;

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

/** The number that was typed; NaN, which can't be drawn, for more than there are. */
function readCount(typed: string, available: number): number {
  const count = Number(typed);
  return count > available ? Number.NaN : count;
}

function DrawDialog({ sessionId, samples, available, onClose }: DrawDialogProps) {
  const draw = useDraw(sessionId);
  const isRedraw = samples.length > 0;
  const bodyOf = ({ areas, reason }: { areas: string; reason: string }) => ({
    areas: readCount(areas, available),
    ...(isRedraw ? { reason } : {}),
  });
  const form = useContractForm({
    initialValues: { areas: String(suggested(available)), reason: "" },
    schema: drawSample.body,
    bodyOf,
    required: isRedraw ? { reason: "" } : {},
    live: true,
  });
  // What can be drawn may become fewer while nothing is typed.
  const isRight = form.isValid("areas");
  return (
    <FormDialog
      title={texts.drawTitle}
      change={draw}
      errorFallback={texts.drawFailed}
      heading={<Text>{texts.drawText}</Text>}
      submitLabel={texts.draw}
      busyLabel={texts.drawing}
      disabled={!form.isValid()}
      onClose={onClose}
      onSubmit={form.onSubmit((entry) => draw.send(bodyOf(entry), onClose))}
    >
      <TextInput
        label={texts.count}
        description={texts.countOf(available)}
        inputMode="numeric"
        required
        {...form.getInputProps("areas")}
        error={isRight ? null : texts.countProblem(available)}
      />
      {isRight ? (
        <Text fz="sm">
          {texts.promise(
            atMostDiffering({ areas: available, drawn: bodyOf(form.values).areas, differing: 0 }),
            available,
          )}
        </Text>
      ) : null}
      {isRedraw ? (
        <Textarea
          label={texts.reason}
          description={texts.redrawNote}
          rows={2}
          required
          {...form.getInputProps("reason")}
        />
      ) : null}
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
  const bodyOf = (reason: string) => ({ number, reason });
  const form = useReasonForm(voidSample.body, bodyOf);
  return (
    <FormDialog
      title={texts.voidTitle(number)}
      change={declare}
      errorFallback={texts.voidFailed}
      heading={<Text>{texts.voidText}</Text>}
      submitLabel={texts.voidConfirm}
      disabled={!form.isValid()}
      onClose={onClose}
      onSubmit={form.onSubmit(({ reason }) => declare.send(bodyOf(reason), onClose))}
    >
      <Textarea
        label={texts.reason}
        description={texts.voidNote}
        rows={2}
        required
        {...form.getInputProps("reason")}
      />
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
