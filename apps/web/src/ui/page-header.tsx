import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { type HelpText, PageHelp } from "./help/page-help.tsx";

interface PageHeaderProps {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  /** Opens with the ? beside the heading; `name` where the title is not the page's name. */
  readonly help?: HelpText & { readonly name?: string };
}

/** A page's only first-level heading; focus comes here when the route changes. */
export function PageHeader({ title, subtitle, actions, help }: PageHeaderProps) {
  const hasActions = actions !== undefined || help !== undefined;
  return (
    <Group justify="space-between" align="flex-end" gap="sm">
      <div>
        <Title order={1} fz={{ base: "1.5rem", sm: "1.875rem" }} lts="-0.02em" tabIndex={-1}>
          {title}
        </Title>
        {subtitle === undefined ? null : <Text c="dimmed">{subtitle}</Text>}
      </div>
      {hasActions ? (
        <Group gap="xs">
          {actions}
          {help === undefined ? null : <PageHelp title={help.name ?? title} help={help} />}
        </Group>
      ) : null}
    </Group>
  );
}
