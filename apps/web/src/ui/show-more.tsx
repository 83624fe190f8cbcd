import { Button, Group } from "@mantine/core";

interface MoreProps {
  readonly label: string;
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** The next page of a list; nothing at its end. */
export function More({ label, query }: MoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <Group>
      <Button
        variant="default"
        size="sm"
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {label}
      </Button>
    </Group>
  );
}
