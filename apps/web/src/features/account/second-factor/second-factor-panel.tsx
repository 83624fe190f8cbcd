import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import type { Passkey, Security } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { securityQuery } from "../../../http/shared-queries.ts";
import { canUsePasskeys } from "../../../identity/second-factor/passkey.ts";
import { Loaded } from "../../../ui/drawing/loaded.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { StatusRow } from "../../../ui/figures/status-row.tsx";
import { dateTimeText } from "../../../ui/formats.ts";
import { SuccessMessage } from "../../../ui/success-message.tsx";
import { messages } from "../messages.ts";
import { useChooseProof } from "./api.ts";
import { FactorDialogs, type OpenDialog } from "./factor-dialogs.tsx";

const { security: labels } = messages;

interface PartProps {
  readonly security: Security;
  readonly onOpen: (dialog: OpenDialog) => void;
}

function RemoveButton({ what, onPress }: { readonly what: string; readonly onPress: () => void }) {
  return (
    <Button
      variant="subtle"
      color="red"
      size="sm"
      flex="none"
      onClick={onPress}
      aria-label={`${labels.remove} ${what}`}
    >
      {labels.remove}
    </Button>
  );
}

function passkeyNote({ createdAt, lastUsedAt }: Passkey): string {
  const use = lastUsedAt === null ? labels.neverUsed : labels.usedAt(dateTimeText(lastUsedAt));
  return `${labels.passkey}. ${labels.since(dateTimeText(createdAt))}, ${use}`;
}

function Factors({ security, onOpen }: PartProps) {
  const { authenticator, passkeys, recoveryCodesLeft, methods } = security;
  if (methods.length === 0) return <Text>{labels.none}</Text>;
  const remove = (what: string, id: string | null) => () => onOpen({ kind: "remove", what, id });
  return (
    <div>
      {authenticator === null ? null : (
        <StatusRow name={labels.authenticator} note={labels.since(dateTimeText(authenticator.addedAt))}>
          <RemoveButton what={labels.authenticator} onPress={remove(labels.authenticator, null)} />
        </StatusRow>
      )}
      {passkeys.map((passkey) => (
        <StatusRow key={passkey._id} name={passkey.name} note={passkeyNote(passkey)}>
          <RemoveButton what={passkey.name} onPress={remove(passkey.name, passkey._id)} />
        </StatusRow>
      ))}
      <StatusRow name={labels.codesLeft(recoveryCodesLeft)} note={labels.codesText}>
        <Button
          variant="subtle"
          size="sm"
          flex="none"
          onClick={() => onOpen({ kind: "renew" })}
          aria-label={labels.renew}
        >
          {labels.renewShort}
        </Button>
      </StatusRow>
    </div>
  );
}

function AddButtons({ security, onOpen }: PartProps) {
  const problem = security.passkeyProblem ?? (canUsePasskeys() ? null : labels.noPasskeysHere);
  return (
    <>
      <Group gap="xs">
        {security.authenticator === null ? (
          <Button variant="default" onClick={() => onOpen({ kind: "authenticator" })}>
            {labels.addAuthenticator}
          </Button>
        ) : null}
        {problem === null ? (
          <Button variant="default" onClick={() => onOpen({ kind: "passkey" })}>
            {labels.addPasskey}
          </Button>
        ) : null}
      </Group>
      {problem === null ? null : (
        <Text c="dimmed" fz="sm">
          {problem}
        </Text>
      )}
    </>
  );
}

const choices = [
  { value: "auto", label: labels.choice.auto, chosen: null },
  { value: "always", label: labels.choice.always, chosen: true },
  { value: "never", label: labels.choice.never, chosen: false },
] as const;

function ProofChoice({ security }: { readonly security: Security }) {
  const change = useChooseProof();
  const current = security.proofIsChosen ? security.proofBeforeMoves : null;
  return (
    <div>
      <NativeSelect
        label={labels.choice.label}
        description={labels.choice.hint}
        value={choices.find(({ chosen }) => chosen === current)?.value ?? "auto"}
        disabled={change.isPending}
        data={choices.map(({ value, label }) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) =>
          change.send(choices.find((choice) => choice.value === value)?.chosen ?? null)
        }
      />
      <ErrorBox error={change.error} fallback={labels.failed} />
    </div>
  );
}

/** What guards the account beside the password, and when it is asked for. */
export function SecondFactorPanel() {
  const query = useQuery(securityQuery);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const [done, setDone] = useState<string | null>(null);
  return (
    <Loaded query={query} fallback={labels.fetchFailed}>
      {(security) => (
        <Stack gap="sm">
          <SuccessMessage floats message={done} onClose={() => setDone(null)} />
          <Text c="dimmed">{labels.intro}</Text>
          <Factors security={security} onOpen={setOpen} />
          <AddButtons security={security} onOpen={setOpen} />
          <ProofChoice security={security} />
          {open === null ? null : (
            <FactorDialogs open={open} security={security} onOpen={setOpen} onDone={setDone} />
          )}
        </Stack>
      )}
    </Loaded>
  );
}
