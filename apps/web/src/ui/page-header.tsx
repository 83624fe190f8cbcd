import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface PageHeaderProps {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
}

/** A page's only first-level heading; focus comes here when the route changes. */
export function PageHeader({ title, subtitle, actions }: PageHeaderProps) {
  return (
    <Group justify="space-between" align="flex-end" gap="sm">
      <div>
        <Title order={1} fz={{ base: "1.5rem", sm: "1.875rem" }} lts="-0.02em" tabIndex={-1}>
          {title}
        </Title>
        {subtitle === undefined ? null : <Text c="dimmed">{subtitle}</Text>}
      </div>
      {actions === undefined ? null : <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
