import { Button, Group, Stack, Text } from "@mantine/core";
import { diagnosis, type Finding } from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { Loaded } from "../../ui/drawing/loaded.tsx";
import { StatusRow } from "../../ui/figures/status-row.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { StatusBadge, type StatusTone } from "../../ui/status-badge.tsx";
import { messages } from "./messages.ts";

const { checks: labels } = messages;

/** A check signs in at the mail server and asks Shopify, so it is made when the page opens and on demand. */
const diagnosisQuery = queryOptions({
  queryKey: ["diagnosis"],
  queryFn: ({ signal }) => callApi(diagnosis, { signal }),
  refetchOnWindowFocus: false,
});

const tones: Readonly<Record<Finding["status"], StatusTone>> = {
  ok: "positive",
  warning: "warning",
  failed: "negative",
  not_configured: "neutral",
};

const utcMoment = /(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) UTC/g;

/** A check's sentence with its moments as the page shows others: the server writes them for its log, by no clock of the reader's. */
function inOwnTime(sentence: string): string {
  return sentence.replace(utcMoment, (_all, day: string, time: string) => dateTimeText(`${day}T${time}Z`));
}

function FindingRow({ finding: { check, status, message, advice } }: { finding: Finding }) {
  return (
    <div>
      <StatusRow name={labels.names[check]} note={inOwnTime(message)}>
        <StatusBadge tone={tones[status]}>{labels.states[status]}</StatusBadge>
      </StatusRow>
      {advice === null ? null : (
        <Text fz="sm" pb="xs">
          {inOwnTime(advice)}
        </Text>
      )}
    </div>
  );
}

/** Everything that the installation depends on, how it is, and what to do about it; `npm run doctor` prints the same. */
export function ChecksPanel() {
  const query = useQuery(diagnosisQuery);
  const { isFetching, refetch } = query;
  return (
    <Loaded query={query} fallback={labels.failed}>
      {({ findings, checkedAt }) => (
        <Stack gap="xs">
          <Text c="dimmed">{labels.intro}</Text>
          <div>
            {findings.map((finding) => (
              <FindingRow key={`${finding.check}: ${finding.message}`} finding={finding} />
            ))}
          </div>
          <Group justify="space-between">
            <Text c="dimmed" fz="sm">
              {labels.checkedAt(dateTimeText(checkedAt))}
            </Text>
            <Button variant="default" disabled={isFetching} onClick={() => void refetch()}>
              {isFetching ? labels.checking : labels.again}
            </Button>
          </Group>
        </Stack>
      )}
    </Loaded>
  );
}
