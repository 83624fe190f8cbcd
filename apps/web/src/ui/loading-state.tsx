import { Group, Loader, Text } from "@mantine/core";

/** A spinner with its word, announced politely. */
export function LoadingState({ label = "Loading" }: { label?: string }) {
  return (
    <Group justify="center" gap="sm" py="xl" role="status" data-loading>
      <Loader size="sm" aria-hidden="true" />
      <Text c="dimmed">{label}…</Text>
    </Group>
  );
}
