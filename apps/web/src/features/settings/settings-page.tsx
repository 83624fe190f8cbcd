import { SimpleGrid, Stack } from "@mantine/core";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { HealthPanel } from "./health-panel.tsx";
import { PasswordForm } from "./password-form.tsx";
import { texts } from "./texts.ts";

export function SettingsPage() {
  return (
    <Stack gap="md">
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Section title={texts.passwordHeading}>
          <PasswordForm />
        </Section>
        <Section title={texts.healthHeading}>
          <HealthPanel />
        </Section>
      </SimpleGrid>
    </Stack>
  );
}
