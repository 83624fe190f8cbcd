import { Checkbox, Stack, Text } from "@mantine/core";
import { listEarlierCounters } from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "../../../http/call.ts";
import { queryRoots } from "../../../http/query-roots.ts";
import { Loaded } from "../../../ui/drawing/loaded.tsx";
import { lineOf, type PersonLine, withoutAddress } from "../../../ui/people/person-lines.ts";
import { messages } from "../messages.ts";

function earlierCountersQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.invitations, sessionId, "earlier"],
    queryFn: ({ signal }) => callApi(listEarlierCounters, { params: { sessionId }, signal }),
    select: (answer) => answer.counters,
  });
}

interface EarlierCountersProps {
  readonly sessionId: string;
  readonly entry: string;
  readonly lines: readonly PersonLine[];
  readonly onChange: (entry: string) => void;
}

/** Whom other sessions invited: checking one writes a line of the list, so that everybody is read and shown alike. */
export function EarlierCounters({ sessionId, entry, lines, onChange }: EarlierCountersProps) {
  const query = useQuery(earlierCountersQuery(sessionId));
  const listed = new Set(lines.map(({ email }) => email.toLowerCase()));
  return (
    <Loaded query={query} fallback={messages.list.earlierFailed} quiet>
      {(counters) => {
        if (counters.length === 0) return null;
        return (
          <details>
            <summary>{`${messages.list.earlier} (${counters.length})`}</summary>
            <Text c="dimmed" fz="sm" my={4}>
              {messages.list.earlierHint}
            </Text>
            <Stack gap={4} mah="14rem" style={{ overflowY: "auto" }}>
              {counters.map((person) => (
                <Checkbox
                  key={person.email}
                  label={`${person.counterName} · ${person.email}`}
                  checked={listed.has(person.email.toLowerCase())}
                  onChange={({ currentTarget }) =>
                    onChange(
                      currentTarget.checked
                        ? [entry.trimEnd(), lineOf(person)].filter((text) => text !== "").join("\n")
                        : withoutAddress(entry, person.email),
                    )
                  }
                />
              ))}
            </Stack>
          </details>
        );
      }}
    </Loaded>
  );
}
