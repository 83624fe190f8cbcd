import { Stack } from "@mantine/core";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Section } from "../../../ui/section.tsx";
import { messages } from "../messages.ts";
import { LoginList } from "./login-list.tsx";

/** The logins of a counter with an account; an administrator's are in the settings. */
export function OwnLoginsPage() {
  return (
    <Stack gap="md">
      <PageHeader title={messages.logins.title} subtitle={messages.logins.subtitle} />
      <Section title={messages.logins.heading}>
        <LoginList />
      </Section>
    </Stack>
  );
}
