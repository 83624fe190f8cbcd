import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { AddCounterForm } from "./add-counter-form.tsx";
import { countersQuery } from "./api.ts";
import { CounterList } from "./counter-list.tsx";
import { TemporaryCounters } from "./temporary-counters.tsx";
import { texts } from "./texts.ts";

export function UsersPage() {
  const { data, error, isPending, refetch } = useQuery(countersQuery);
  const [message, setMessage] = useState<string | null>(null);
  return (
    <Stack gap="md">
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      <SuccessMessage message={message} onClose={() => setMessage(null)} />
      <ErrorBox error={error} fallback={texts.fetchFailed} onRetry={refetch} />
      <Section title={texts.addHeading}>
        <AddCounterForm onDone={setMessage} />
      </Section>
      <Section title={texts.listHeading}>
        {isPending ? <LoadingState /> : null}
        {data === undefined ? null : <CounterList counters={data} onDone={setMessage} />}
      </Section>
      <Section title={texts.temporary.heading}>
        <TemporaryCounters />
      </Section>
    </Stack>
  );
}
