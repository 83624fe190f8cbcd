import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Shown in place of an empty list: what is missing and how to begin. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="lg" px="sm" ta="center" style={{ textWrap: "balance" }}>
      <Text component="h3" fw={620} fz="lg">
        {title}
      </Text>
      {children === undefined ? null : (
        <Text c="dimmed" maw="28rem">
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
