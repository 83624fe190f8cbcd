import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { ScansCaption } from "../../ui/figures/scans-caption.tsx";
import { WhenNear } from "../../ui/figures/when-near.tsx";
import { hourText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import type { HourOfScans } from "./activity-columns.tsx";
import { type Activity, activityQuery } from "./activity-query.ts";
import { messages } from "./messages.ts";

const hourMs = 3_600_000;
const chartHeight = 220;

/** The counts of an answer, each with the hour it speaks of. */
function hoursOf({ since, hours }: Activity): HourOfScans[] {
  const start = Date.parse(since);
  return hours.map((scans, index) => ({ startsAt: new Date(start + index * hourMs).toISOString(), scans }));
}

/**
 * Drawing charts takes a large library, which the figures above should not wait for. A page of an earlier version can't have it from the
 * server any more: the chart in words remains.
 */
export function loadColumns(load: () => Promise<typeof import("./activity-columns.tsx")>) {
  return load().then(
    (columns) => ({ default: columns.ActivityColumns }),
    (error: unknown) => {
      globalThis.reportError(error);
      return { default: () => <></> };
    },
  );
}

const ActivityColumns = lazy(() => loadColumns(() => import("./activity-columns.tsx")));

/** The chart in words, for everyone: how much there was, and when most of it. */
function summaryOf(hours: readonly HourOfScans[]): string {
  const total = hours.reduce((sum, { scans }) => sum + scans, 0);
  if (total === 0) return messages.noScansLately;
  const busiest = hours.reduce((most, hour) => (hour.scans > most.scans ? hour : most));
  return messages.activity(quantityText(total), quantityText(busiest.scans), hourText(busiest.startsAt));
}

/** Scans per hour of the last days; the specification's words until there is a first scan. */
export function ActivityChart() {
  const { data, error, refetch } = useQuery(activityQuery);
  if (data === undefined) {
    if (error === null) return <LoadingState />;
    return <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />;
  }
  if (!data.begun) return <EmptyState title={messages.comingSoon} />;
  const hours = hoursOf(data);
  return (
    <div>
      <Text c="dimmed" fz="sm" mb="xs">
        {summaryOf(hours)}
      </Text>
      <div aria-hidden="true">
        <WhenNear height={chartHeight}>
          <Suspense fallback={null}>
            <ActivityColumns hours={hours} height={chartHeight} />
          </Suspense>
        </WhenNear>
      </div>
      <ScansCaption />
    </div>
  );
}
