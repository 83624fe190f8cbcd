import { Title } from "@mantine/core";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { PublicCard } from "../../../ui/public-card.tsx";
import { messages } from "./messages.ts";

export function JoinHeading({ children }: { readonly children: string }) {
  return (
    <Title order={1} fz="1.5rem" tabIndex={-1}>
      {children}
    </Title>
  );
}

export function Checking() {
  return (
    <PublicCard>
      <JoinHeading>{messages.checking}</JoinHeading>
      <LoadingState />
    </PublicCard>
  );
}
