import { SimpleGrid, Stack } from "@mantine/core";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { AudioDefaults } from "./audio-defaults.tsx";
import { AuditLink } from "./audit-link.tsx";
import { ConnectionsPanel } from "./connections-panel.tsx";
import { HealthPanel } from "./health-panel.tsx";
import { PasswordForm } from "./password-form.tsx";
import { texts } from "./texts.ts";

export function SettingsPage() {
  return (
    <Stack gap="md">
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Stack gap="md">
          <Section title={texts.passwordHeading}>
            <PasswordForm />
          </Section>
          <Section title={texts.audioHeading}>
            <AudioDefaults />
          </Section>
        </Stack>
        <Stack gap="md">
          <Section title={texts.healthHeading}>
            <HealthPanel />
          </Section>
          <Section title={texts.connectionsHeading}>
            <ConnectionsPanel />
          </Section>
          <Section title={texts.auditHeading}>
            <AuditLink />
          </Section>
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}
