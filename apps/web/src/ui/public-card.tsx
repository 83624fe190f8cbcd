import { Card, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Logo } from "./logo.tsx";

/** What a page without a login shows: the logo, and one card. */
export function PublicCard({ children }: { children: ReactNode }) {
  return (
    <Stack gap="md" w="100%" maw="28rem">
      <Logo size={36} />
      <Card p={{ base: "md", sm: "lg" }}>
        <Stack gap="md">{children}</Stack>
      </Card>
    </Stack>
  );
}
