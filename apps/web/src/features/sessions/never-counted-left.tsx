import { Button } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { neverCountedGroupsQuery, searchesPath } from "../../http/searches.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Notice } from "../../ui/notice.tsx";
import { messages } from "./messages.ts";

const { endDialog } = messages;

interface NeverCountedLeftProps {
  readonly session: CountingSession;
  readonly isEnding: boolean;
}

/** What is in stock and nobody has counted, while it can still be looked for. Of a partial count that means nothing. */
export function NeverCountedLeft({ session, isEnding }: NeverCountedLeftProps) {
  const { data, error, refetch } = useQuery({
    ...neverCountedGroupsQuery(session._id),
    // Once the session has ended nobody looks for anything any more.
    enabled: session.scope === "full" && !isEnding,
    staleTime: 0,
  });
  if (data === undefined) {
    return <ErrorBox error={error} fallback={endDialog.neverCountedFailed} onRetry={refetch} />;
  }
  if (data.items === 0) return null;
  return (
    <Notice
      kind="warning"
      title={endDialog.neverCounted(data.items)}
      action={
        <Button component={Link} to={searchesPath(session._id)} variant="default" size="sm">
          {endDialog.search}
        </Button>
      }
    >
      {endDialog.neverCountedNote(data.notThere, data.contradicted)}
    </Notice>
  );
}
