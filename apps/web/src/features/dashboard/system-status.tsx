import type { Health } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { healthQuery } from "../../http/health.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { StatusRow } from "../../ui/status-row.tsx";

const parts = [
  { name: "Database", key: "database", working: "Connected" },
  { name: "Shopify API", key: "shopify", working: "Connected" },
  { name: "Sync Status", key: "sync", working: "Up to date" },
] as const;

function PartBadge({ part, working }: { part: Health["database"] | undefined; working: string }) {
  // The specification's text stands unless the server says that it isn't so.
  if (part === undefined || part.status === "ok") return <StatusBadge tone="positive">{working}</StatusBadge>;
  if (part.status === "unavailable") return <StatusBadge tone="negative">Unavailable</StatusBadge>;
  return <StatusBadge tone="warning">Not configured</StatusBadge>;
}

export function SystemStatus() {
  const { data, isError } = useQuery(healthQuery);
  return (
    <div>
      {parts.map(({ name, key, working }) => (
        <StatusRow key={key} name={name}>
          {isError ? (
            <StatusBadge tone="neutral">Unknown</StatusBadge>
          ) : (
            <PartBadge part={data?.[key]} working={working} />
          )}
        </StatusRow>
      ))}
    </div>
  );
}
