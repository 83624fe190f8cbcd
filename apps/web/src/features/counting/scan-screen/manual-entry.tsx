import { Button, Stack, Text, TextInput } from "@mantine/core";
import { lengthProblem, limits } from "@stocktake/contract";
import { type FormEvent, lazy, Suspense, useCallback, useRef, useState } from "react";
import { cleanCode, printableCode } from "../../../scanner/keystrokes.ts";
import { useBurstGuard } from "../../../scanner/use-burst-guard.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { useSecondPress } from "../../../ui/pressing/second-press.ts";
import { messages } from "../messages.ts";
import type { Station } from "../station/station.ts";
import type { ScanMethod, StationState } from "../station/station-state.ts";
import { unitsOfSku } from "../station/tally.ts";
import form from "./dialog-form.module.css";
import classes from "./manual-entry.module.css";

const loadFoundProducts = () => import("../finding/found-products.tsx");

/** Most codes are scanned: the search comes after the screen, but before somebody types where there is no network. */
export function loadSearch(): void {
  // Where it does not come, Manual Entry says so.
  loadFoundProducts().catch(() => undefined);
}

function NoSearch() {
  return <Text c="dimmed">{messages.searchNotLoaded}</Text>;
}

const FoundProducts = lazy(() => loadFoundProducts().catch(() => ({ default: NoSearch })));

interface ManualEntryProps {
  readonly station: Pick<Station, "products" | "countFound">;
  readonly state: Pick<StationState, "tally" | "elsewhere">;
  readonly onSubmit: (code: string, method: ScanMethod) => void;
  readonly onClose: () => void;
}

/**
 * Takes a code that a person types, and finds products by their title, size and SKU for who does not know one. Empty input is ignored. What is no
 * product's code is asked about once where products are listed. A scanner's burst is a scan, whatever was typed before it.
 */
export function ManualEntry({ station, state, onSubmit, onClose }: ManualEntryProps) {
  const [text, setText] = useState("");
  const code = printableCode(text);
  const problem = lengthProblem("A code", code, limits.sku);
  const finds = useRef<(text: string) => boolean>(() => false);
  const { asked, ask, isUnread } = useSecondPress<string>();
  const question = asked === code ? messages.noCode : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code === "" || problem !== null) return;
    if (question !== null && isUnread(event)) return;
    // Words, or a SKU in small letters, would be set aside while the product that was meant is listed below.
    const isAsked = question === null && station.products.isUnknown(code) && finds.current(text);
    if (!isAsked) return onSubmit(code, "manual");
    ask(code, event);
  };
  const keepFinds = useCallback((latest: (text: string) => boolean) => {
    finds.current = latest;
  }, []);
  const hereOf = (sku: string) => {
    const units = unitsOfSku(state.tally, sku);
    return units === 0 ? null : messages.alreadyHere(units, state.elsewhere?.othersCounted !== true);
  };
  // What was typed before it is no part of the label that the scanner read.
  useBurstGuard(true, (scanned) => onSubmit(cleanCode(scanned), "scan"));
  return (
    <Dialog title="Manual Entry" onClose={onClose}>
      <form className={form.form} onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Code"
            size="lg"
            placeholder={messages.manualHint}
            classNames={{ input: classes.code ?? "" }}
            labelProps={{ mb: "xs" }}
            error={problem ?? question}
            errorProps={{ role: "alert" }}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Suspense fallback={null}>
            <FoundProducts
              products={station.products}
              text={text}
              hereOf={hereOf}
              onSearchable={keepFinds}
              onChoose={(product) => {
                onClose();
                station.countFound(product);
              }}
            />
          </Suspense>
          <div className={form.buttons}>
            <Button variant="default" size="lg" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" size="lg">
              Submit
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}
