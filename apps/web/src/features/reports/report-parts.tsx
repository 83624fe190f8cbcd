import { Button, Group } from "@mantine/core";
import { isInVariances } from "@stocktake/contract";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { knownQuantityText } from "../../ui/formats.ts";
import { historyQuery, type Report } from "./api.ts";
import { groupsQuery } from "./exceptions/api.ts";
import { isAtWork, isIn, leadTo, type Part, useLeadTo } from "./lead-to.ts";
import { messages } from "./messages.ts";
import { useCountedAreasNumber } from "./summary/counted-areas-query.ts";
import { varianceByArea } from "./summary/places.ts";
import { neverCountedShare } from "./summary/report-shares.ts";

const parts: readonly Part[] = ["variances", "decisions", "areas", "history", "audit"];

/** What of an address narrows the rows. */
const narrowing = ["show", "q", "place", "sku"];

interface Counts {
  /** Null where it is not known. */
  readonly counts: Readonly<Record<Part, number | null>>;
  /** Where there is nothing of it, the report has no such part. */
  readonly missing: ReadonlySet<Part>;
}

function useCounts(report: Report): Counts {
  const { session, exceptions, items, basis } = report;
  const { data: found } = useInfiniteQuery(groupsQuery(session._id));
  const { data: entries } = useQuery(historyQuery(session._id));
  const decisions = found?.waiting ?? exceptions.unresolved + exceptions.late;
  const areas = useCountedAreasNumber(session._id);
  const hasBars = useMemo(() => varianceByArea(items).length > 0, [items]);
  const variances = useMemo(() => items.filter((item) => isInVariances(item, basis)).length, [items, basis]);
  const hasBreakdown = useMemo(() => hasBars || neverCountedShare(report).items > 0, [hasBars, report]);
  const missing = new Set<Part>();
  if (decisions === 0) missing.add("decisions");
  if (!hasBreakdown) missing.add("areas");
  return {
    counts: { variances, decisions, areas, history: entries?.length ?? null, audit: 1 },
    missing,
  };
}

const labels: Record<Part, (count: string) => string> = {
  variances: messages.parts.variances,
  decisions: messages.parts.exceptions,
  areas: messages.parts.areas,
  history: messages.parts.history,
  audit: () => messages.parts.audit,
};

function useAsked(): Part | undefined {
  const [address] = useSearchParams();
  return parts.find((part) => part === address.get("tab"));
}

/**
 * Leads to the part that the address names. To be drawn with the last of the parts: none can be led to before it is on the page.
 * Whoever has begun to do something until then, as to deploy, is not taken away from it.
 */
export function LedToPart(): null {
  const [address] = useSearchParams();
  const asked = useAsked();
  // A link to some of the rows names no part: they are below much that it does not speak of.
  const [begin] = useState(asked ?? (narrowing.some((name) => address.has(name)) ? "variances" : undefined));
  useEffect(() => {
    if (begin !== undefined && !isAtWork()) leadTo(begin);
  }, [begin]);
  // The part that the page was opened with has been led to above.
  const ledTo = useRef(asked);
  useEffect(() => {
    if (asked === ledTo.current) return;
    ledTo.current = asked;
    if (asked !== undefined && !isIn(asked)) leadTo(asked);
  }, [asked]);
  return null;
}

/** Leads to the parts of the report, which may lie far below; the one that was led to is in the address. */
export function ReportParts({ report }: { report: Report }) {
  const lead = useLeadTo();
  const { counts, missing } = useCounts(report);
  const asked = useAsked();
  return (
    <nav aria-label={messages.parts.label} className="screen-only">
      <Group gap="xs">
        {parts.map((part) => (
          <Button
            key={part}
            variant={part === asked ? "light" : "default"}
            size="sm"
            disabled={missing.has(part)}
            onClick={() => lead(part)}
          >
            {labels[part](knownQuantityText(counts[part]))}
          </Button>
        ))}
      </Group>
    </nav>
  );
}
