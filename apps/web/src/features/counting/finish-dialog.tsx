import { Button, Group, Stack, TextInput } from "@mantine/core";
import { limits, Quantity } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useCallback, useRef, useState } from "react";
import * as z from "zod/mini";
import type { CountingDevice } from "../../offline/offline.ts";
import { burstGapMs } from "../../scanner/keystrokes.ts";
import { useBurstGuard } from "../../scanner/use-scanner-input.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorMessage } from "../../ui/error-box.tsx";
import { Notice } from "../../ui/notice.tsx";
import { learnArea } from "./area-knowledge.ts";
import { words } from "./messages.ts";
import type { CountingPlace } from "./route-state.ts";

interface FinishDialogProps {
  readonly device: CountingDevice;
  readonly place: CountingPlace;
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

/** What stood in the field before the keys that are coming now: a number input keeps but some of a scanned code's characters. */
function useTextBeforeBurst(text: string) {
  const before = useRef("");
  const lastKeyAt = useRef(Number.NEGATIVE_INFINITY);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.timeStamp - lastKeyAt.current > burstGapMs) before.current = text;
    lastKeyAt.current = event.timeStamp;
  };
  return { before, onKeyDown };
}

function OthersCounted({ device, place }: Pick<FinishDialogProps, "device" | "place">) {
  const known = useQuery({
    queryKey: ["others-counted", place.sessionId, place.areaId, place.pass],
    queryFn: () => learnArea(device, place),
    staleTime: 0,
    gcTime: 0,
  });
  return known.data?.othersCounted === true ? <Notice kind="info">{words.othersCounted}</Notice> : null;
}

/** Asks for the declared total. A scan meanwhile neither submits the dialog nor leaves its digits in the field. */
export function FinishDialog({ device, place, isBusy, onSubmit, onClose }: FinishDialogProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const { before, onKeyDown } = useTextBeforeBurst(text);
  const dropScan = useCallback(
    (_scanned: string, field: HTMLInputElement | null) => {
      setError(words.closeFirst);
      if (field === null) return;
      setText(before.current);
      // What is no number stands in the field without being its value: the state alone does not take it out.
      field.value = before.current;
    },
    [before],
  );
  useBurstGuard(!isBusy, dropScan);
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
      setError(words.failedFinish);
    }
  };
  return (
    <Dialog title="Finish Area" onClose={isBusy ? () => undefined : onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="sm">
          <TextInput
            type="number"
            label={words.finishQuestion}
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
          <OthersCounted device={device} place={place} />
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
