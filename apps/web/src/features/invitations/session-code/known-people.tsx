import { Button, Stack, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { PublicCard } from "../../../ui/public-card.tsx";
import { Joining } from "./asked.tsx";
import { Checking, JoinHeading } from "./join-heading.tsx";
import { messages } from "./messages.ts";
import { ownRequestQuery } from "./own-request.ts";

interface KnownPeopleProps {
  readonly keys: readonly string[];
  readonly onSomebodyElse: () => void;
}

/** Who has joined by this code on this phone before, to go on as the same counter; or as somebody else. */
export function KnownPeople({ keys, onSomebodyElse }: KnownPeopleProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const requests = useQueries({ queries: keys.map(ownRequestQuery) });
  if (chosen !== null) return <Joining joinKey={chosen} />;
  if (requests.some(({ isPending }) => isPending)) return <Checking />;
  const people = requests.flatMap(({ data }, index) =>
    data?.status === "admitted" ? [{ key: keys[index] ?? "", ...data }] : [],
  );
  return (
    <PublicCard>
      <div>
        <JoinHeading>{messages.knownHeading}</JoinHeading>
        <Text fz="lg">{messages.knownText(people[0]?.store.name ?? "")}</Text>
      </div>
      <Stack gap="sm">
        {people.map(({ key, counterName }) => (
          <Button key={key} size="lg" onClick={() => setChosen(key)}>
            {messages.continueAs(counterName)}
          </Button>
        ))}
        <Button size="lg" variant="default" onClick={onSomebodyElse}>
          {messages.somebodyElse}
        </Button>
        <Text c="dimmed" fz="sm">
          {messages.knownHint}
        </Text>
      </Stack>
    </PublicCard>
  );
}
