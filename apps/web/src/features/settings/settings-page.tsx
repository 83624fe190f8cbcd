import { Button, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { healthQuery } from "../../http/health.ts";
import { isSettled, useReady } from "../../ui/drawing/use-ready.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { AudioDefaults } from "./audio-defaults.tsx";
import { ChecksPanel } from "./checks-panel.tsx";
import { ConnectionsPanel, connectionsQuery } from "./connections-panel.tsx";
import { HealthPanel } from "./health-panel.tsx";
import { help } from "./help.ts";
import { messages } from "./messages.ts";
import { PasswordForm } from "./password-form.tsx";

/** The way to the audit log, which the navigation does not name. */
function AuditLink() {
  return (
    <>
      <Text c="dimmed">{messages.audit.intro}</Text>
      <Button component={Link} to="/admin/audit" variant="default" style={{ alignSelf: "flex-start" }}>
        {messages.audit.open}
      </Button>
    </>
  );
}

/** The state of the installation. The checks come last, as they take longest and push nothing away there. */
function Installation() {
  const [health, connections] = [useQuery(healthQuery), useQuery(connectionsQuery)];
  if (!useReady(isSettled(health) && isSettled(connections))) return <LoadingState />;
  return (
    <>
      <Section title={messages.healthHeading}>
        <HealthPanel />
      </Section>
      <Section title={messages.connectionsHeading}>
        <ConnectionsPanel />
      </Section>
      <Section title={messages.packsHeading}>
        <Text c="dimmed">{messages.packs.intro}</Text>
        <Button component={Link} to="/admin/packs" variant="default" style={{ alignSelf: "flex-start" }}>
          {messages.packs.open}
        </Button>
      </Section>
      <Section title={messages.auditHeading}>
        <AuditLink />
      </Section>
      <Section title={messages.checksHeading}>
        <ChecksPanel />
      </Section>
    </>
  );
}

/** `account` is shown below the password: what else guards the administrator's account. */
export function SettingsPage({ account }: { readonly account: ReactNode }) {
  return (
    <Stack gap="md">
      <PageHeader title={messages.title} subtitle={messages.subtitle} help={help} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Stack gap="md">
          <Section title={messages.passwordHeading}>
            <PasswordForm />
          </Section>
          {account}
          <Section title={messages.audioHeading}>
            <AudioDefaults />
          </Section>
        </Stack>
        <Stack gap="md">
          <Installation />
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}
