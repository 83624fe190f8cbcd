import { Button, Stack, Text, Textarea, VisuallyHidden } from "@mantine/core";
import { type Area, countingConstants, type Location, limits, readAreaLines } from "@stocktake/contract";
import { type FormEvent, useMemo, useState } from "react";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { useCreateAreas } from "./api.ts";
import { AreaLinesPreview } from "./area-lines-preview.tsx";
import { texts } from "./texts.ts";

interface BulkAreasDialogProps {
  readonly location: Location;
  /** The areas that the location has, whose codes are taken. */
  readonly present: readonly Area[];
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function useBulkAreas({ location, present, onDone, onClose }: BulkAreasDialogProps) {
  const [entry, setEntry] = useState("");
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    const areas = lines.map(({ code, name }) => ({ code, name }));
    create.send({ locationId: location._id, areas }, (answer) => {
      onDone(texts.areasCreated(answer.areas.length));
      onClose();
    });
  };
  return { entry, setEntry, create, lines, bad, tooMany, ready, submit };
}

/** Why the lines can't be added. What the button says of it is read aloud only to who goes there, so it is said here too. */
function Problem({ bad, tooMany }: Pick<ReturnType<typeof useBulkAreas>, "bad" | "tooMany">) {
  if (!tooMany) {
    return <VisuallyHidden role="status">{bad > 0 ? texts.bulk.correct(bad) : ""}</VisuallyHidden>;
  }
  return (
    <Text role="status" fz="sm" c="var(--stocktake-negative)" style={{ flex: "1 1 10rem" }}>
      {texts.bulk.tooMany(limits.areasPerCall)}
    </Text>
  );
}

function submitLabel({ create, bad, lines }: ReturnType<typeof useBulkAreas>): string {
  if (create.isPending) return texts.bulk.busy;
  return bad > 0 ? texts.bulk.correct(bad) : texts.bulk.submit(lines.length);
}

/** Adds many areas at a time, all or none; the preview marks what can't be added before it is sent. */
export function BulkAreasDialog(props: BulkAreasDialogProps) {
  const form = useBulkAreas(props);
  return (
    <Dialog size="lg" onClose={props.onClose} title={texts.bulk.title(props.location.name)}>
      <form onSubmit={form.submit}>
        <Stack gap="sm">
          <ErrorBox error={form.create.error} fallback={texts.areasFailed} />
          <Textarea
            label={texts.bulk.label}
            description={texts.bulk.hint}
            placeholder={texts.bulk.placeholder}
            rows={countingConstants.bulkAreaRows}
            value={form.entry}
            data-autofocus
            onChange={(event) => form.setEntry(event.currentTarget.value)}
          />
          <AreaLinesPreview lines={form.lines} />
          <DialogActions>
            <Problem {...form} />
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!form.ready}>
              {submitLabel(form)}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
