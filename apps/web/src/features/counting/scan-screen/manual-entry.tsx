import { Button, Group, Stack, TextInput } from "@mantine/core";
import { lengthProblem, limits } from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import { cleanCode, printableCode } from "../../../scanner/keystrokes.ts";
import { useBurstGuard } from "../../../scanner/use-burst-guard.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { messages } from "../messages.ts";
import type { ScanMethod } from "../station/station-state.ts";
import classes from "./manual-entry.module.css";

interface ManualEntryProps {
  readonly onSubmit: (code: string, method: ScanMethod) => void;
  readonly onClose: () => void;
}

/** Takes a code that a person types. Empty input is ignored. A scanner's burst is a scan, whatever was typed before it. */
export function ManualEntry({ onSubmit, onClose }: ManualEntryProps) {
  const [text, setText] = useState("");
  const code = printableCode(text);
  const problem = lengthProblem("A code", code, limits.sku);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code !== "" && problem === null) onSubmit(code, "manual");
  };
  // What was typed before it is no part of the label that the scanner read.
  useBurstGuard(true, (scanned) => onSubmit(cleanCode(scanned), "scan"));
  return (
    <Dialog title="Manual Entry" onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Code"
            size="lg"
            placeholder={messages.manualHint}
            classNames={{ input: classes.code ?? "" }}
            labelProps={{ mb: "xs" }}
            error={problem}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group grow gap="xs">
            <Button variant="default" size="lg" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" size="lg">
              Submit
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
