import { Button, Card, Group, Stack, Text } from "@mantine/core";
import type { Store } from "@stocktake/contract";
import { dateText } from "../../ui/formats.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { texts } from "./texts.ts";

interface StoreCardProps {
  readonly store: Store;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

export function StoreCard({ store, onEdit, onDelete }: StoreCardProps) {
  return (
    <Card component="article" aria-label={store.name} p={{ base: "sm", sm: "md" }}>
      <Stack gap="sm" h="100%">
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
          <Text component="h3" fw={620} fz="lg" style={{ overflowWrap: "anywhere" }}>
            {store.name}
          </Text>
          <StatusBadge tone={store.isActive ? "positive" : "neutral"}>
            {store.isActive ? "Active" : "Inactive"}
          </StatusBadge>
        </Group>
        <div style={{ flex: 1 }}>
          <Text fz="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            Location ID: {store.shopifyLocationId}
          </Text>
          <Text fz="sm" c="dimmed">
            Created {dateText(store.createdAt)}
          </Text>
        </div>
        <Group gap="xs">
          <Button variant="default" onClick={onEdit} aria-label={`${texts.edit} ${store.name}`}>
            {texts.edit}
          </Button>
          <Button
            variant="subtle"
            color="red"
            onClick={onDelete}
            aria-label={`${texts.remove} ${store.name}`}
          >
            {texts.remove}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
