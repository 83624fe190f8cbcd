import { Group, List, Stack, Text, Title } from "@mantine/core";
import { type ControlSample, type DrawnArea, sampleStatement } from "@stocktake/contract";
import type { ReactNode } from "react";
import { quantityText } from "../formats.ts";
import { type QuietColumn, QuietTable } from "../tables/quiet-table.tsx";
import { areaStateText, excludedText, sampleMessages as texts } from "./sample-messages.ts";

function Findings({ sample }: { sample: ControlSample }) {
  if (sample.status === "void") return <Text>{texts.void(sample)}</Text>;
  if (sample.status === "counting") return <Text>{texts.counting(sample)}</Text>;
  return (
    <Stack gap={4}>
      {sampleStatement(sample).map((sentence) => (
        <Text key={sentence} fw={600}>
          {sentence}
        </Text>
      ))}
    </Stack>
  );
}

function Excluded({ excluded }: Pick<ControlSample, "excluded">) {
  if (excluded.length === 0) return null;
  return (
    <div>
      <Text fz="sm">{texts.excluded}</Text>
      <List fz="sm">
        {excluded.map((each) => (
          <List.Item key={`${each.areaCode} ${each.sku}`}>{excludedText(each)}</List.Item>
        ))}
      </List>
    </div>
  );
}

const columns: readonly QuietColumn<DrawnArea>[] = [
  { header: texts.headers.area, cell: ({ area }) => `${area.code} – ${area.name}` },
  { header: texts.headers.location, cell: ({ area }) => area.locationName },
  { header: texts.headers.units, numeric: true, cell: ({ units }) => quantityText(units) },
  { header: texts.headers.state, cell: areaStateText },
];

function Proof({ sample }: { sample: ControlSample }) {
  return (
    <details>
      <summary>{texts.proof}</summary>
      <Text fz="sm">{texts.committed(sample)}</Text>
      <Text fz="sm" style={{ overflowWrap: "anywhere" }}>
        {texts.seed}: {sample.seed}
      </Text>
      <Text fz="sm" style={{ overflowWrap: "anywhere" }}>
        {texts.commitment}: {sample.commitment.hash}
      </Text>
    </details>
  );
}

interface SampleCardProps {
  readonly sample: ControlSample;
  /** What can be done about it. */
  readonly action?: ReactNode;
}

/** A control sample with all that it says, and what it was drawn by. */
export function SampleCard({ sample, action }: SampleCardProps) {
  const { number, status, reason, drawn } = sample;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Title order={3} fz="1rem">
          {texts.title(number)}: {texts.states[status]}
        </Title>
        {action}
      </Group>
      <Findings sample={sample} />
      <Text fz="sm" c="dimmed">
        {texts.drawn(sample)} {texts.others(sample)} {reason === null ? "" : texts.redrawn(reason)}
      </Text>
      <Excluded excluded={sample.excluded} />
      <QuietTable
        label={`${texts.areas}: ${texts.title(number)}`}
        columns={columns}
        rows={drawn}
        keyOf={({ area }) => area._id}
      />
      <Proof sample={sample} />
    </Stack>
  );
}
