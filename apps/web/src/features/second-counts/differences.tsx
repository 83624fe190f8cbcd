import { Button, Stack, Text } from "@mantine/core";
import type { CountDifference } from "@stocktake/contract";
import { useState } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { areaText, noneText, partsText, quantityText } from "../../ui/formats.ts";
import { Section } from "../../ui/section.tsx";
import { type QuietColumn, QuietTable } from "../../ui/tables/quiet-table.tsx";
import { ChooseDialog } from "./choose-dialog.tsx";
import { messages, outcomeText } from "./messages.ts";

const { differences: texts } = messages;

const figures: readonly QuietColumn<CountDifference>[] = [
  { header: "Area", cell: ({ area }) => areaText(area.code, area.name) },
  {
    header: "Product",
    cell: ({ productTitle, size, sku }) => (
      <span>
        {partsText(productTitle, size)}{" "}
        <Text span c="dimmed">
          {sku}
        </Text>
      </span>
    ),
  },
  {
    header: "First",
    numeric: true,
    cell: ({ first, firstReplaced }) => (
      <div>
        {quantityText(first)}
        {firstReplaced === true ? <Text c="dimmed">{texts.whatCounts}</Text> : null}
      </div>
    ),
  },
  { header: "Second", numeric: true, cell: ({ second }) => quantityText(second) },
  { header: "Third", numeric: true, cell: ({ third }) => (third === null ? noneText : quantityText(third)) },
];

const keyOf = ({ area, ofPass, sku }: CountDifference) => `${area._id} ${ofPass} ${sku}`;

function choosing(onChoose: (difference: CountDifference) => void): QuietColumn<CountDifference> {
  return {
    header: "Actions",
    hiddenHeader: true,
    cell: (difference) =>
      difference.thirdCountOpen ? (
        texts.waits
      ) : (
        <Button
          variant="default"
          size="sm"
          aria-label={texts.chooseFor(difference.sku, difference.area.code)}
          onClick={() => onChoose(difference)}
        >
          {texts.choose}
        </Button>
      ),
  };
}

function Settled({ differences }: { differences: readonly CountDifference[] }) {
  if (differences.length === 0) return null;
  const outcome: QuietColumn<CountDifference> = {
    header: "Outcome",
    cell: (difference) => (
      <div>
        {outcomeText(difference)}
        {difference.reason === null ? null : <Text c="dimmed">{difference.reason}</Text>}
      </div>
    ),
  };
  const heading = texts.settledHeading(differences.length);
  return (
    <details>
      <summary>{heading}</summary>
      <QuietTable label={heading} columns={[...figures, outcome]} rows={differences} keyOf={keyOf} />
    </details>
  );
}

interface DifferencesProps {
  readonly sessionId: string;
  readonly differences: readonly CountDifference[];
}

/** The SKUs whose counts differ: those that wait for a choice, and what became of the others. */
export function Differences({ sessionId, differences }: DifferencesProps) {
  const [chosen, setChosen] = useState<CountDifference | null>(null);
  const open = differences.filter(({ settledAs }) => settledAs === null);
  return (
    <Section title={texts.heading}>
      <Stack gap="sm">
        {open.length === 0 ? (
          <EmptyState title={texts.none}>{texts.noneText}</EmptyState>
        ) : (
          <QuietTable
            label={texts.heading}
            columns={[...figures, choosing(setChosen)]}
            rows={open}
            keyOf={keyOf}
          />
        )}
        <Settled differences={differences.filter(({ settledAs }) => settledAs !== null)} />
      </Stack>
      {chosen === null ? null : (
        <ChooseDialog sessionId={sessionId} difference={chosen} onClose={() => setChosen(null)} />
      )}
    </Section>
  );
}
