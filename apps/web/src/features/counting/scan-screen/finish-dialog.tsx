import { Button, Group, Stack, TextInput } from "@mantine/core";
import { limits, Quantity } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import * as z from "zod/mini";
import { burstGapMs } from "../../../scanner/keystrokes.ts";
import { useBurstGuard } from "../../../scanner/use-burst-guard.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorMessage } from "../../../ui/error-box.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { messages } from "../messages.ts";

interface FinishDialogProps {
  readonly readOthersCounted: () => Promise<boolean>;
  readonly isBusy: boolean;
  readonly onSubmit: (declaredTotal: number) => Promise<void>;
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
    if (event.timeStamp - lastKeyAt.current > burstGapMs) before.current = text;
    lastKeyAt.current = event.timeStamp;
  };
  return { before, onKeyDown };
}

function OthersCounted({ readOthersCounted }: Pick<FinishDialogProps, "readOthersCounted">) {
  const othersCounted = useQuery({
    queryKey: ["others-counted"],
    queryFn: readOthersCounted,
    staleTime: 0,
    gcTime: 0,
  }).data;
  return othersCounted === true ? <Notice kind="info">{messages.othersCounted}</Notice> : null;
}

/** Asks for the declared total. A scan meanwhile neither submits the dialog nor leaves its digits in the field. */
export function FinishDialog({ readOthersCounted, isBusy, onSubmit, onClose }: FinishDialogProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const { before, onKeyDown } = useTextBeforeBurst(text);
  useBurstGuard(!isBusy, (_scanned, field) => {
    setError(messages.closeFirst);
    if (field === null) return;
    setText(before.current);
    // What is no number is in the field without being its value: the state alone does not take it out.
    field.value = before.current;
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const declaredTotal = readDeclaredTotal(text);
    if (declaredTotal === null) {
      return setError(`Enter a whole number from 0 to ${limits.quantity.toLocaleString()}.`);
    }
    setError(null);
    try {
      await onSubmit(declaredTotal);
    } catch (reason) {
      globalThis.reportError(reason);
      setError(messages.failedFinish);
    }
  };
  return (
    <Dialog title="Finish Area" onClose={isBusy ? () => undefined : onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
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
          <OthersCounted readOthersCounted={readOthersCounted} />
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
    </Dialog>
  );
}
