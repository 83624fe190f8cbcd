import { Stack } from "@mantine/core";
import { listCounters } from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/shared-queries.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { AddCounterForm } from "./counter-forms.tsx";
import { CounterList } from "./counter-list.tsx";
import { messages } from "./messages.ts";
import { TemporaryCounters } from "./temporary-counters.tsx";

const countersQuery = queryOptions({
  queryKey: [queryRoots.counters],
  queryFn: ({ signal }) => callApi(listCounters, { signal }),
  select: (answer) => answer.counters,
});

export function UsersPage() {
  const { data, error, isPending, refetch } = useQuery(countersQuery);
  const [message, setMessage] = useState<string | null>(null);
  return (
    <Stack gap="md">
      <PageHeader title={messages.title} subtitle={messages.subtitle} />
      <SuccessMessage message={message} onClose={() => setMessage(null)} />
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      <Section title={messages.addHeading}>
        <AddCounterForm onDone={setMessage} />
      </Section>
      <Section title={messages.listHeading}>
        {isPending ? <LoadingState /> : null}
        {data === undefined ? null : <CounterList counters={data} onDone={setMessage} />}
      </Section>
      <Section title={messages.temporary.heading}>
        <TemporaryCounters />
      </Section>
    </Stack>
  );
}
