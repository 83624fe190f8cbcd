import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { countersQuery } from "./api.ts";
import { AddCounterForm } from "./counter-forms.tsx";
import { CounterList } from "./counter-list.tsx";
import { messages } from "./messages.ts";
import { TemporaryCounters } from "./temporary-counters.tsx";

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
