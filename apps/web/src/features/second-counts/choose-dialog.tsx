import { Radio, Stack, Text, Textarea } from "@mantine/core";
import { CountChoice, type CountDifference, settleDifference } from "@stocktake/contract";
import { useContractForm } from "../../ui/contract-form.ts";
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
  const { area, ofPass, sku } = difference;
  const form = useContractForm({
    initialValues: { choice: "", reason: "" },
    schema: settleDifference.body,
    bodyOf: (entry) => ({ areaId: area._id, ofPass, sku, ...entry }),
    required: { choice: "", reason: "" },
    live: true,
  });
  const chosen = CountChoice.safeParse(form.values.choice).data;
  const submit = form.onSubmit(({ reason }) => {
    if (chosen !== undefined) settle.send({ areaId: area._id, ofPass, sku, choice: chosen, reason }, onClose);
  });
  return (
    <FormDialog
      title={texts.title}
      change={settle}
      errorFallback={texts.failed}
      heading={
        <Text>
          <strong>{partsText(difference.productTitle, difference.size)}</strong> {sku}, {area.code} –{" "}
          {area.name}
        </Text>
      }
      submitLabel={texts.save}
      busyLabel={texts.saving}
      disabled={!form.isValid()}
      onClose={onClose}
      onSubmit={submit}
    >
      <Radio.Group label={texts.counts} {...form.getInputProps("choice")}>
        <Options difference={difference} />
      </Radio.Group>
      <Textarea
        label={texts.reason}
        description={texts.reasonNote}
        rows={2}
        required
        {...form.getInputProps("reason")}
      />
      <Text fz="sm" c="dimmed">
        {texts.look}
      </Text>
    </FormDialog>
  );
}
