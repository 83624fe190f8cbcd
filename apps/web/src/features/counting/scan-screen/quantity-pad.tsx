import { Button, Stack, Text, TextInput } from "@mantine/core";
import { ScanQuantity } from "@stocktake/contract";
import { type FormEvent, type KeyboardEvent, type MouseEvent, useState } from "react";
import { cleanCode } from "../../../scanner/keystrokes.ts";
import { useBurstGuard } from "../../../scanner/use-burst-guard.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorMessage } from "../../../ui/error-box.tsx";
import { useMeantPresses } from "../../../ui/pressing/meant-presses.tsx";
import { messages } from "../messages.ts";
import { namedWithSize } from "../station/product-text.ts";
import type { Station } from "../station/station.ts";
import type { TallyEntry } from "../station/tally.ts";
import form from "./dialog-form.module.css";
import { useFirstFocus } from "./first-focus.ts";
import classes from "./quantity-pad.module.css";
import { shortestBarcode, useTextBeforeBurst, useWrittenRun } from "./text-before-burst.ts";

interface QuantityPadProps {
  readonly station: Pick<Station, "setQuantity" | "scan">;
  /** The entry when the pad is opened; what other tabs scan meanwhile does not change it. */
  readonly entry: TallyEntry | undefined;
  readonly onClose: () => void;
  /** Makes heard that a scan was not counted. */
  readonly onScanIgnored: () => void;
}

const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

const onlyDigits = /^\d*$/;

/** No quantity: a code, whether it was scanned or typed. */
function isLikeABarcode(text: string): boolean {
  return !onlyDigits.test(text) || text.length >= shortestBarcode;
}

/** What is wrong with a number of units, in words; null where nothing is. */
function problemOf(text: string): string | null {
  if (text === "") return messages.quantityEmpty;
  const read = ScanQuantity.safeParse(Number(text));
  return read.success ? null : (read.error.issues[0]?.message ?? null);
}

interface LikeABarcodeProps {
  readonly code: string;
  /** Another code that was read since. */
  readonly second: string | null;
  readonly onScan: () => void;
  readonly onBack: () => void;
}

function LikeABarcode({ code, second, onScan, onBack }: LikeABarcodeProps) {
  const first = useFirstFocus<HTMLButtonElement>();
  // They come into the place of the keys.
  useMeantPresses();
  return (
    <Stack gap="sm" role="group" aria-label={messages.quantityIsCode(code)}>
      <Text fz="lg">{messages.quantityIsCode(code)}</Text>
      <Button ref={first} size="lg" onClick={onBack}>
        Back to the Quantity
      </Button>
      <Button size="lg" variant="default" onClick={onScan}>
        Count as a Scan
      </Button>
      {second === null ? null : <ErrorMessage message={messages.codeFirst(code, second)} />}
    </Stack>
  );
}

/** The field keeps the focus, so that Enter on a handheld's own keys ends what the thumb began. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

interface KeysProps {
  readonly onDigit: (digit: string, at: number) => void;
  readonly onDelete: (at: number) => void;
}

function Keys({ onDigit, onDelete }: KeysProps) {
  const key = (digit: string) => (
    <Button
      key={digit}
      variant="default"
      onMouseDown={keepFocus}
      onClick={(event) => onDigit(digit, event.timeStamp)}
    >
      {digit}
    </Button>
  );
  return (
    <div className={classes.keys}>
      {digits.map(key)}
      <Button
        variant="default"
        onMouseDown={keepFocus}
        onClick={(event) => onDelete(event.timeStamp)}
        aria-label="Delete the last digit"
      >
        ⌫
      </Button>
      {key("0")}
      <Button type="submit">OK</Button>
    </div>
  );
}

interface QuantityQuestionProps {
  readonly entry: TallyEntry;
  readonly text: string;
  readonly problem: string | null;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onChange: (text: string, at: number) => void;
  readonly onSubmit: (event: FormEvent) => void;
  readonly onClose: () => void;
}

function QuantityQuestion(props: QuantityQuestionProps) {
  const { entry, text, problem, onKeyDown, onChange, onSubmit, onClose } = props;
  const first = useFirstFocus<HTMLInputElement>();
  return (
    <form className={form.form} onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        <Text fw={650}>{namedWithSize({ ...entry, quantity: 1 })}</Text>
        <TextInput
          ref={first}
          className={classes.quantity ?? ""}
          label="Quantity"
          // What is wrong takes the line of the hint, so that the keys below it stay where they are.
          description={problem ?? messages.quantityHint(entry.quantity)}
          descriptionProps={{ c: problem === null ? "dimmed" : "var(--mantine-color-error)" }}
          error={problem !== null}
          inputMode="none"
          autoComplete="off"
          value={text}
          onKeyDown={onKeyDown}
          onChange={(event) => onChange(event.currentTarget.value, event.timeStamp)}
        />
        <Keys
          onDigit={(digit, at) => onChange(text + digit, at)}
          onDelete={(at) => onChange(text.slice(0, -1), at)}
        />
        <Button variant="default" size="lg" onClick={onClose}>
          Cancel
        </Button>
      </Stack>
    </form>
  );
}

/** Asks how many units of the last product there are in all. What looks like a barcode is never taken for a number. */
export function QuantityPad({ station, entry: given, onClose, onScanIgnored }: QuantityPadProps) {
  const [entry] = useState(given);
  const [text, setText] = useState("");
  const [code, setCode] = useState<string | null>(null);
  const [second, setSecond] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { before, onKeyDown } = useTextBeforeBurst(text);
  const run = useWrittenRun(text);
  const change = (next: string, at: number) => {
    setProblem(null);
    run.follow(at);
    // As it comes, whatever it is: a code that lost its letters would be a quantity.
    setText(next);
  };
  const askAbout = (read: string, typedBefore: string) => {
    setText(typedBefore);
    setSecond(null);
    setCode(read);
  };
  const submit = (event: FormEvent, replaced: TallyEntry) => {
    event.preventDefault();
    const { typed, rest } = run.written(event.timeStamp);
    if (onlyDigits.test(typed) && isLikeABarcode(cleanCode(rest))) return askAbout(cleanCode(rest), typed);
    const given = cleanCode(text);
    if (isLikeABarcode(given)) return askAbout(given, "");
    const found = problemOf(given);
    setProblem(found);
    if (found !== null) return;
    onClose();
    station.setQuantity(replaced, Number(given));
  };
  useBurstGuard(true, (scanned) => {
    onScanIgnored();
    if (code === null) askAbout(cleanCode(scanned), before.current);
    else setSecond(cleanCode(scanned));
  });
  if (entry === undefined) return null;
  return (
    <Dialog title={messages.quantityTitle} onClose={onClose} grows>
      {code === null ? (
        <QuantityQuestion
          entry={entry}
          text={text}
          problem={problem}
          onKeyDown={onKeyDown}
          onChange={change}
          onSubmit={(event) => submit(event, entry)}
          onClose={onClose}
        />
      ) : (
        <LikeABarcode
          code={code}
          second={second}
          onBack={() => setCode(null)}
          onScan={() => {
            onClose();
            station.scan(code, "scan");
          }}
        />
      )}
    </Dialog>
  );
}
