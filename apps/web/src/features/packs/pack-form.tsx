import { Button, FileButton, Group, Stack, Text, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { limits, type Pack } from "@stocktake/contract";
import { useMemo } from "react";
import type { Change } from "../../http/use-change.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { decodeFile } from "../../ui/files/decode-file.ts";
import { messages } from "./messages.ts";
import { type PackLine, readPackLines } from "./pack-lines.ts";
import classes from "./packs.module.css";

const rows = 5;
const namedAtMost = 20;

function Problems({ lines }: { lines: readonly PackLine[] }) {
  const bad = lines.filter(({ problem }) => problem !== null).slice(0, namedAtMost);
  if (bad.length === 0) return null;
  return (
    <div role="status">
      <ul className={classes.lines}>
        {bad.map(({ line, code, problem }) => (
          <li key={line} className={classes.problem}>
            {line}: {code} {problem}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What each line was read as: a line that was divided wrong would count as something else from then on. */
function Preview({ lines }: { lines: readonly PackLine[] }) {
  const good = lines.filter(({ problem }) => problem === null);
  if (good.length === 0) return null;
  return (
    <ul className={classes.lines} aria-label={messages.preview}>
      {good.slice(0, namedAtMost).map(({ line, code, sku, units }) => (
        <li key={line}>
          {line}: <span className={classes.code}>{code}</span> {sku}{" "}
          {units === 0 ? messages.takenOut : messages.units(units)}
        </li>
      ))}
      {good.length > namedAtMost ? <li>{messages.more(good.length - namedAtMost)}</li> : null}
    </ul>
  );
}

interface PackFormProps {
  /** What the field holds at first: the rest of a line for a product of the report. */
  readonly initial: string;
  readonly change: Pick<Change<readonly Pack[], unknown>, "isPending" | "error">;
  readonly onSave: (packs: readonly Pack[], onDone: () => void) => void;
}

/** Codes of packs, typed, pasted or loaded from a file; what can't be saved is named before it is sent. */
export function PackForm({ initial, change, onSave }: PackFormProps) {
  const form = useForm({ initialValues: { entry: initial } });
  const { entry } = form.values;
  const setEntry = (text: string) => form.setFieldValue("entry", text);
  const lines = useMemo(() => readPackLines(entry), [entry]);
  const bad = lines.filter(({ problem }) => problem !== null).length;
  const isTooMany = lines.length > limits.packsPerCall;
  const isReady = lines.length > 0 && bad === 0 && !isTooMany && !change.isPending;
  const submit = form.onSubmit(() => {
    if (!isReady) return;
    onSave(
      lines.map(({ code, sku, units }) => ({ code, sku, units })),
      () => setEntry(""),
    );
  });
  const load = (file: File | null) => {
    file?.arrayBuffer().then((bytes) => setEntry(decodeFile(bytes)), globalThis.reportError);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Textarea
          label={messages.label}
          description={messages.intro}
          placeholder={messages.placeholder}
          rows={rows}
          {...form.getInputProps("entry")}
        />
        <Problems lines={lines} />
        <Preview lines={lines} />
        {isTooMany ? <Text role="status">{messages.tooMany(limits.packsPerCall)}</Text> : null}
        <Group gap="xs">
          <Button type="submit" disabled={!isReady}>
            {change.isPending
              ? messages.saving
              : bad > 0
                ? messages.correct(bad)
                : messages.save(lines.length)}
          </Button>
          <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={load}>
            {(props) => (
              <Button variant="default" {...props}>
                {messages.load}
              </Button>
            )}
          </FileButton>
        </Group>
        <ErrorBox error={change.error} fallback={messages.saveFailed} />
      </Stack>
    </form>
  );
}
