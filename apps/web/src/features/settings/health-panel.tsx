import { Stack, Text } from "@mantine/core";
import type { Health } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { healthQuery } from "../../http/health.ts";
import { Loaded } from "../../ui/drawing/loaded.tsx";
import { StatusRow } from "../../ui/figures/status-row.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { Notice } from "../../ui/notice.tsx";
import { StatusBadge, type StatusTone } from "../../ui/status-badge.tsx";
import { messages } from "./messages.ts";

type Part = Health["database"];

const states: Record<Part["status"], { tone: StatusTone; word: string }> = {
  ok: { tone: "positive", word: "Working" },
  unavailable: { tone: "negative", word: "Unavailable" },
  not_configured: { tone: "warning", word: "Not configured" },
};

function HealthRow({ name, part }: { name: string; part: Part }) {
  const { tone, word } = states[part.status];
  return (
    <StatusRow name={name} note={part.message}>
      <StatusBadge tone={tone}>{word}</StatusBadge>
    </StatusRow>
  );
}

/** The server says for how long; the page has its reader's clock. */
function syncOf({ sync, stockUnreadSince }: Health): Part {
  if (stockUnreadSince === undefined || stockUnreadSince === null) return sync;
  return { ...sync, message: messages.levelsUnread(dateTimeText(stockUnreadSince)) };
}

export function HealthPanel() {
  return (
    <Loaded query={useQuery(healthQuery)} fallback={messages.healthFailed}>
      {(health) => (
        <Stack gap={0}>
          {health.demo ? (
            <Notice kind="info" title="Demonstration">
              This installation uses a demo shop. No real Shopify inventory is changed.
            </Notice>
          ) : null}
          <HealthRow name="Database" part={health.database} />
          <HealthRow name="Shopify API" part={health.shopify} />
          <HealthRow name="Sync Status" part={syncOf(health)} />
          <HealthRow name="Mail" part={health.mail} />
          <Text c="dimmed" fz="sm" pt="xs">
            Server version {health.version}
          </Text>
        </Stack>
      )}
    </Loaded>
  );
}
