import { Card, Group, Stack, Title } from "@mantine/core";
import { createContext, type ReactNode, useId } from "react";

/** Whether something is below a section's heading, and not below the page's alone. */
export const InSectionContext = createContext(false);

interface SectionProps {
  readonly title: string;
  readonly aside?: ReactNode;
  /** The id of its heading, for what leads here; the focus can be set on it then. */
  readonly anchor?: string;
  readonly children: ReactNode;
}

/** A titled part of a page, as a region of its own. */
export function Section({ title, aside, anchor, children }: SectionProps) {
  const ownId = useId();
  const titleId = anchor ?? ownId;
  return (
    <Card component="section" aria-labelledby={titleId} p={{ base: "sm", sm: "md" }}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} fz="1.125rem" id={titleId} {...(anchor === undefined ? {} : { tabIndex: -1 })}>
            {title}
          </Title>
          {aside}
        </Group>
        <InSectionContext value={true}>{children}</InSectionContext>
      </Stack>
    </Card>
  );
}
