import { Button, Group, Text, Textarea } from "@mantine/core";
import { type CountSheet, voidSheet } from "@stocktake/contract";
import { useState } from "react";
import { Link } from "react-router";
import { sheetsOut, sheetsPath } from "../../../http/sheets.ts";
import { useReasonForm } from "../../../ui/contract-form.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { dateTimeText, noneText, partsText } from "../../../ui/formats.ts";
import { SearchableList } from "../../../ui/search/searchable-list.tsx";
import { Section } from "../../../ui/section.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { QuietTable } from "../../../ui/tables/quiet-table.tsx";
import { useVoidSheet } from "./api.ts";
import { messages } from "./messages.ts";

const { list: texts, voiding } = messages;

interface VoidSheetDialogProps {
  readonly sessionId: string;
  readonly number: number;
  readonly onClose: () => void;
}

function VoidSheetDialog({ sessionId, number, onClose }: VoidSheetDialogProps) {
  const declare = useVoidSheet(sessionId, number);
  const form = useReasonForm(voidSheet.body, (reason) => ({ reason }));
  return (
    <FormDialog
      title={voiding.title(number)}
      change={declare}
      errorFallback={voiding.failed}
      heading={<Text>{voiding.text}</Text>}
      submitLabel={voiding.confirm}
      disabled={!form.isValid()}
      onClose={onClose}
      onSubmit={form.onSubmit(({ reason }) => declare.send(reason, onClose))}
    >
      <Textarea
        label={voiding.reason}
        description={voiding.reasonNote}
        rows={2}
        required
        data-autofocus
        {...form.getInputProps("reason")}
      />
    </FormDialog>
  );
}

const tones = { out: "warning", returned: "positive", void: "neutral" } as const;

function State({ sheet: { state, keyed } }: { sheet: CountSheet }) {
  if (keyed?.isStored === false) return <StatusBadge tone="negative">{texts.unstored}</StatusBadge>;
  return <StatusBadge tone={tones[state]}>{texts.states[state]}</StatusBadge>;
}

function By({ time, person }: { time: string | null; person: CountSheet["printedBy"] }) {
  return <div>{texts.by(dateTimeText(time), person?.username ?? noneText)}</div>;
}

function Became({ sheet }: { sheet: CountSheet }) {
  if (sheet.state === "out") return noneText;
  if (sheet.state === "void") {
    return (
      <div>
        <By time={sheet.voidedAt} person={sheet.voidedBy} />
        <Text fz="sm">{sheet.voidReason}</Text>
      </div>
    );
  }
  const counted = sheet.countedBy === null ? null : texts.counted(sheet.countedBy.username);
  const figures = sheet.keyed === null ? null : texts.keyed(sheet.keyed.units, sheet.keyed.declaredTotal);
  return (
    <div>
      <By time={sheet.returnedAt} person={sheet.returnedBy} />
      <Text fz="sm">{partsText(figures, counted)}</Text>
    </div>
  );
}

interface SheetListProps {
  readonly sessionId: string;
  readonly sheets: readonly CountSheet[];
  /** Nothing can be keyed any more. */
  readonly hasEnded: boolean;
}

interface ActionsProps extends Pick<SheetListProps, "sessionId" | "hasEnded"> {
  readonly sheet: CountSheet;
  readonly onVoid: (number: number) => void;
}

function Actions({ sessionId, sheet: { number, state }, hasEnded, onVoid }: ActionsProps) {
  const path = sheetsPath(sessionId);
  const look = { to: `${path}/${number}`, component: Link, size: "sm", variant: "default" } as const;
  if (state !== "out" || hasEnded) {
    return (
      <Group gap="xs" justify="flex-end">
        {state === "void" ? null : (
          <Button {...look} aria-label={texts.lookOf(number)}>
            {texts.look}
          </Button>
        )}
        {state === "out" ? <VoidButton number={number} onVoid={onVoid} /> : null}
      </Group>
    );
  }
  return (
    <Group gap="xs" justify="flex-end">
      <Button {...look} aria-label={texts.keyOf(number)}>
        {texts.key}
      </Button>
      <Button {...look} to={`${path}/print?from=${number}&to=${number}`} aria-label={texts.againOf(number)}>
        {texts.again}
      </Button>
      <VoidButton number={number} onVoid={onVoid} />
    </Group>
  );
}

function VoidButton({ number, onVoid }: Pick<ActionsProps, "onVoid"> & { number: number }) {
  return (
    <Button size="sm" variant="default" aria-label={texts.voidOf(number)} onClick={() => onVoid(number)}>
      {texts.void}
    </Button>
  );
}

/** Every sheet of a session by its number, with what became of it. */
export function SheetList({ sessionId, sheets, hasEnded }: SheetListProps) {
  const [voided, setVoided] = useState<number | null>(null);
  return (
    <Section title={texts.heading}>
      {sheets.length === 0 ? (
        <EmptyState title={texts.none}>{texts.noneText}</EmptyState>
      ) : (
        <>
          <Text>{texts.out(sheetsOut(sheets).length)}</Text>
          <SearchableList
            label={texts.heading}
            rows={sheets}
            textOf={({ number, area, state }) =>
              `${number} ${area.code} ${area.name} ${area.locationName} ${texts.states[state]}`
            }
          >
            {(found) => (
              <QuietTable
                label={texts.heading}
                rows={found}
                keyOf={({ number }) => String(number)}
                columns={[
                  { header: texts.number, numeric: true, cell: ({ number }) => number },
                  {
                    header: texts.area,
                    cell: ({ area }) =>
                      partsText(area.code, area.name === area.code ? null : area.name, area.locationName),
                  },
                  { header: texts.state, cell: (sheet) => <State sheet={sheet} /> },
                  {
                    header: texts.printed,
                    cell: ({ printedAt, printedBy }) => <By time={printedAt} person={printedBy} />,
                  },
                  { header: texts.became, cell: (sheet) => <Became sheet={sheet} /> },
                  {
                    header: texts.actions,
                    hiddenHeader: true,
                    cell: (sheet) => <Actions {...{ sessionId, sheet, hasEnded }} onVoid={setVoided} />,
                  },
                ]}
              />
            )}
          </SearchableList>
        </>
      )}
      {voided === null ? null : (
        <VoidSheetDialog sessionId={sessionId} number={voided} onClose={() => setVoided(null)} />
      )}
    </Section>
  );
}
