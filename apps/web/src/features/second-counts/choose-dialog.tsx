import { Radio, Stack, Text, Textarea } from "@mantine/core";
import { CountChoice, type CountDifference, lengthProblem, limits } from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { partsText } from "../../ui/formats.ts";
import { useSettle } from "./api.ts";
import { messages } from "./messages.ts";

const { choice: texts } = messages;

interface ChooseDialogProps {
  readonly sessionId: string;
  readonly difference: CountDifference;
  readonly onClose: () => void;
}

function Options({ difference }: Pick<ChooseDialogProps, "difference">) {
  return (
    <Stack gap="xs">
      {CountChoice.options.map((choice) => {
        const units = difference[choice];
        if (units === null) return null;
        const isWhatCounts = choice === "first" && difference.firstReplaced === true;
        return (
          <Radio
            key={choice}
            value={choice}
            label={isWhatCounts ? texts.whatCounts(units) : texts.options[choice](units)}
            description={isWhatCounts ? texts.whatCountsNote : undefined}
          />
        );
      })}
    </Stack>
  );
}

/** Asks which of a SKU's counts is right, with all of them in sight, and why. */
export function ChooseDialog({ sessionId, difference, onClose }: ChooseDialogProps) {
  const settle = useSettle(sessionId);
  const [choice, setChoice] = useState<string>("");
  const [reason, setReason] = useState("");
  const chosen = CountChoice.safeParse(choice).data;
  const problem = lengthProblem(texts.reason, reason, limits.reason);
  const isReady = chosen !== undefined && reason.trim() !== "" && problem === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const { area, ofPass, sku } = difference;
    settle.send({ areaId: area._id, ofPass, sku, choice: chosen, reason }, onClose);
  };
  return (
    <FormDialog
      title={texts.title}
      change={settle}
      errorFallback={texts.failed}
      heading={
        <Text>
          <strong>{partsText(difference.productTitle, difference.size)}</strong> {difference.sku},{" "}
          {difference.area.code} – {difference.area.name}
        </Text>
      }
      submitLabel={texts.save}
      busyLabel={texts.saving}
      disabled={!isReady}
      onClose={onClose}
      onSubmit={submit}
    >
      <Radio.Group label={texts.counts} value={choice} onChange={setChoice}>
        <Options difference={difference} />
      </Radio.Group>
      <Textarea
        label={texts.reason}
        description={texts.reasonNote}
        rows={2}
        required
        value={reason}
        error={problem}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Text fz="sm" c="dimmed">
        {texts.look}
      </Text>
    </FormDialog>
  );
}
