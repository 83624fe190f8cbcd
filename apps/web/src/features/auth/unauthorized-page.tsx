import { Button, Group, Text, Title } from "@mantine/core";
import { useNavigate } from "react-router";
import { LogoutButton } from "../../identity/logout-button.tsx";
import { PublicCard } from "../../ui/public-card.tsx";
import { messages } from "./messages.ts";

/** React Router numbers its history entries; at the first one there is nothing to go back to. */
function hasEarlierPage(): boolean {
  const state: unknown = window.history.state;
  return typeof state === "object" && state !== null && "idx" in state && Number(state.idx) > 0;
}

export function UnauthorizedPage() {
  const navigate = useNavigate();
  const goBack = () => void (hasEarlierPage() ? navigate(-1) : navigate("/", { replace: true }));
  return (
    <PublicCard>
      <div>
        <Title order={1} fz="1.5rem" tabIndex={-1}>
          {messages.deniedHeading}
        </Title>
        <Text c="dimmed" mt="xs">
          {messages.deniedText}
        </Text>
      </div>
      <Group gap="xs" grow preventGrowOverflow={false}>
        <Button onClick={goBack}>{messages.goBack}</Button>
        <LogoutButton label={messages.otherAccount} />
      </Group>
    </PublicCard>
  );
}
