import { Anchor, Stack, Text } from "@mantine/core";
import type { CountingSession, CoverageKind, OpenCoverage } from "@stocktake/contract";
import { Link } from "react-router";
import { countAgainPath } from "../../http/count-again.ts";
import { reportPath } from "../../http/report-path.ts";
import { searchesPath } from "../../http/searches.ts";
import { secondCountsPath } from "../../http/second-counts.ts";
import { sheetsPath } from "../../http/sheets.ts";
import { coverageTexts } from "../../ui/certificates/coverage-messages.ts";
import { openThings } from "../../ui/certificates/coverage-text.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { quantityText } from "../../ui/formats.ts";
import { Section } from "../../ui/section.tsx";
import { messages } from "./messages.ts";

const { open: texts } = messages;

/** Where a kind is dealt with, if on another page; some only while the session counts. */
function pathOf(kind: CoverageKind, { _id, status }: CountingSession): string | null {
  const hasEnded = status === "closed";
  switch (kind) {
    case "restored":
      return reportPath(_id);
    case "areas":
      return hasEnded ? null : "/admin/sessions";
    case "empty_areas":
    case "second_counts":
    case "samples":
      return hasEnded ? null : secondCountsPath(_id);
    case "differences":
      return secondCountsPath(_id);
    case "stock":
      return hasEnded ? reportPath(_id) : searchesPath(_id);
    case "beyond_tolerance":
      return hasEnded ? reportPath(_id) : countAgainPath(_id);
    case "sheets":
      return sheetsPath(_id);
    case "exceptions":
      return hasEnded ? reportPath(_id) : `/admin/sessions/${encodeURIComponent(_id)}/exceptions`;
    case "devices":
    case "unknown_devices":
      return "/admin/sessions";
    case "cut_off_counts":
      return null;
  }
}

function Names({ count, names }: Pick<OpenCoverage, "count" | "names">) {
  const shown = names.filter((name) => name !== "");
  if (shown.length === 0) return null;
  const further = count - shown.length;
  return (
    <Text fz="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
      {shown.join(", ")}
      {further > 0 ? ` ${texts.andMore(further)}` : null}
    </Text>
  );
}

interface ItemProps extends Pick<OpenListProps, "session" | "isDeployed"> {
  readonly item: OpenCoverage;
}

function Item({ session, isDeployed, item }: ItemProps) {
  const path = pathOf(item.kind, session);
  const hasEnded = session.status === "closed";
  const label = texts.toPage(item.kind, hasEnded);
  return (
    <li>
      <Text fw={560}>{coverageTexts.open(item)}</Text>
      <Names {...item} />
      <Text fz="sm">{texts.todo(item.kind, { hasEnded, isDeployed })}</Text>
      {path === null || label === undefined ? null : (
        <Anchor component={Link} to={path} fz="sm" py={4} display="inline-block">
          {label}
        </Anchor>
      )}
    </li>
  );
}

interface OpenListProps {
  readonly session: CountingSession;
  readonly open: readonly OpenCoverage[];
  /** What the report was made of does not change before the deploy is rolled back. */
  readonly isDeployed: boolean;
}

/** What is open, kind by kind: what to do about it, and where. */
export function OpenList({ session, open, isDeployed }: OpenListProps) {
  if (open.length === 0) return <EmptyState title={texts.none}>{texts.noneText}</EmptyState>;
  return (
    <Section title={texts.heading(quantityText(openThings({ open })))}>
      <Stack component="ul" gap="sm" m={0} pl="md">
        {open.map((item) => (
          <Item key={item.kind} {...{ session, isDeployed, item }} />
        ))}
      </Stack>
    </Section>
  );
}
