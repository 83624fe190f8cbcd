import { Button, Stack, Text, TextInput } from "@mantine/core";
import { askToJoin } from "@stocktake/contract";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../../http/call.ts";
import { ApiError } from "../../../http/errors.ts";
import { useSending } from "../../../http/use-change.ts";
import { forgetPendingJoin, newJoinKey, pendingJoinKey } from "../../../identity/join-keys.ts";
import { useContractForm } from "../../../ui/contract-form.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { PublicCard } from "../../../ui/public-card.tsx";
import { JoinHeading } from "./join-heading.tsx";
import { messages } from "./messages.ts";

interface AskProps {
  readonly token: string;
  readonly store: string;
  readonly onAsked: (key: string) => void;
}

/** The server has answered, and made no request. */
function isRefusal(error: Error): boolean {
  return error instanceof ApiError && error.code !== null && error.status < 500;
}

/** Asks for a name, and to be admitted under it. */
export function AskForm({ token, store, onAsked }: AskProps) {
  // One key a page: a second press, and one after a lost answer, are the same request; also after a reload.
  const [newKey] = useState(newJoinKey);
  const form = useContractForm({
    initialValues: { counterName: "" },
    schema: askToJoin.body,
    bodyOf: (entry) => ({ ...entry, key: newKey }),
  });
  const asking = useSending(
    useMutation({
      mutationFn: async (counterName: string) => {
        const key = pendingJoinKey(token, counterName, newKey);
        await callApi(askToJoin, { params: { token }, body: { counterName, key } });
        return key;
      },
      onError: (error) => {
        if (isRefusal(error)) forgetPendingJoin(token);
      },
    }),
  );
  return (
    <PublicCard>
      <div>
        <JoinHeading>{messages.joinHeading}</JoinHeading>
        <Text fz="lg">{messages.joinText(store)}</Text>
      </div>
      <form noValidate onSubmit={form.onSubmit(({ counterName }) => asking.send(counterName, onAsked))}>
        <Stack gap="sm">
          <ErrorBox error={asking.error} fallback={messages.askFailed} />
          <TextInput
            size="lg"
            label={messages.nameLabel}
            description={messages.nameHint}
            autoComplete="name"
            {...form.getInputProps("counterName")}
            autoFocus
          />
          <Button type="submit" size="lg" disabled={asking.isPending}>
            {asking.isPending ? messages.asking : messages.ask}
          </Button>
        </Stack>
      </form>
    </PublicCard>
  );
}
