import { Text, Textarea, VisuallyHidden } from "@mantine/core";
import { useForm } from "@mantine/form";
import {
  type Area,
  type AreaLine,
  countingConstants,
  createAreas,
  type Location,
  limits,
  readAreaLines,
} from "@stocktake/contract";
import { useMemo } from "react";
import { callApi } from "../../http/call.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { useChange } from "../../http/use-change.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { noneText } from "../../ui/formats.ts";
import { WarningIcon } from "../../ui/icons.tsx";
import { keyOf, sharedNames } from "../../ui/names/shared-names.ts";
import { Notice } from "../../ui/notice.tsx";
import classes from "./bulk-areas.module.css";
import { messages } from "./messages.ts";

interface NewArea {
  readonly code: string;
  readonly name: string;
}

function useCreateAreas() {
  return useChange(
    ({ locationId, areas }: { locationId: string; areas: NewArea[] }) =>
      callApi(createAreas, { params: { id: locationId }, body: { areas } }),
    staleAfter.area,
  );
}

/** A line pasted from a spreadsheet may part its cells otherwise; it is one code then, which may even be meant. */
function separatorIn({ typed }: AreaLine): keyof typeof messages.bulk.separator | null {
  const line = typed.trim();
  if (line.includes(",")) return null;
  if (line.includes("\t")) return "tab";
  return line.includes(";") ? "semicolon" : null;
}

function PreviewLine({ line }: { line: AreaLine }) {
  const bad = line.problem !== null;
  const separator = separatorIn(line);
  return (
    <li className={`${classes.line} ${bad ? classes.bad : ""}`}>
      <span className={classes.number}>{line.line}</span>
      <span className={classes.code}>{line.code === "" ? noneText : line.code}</span>
      <span>{line.name}</span>
      {bad ? (
        <span className={classes.problem}>
          <WarningIcon size={16} />
          {line.problem}
        </span>
      ) : null}
      {separator === null ? null : (
        <span className={classes.warning}>
          <WarningIcon size={16} />
          {messages.bulk.separator[separator]}
        </span>
      )}
    </li>
  );
}

/** The lines as they will be added, with what is wrong beside each that can't be. */
function AreaLinesPreview({ lines }: { lines: readonly AreaLine[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <Text fw={560} mb={4}>
        {messages.bulk.preview}
      </Text>
      <ul className={classes.preview}>
        {lines.map((line) => (
          <PreviewLine key={line.line} line={line} />
        ))}
      </ul>
    </div>
  );
}

const namedAtMost = 3;

/** Names that more than one area of the location would have. They can be added: an area is known by its code. */
function SameNames({ lines, present }: { lines: readonly AreaLine[]; present: readonly Area[] }) {
  const given = lines.filter(({ problem }) => problem === null).map(({ name }) => name);
  const isShared = sharedNames([...given, ...present.map(({ name }) => name)]);
  const isFirst = (name: string, index: number, all: readonly string[]) =>
    all.findIndex((other) => keyOf(other) === keyOf(name)) === index;
  const shared = given.filter(isShared).filter(isFirst);
  if (shared.length === 0) return null;
  return (
    <Notice kind="warning" role="status">
      {messages.bulk.sameNames(shared.slice(0, namedAtMost), Math.max(0, shared.length - namedAtMost))}
    </Notice>
  );
}

interface BulkAreasDialogProps {
  readonly location: Location;
  /** The areas that the location has, whose codes are taken. */
  readonly present: readonly Area[];
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function useBulkAreas({ location, present, onDone, onClose }: BulkAreasDialogProps) {
  const form = useForm({ initialValues: { entry: "" } });
  const { entry } = form.values;
  const create = useCreateAreas();
  const lines = useMemo(
    () =>
      readAreaLines(
        entry,
        present.map((area) => area.code),
      ),
    [entry, present],
  );
  const bad = lines.filter((line) => line.problem !== null).length;
  const tooMany = lines.length > limits.areasPerCall;
  const ready = lines.length > 0 && bad === 0 && !tooMany && !create.isPending;
  const submit = form.onSubmit(() => {
    if (!ready) return;
    const areas = lines.map(({ code, name }) => ({ code, name }));
    create.send({ locationId: location._id, areas }, (answer) => {
      onDone(messages.areasCreated(answer.areas.length));
      onClose();
    });
  });
  return { form, create, lines, bad, tooMany, ready, submit };
}

/** Why the lines can't be added. A screen reader reads the button's label only on focus, so it is announced here too. */
function Problem({ bad, tooMany }: Pick<ReturnType<typeof useBulkAreas>, "bad" | "tooMany">) {
  if (!tooMany) {
    return <VisuallyHidden role="status">{bad > 0 ? messages.bulk.correct(bad) : ""}</VisuallyHidden>;
  }
  return (
    <Text role="status" fz="sm" c="var(--stocktake-negative)" style={{ flex: "1 1 10rem" }}>
      {messages.bulk.tooMany(limits.areasPerCall)}
    </Text>
  );
}

/** Adds many areas at a time, all or none; the preview marks what can't be added before it is sent. */
export function BulkAreasDialog(props: BulkAreasDialogProps) {
  const bulk = useBulkAreas(props);
  const { form, create, lines, bad, ready, submit } = bulk;
  return (
    <FormDialog
      title={messages.bulk.title(props.location.name)}
      size="lg"
      onClose={props.onClose}
      onSubmit={submit}
      change={create}
      errorFallback={messages.areasFailed}
      submitLabel={bad > 0 ? messages.bulk.correct(bad) : messages.bulk.submit(lines.length)}
      busyLabel={messages.bulk.busy}
      disabled={!ready}
      isTyped={lines.length > 0}
      note={<Problem {...bulk} />}
    >
      <Textarea
        label={messages.bulk.label}
        description={messages.bulk.hint}
        placeholder={messages.bulk.placeholder}
        rows={countingConstants.bulkAreaRows}
        data-autofocus
        {...form.getInputProps("entry")}
      />
      <AreaLinesPreview lines={lines} />
      <SameNames lines={lines} present={props.present} />
    </FormDialog>
  );
}
