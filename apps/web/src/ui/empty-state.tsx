import { Stack, Text } from "@mantine/core";
import { type ReactNode, useContext } from "react";
import { InSectionContext } from "./section.tsx";

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Shown in place of an empty list: what is missing and how to begin. Its heading is of the level below the one above it. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  const level = useContext(InSectionContext) ? "h3" : "h2";
  return (
    <Stack align="center" gap="xs" py="lg" px="sm" ta="center" style={{ textWrap: "balance" }}>
      <Text component={level} fw={620} fz="lg">
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
