import { Text } from "@mantine/core";
import { giveProof, requestPasskeyForProof } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { callApi } from "../../../http/call.ts";
import { onProofAsked } from "../../../http/proof.ts";
import { securityQuery } from "../../../http/shared-queries.ts";
import { useChange } from "../../../http/use-change.ts";
import {
  type FactorEntry,
  FactorFields,
  typedProof,
  useFactorEntry,
} from "../../../identity/second-factor/factor-entry.tsx";
import { answerWithPasskey } from "../../../identity/second-factor/passkey.ts";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { messages } from "../messages.ts";

const { proof: labels } = messages;

async function proofOf(entry: FactorEntry) {
  const typed = typedProof(entry);
  if (typed !== null) return typed;
  const { request } = await callApi(requestPasskeyForProof);
  return { method: "passkey", passkey: await answerWithPasskey(request) } as const;
}

function useProof() {
  return useChange(async (entry: FactorEntry) => callApi(giveProof, { body: await proofOf(entry) }), []);
}

/** Asks who sits there; `onAnswer` tells whether that was shown. The password always serves. */
function ProofDialog({ onAnswer }: { readonly onAnswer: (isProved: boolean) => void }) {
  // A second factor may have been added elsewhere just now.
  const { data: security } = useQuery({ ...securityQuery, staleTime: 0 });
  const entry = useFactorEntry(["password", ...(security?.methods ?? [])]);
  const proof = useProof();
  return (
    <FormDialog
      title={labels.title}
      onClose={() => onAnswer(false)}
      onSubmit={(event) => {
        event.preventDefault();
        proof.send(entry, () => onAnswer(true));
      }}
      change={proof}
      errorFallback={labels.failed}
      submitLabel={labels.submit}
      busyLabel={labels.busy}
      disabled={!entry.isComplete}
    >
      <Text>{labels.text}</Text>
      <FactorFields entry={entry} />
    </FormDialog>
  );
}

/** Opens the question whenever a call of the page needs a proof; several that do at once share one. */
export function ProofQuestion() {
  const [asking, setAsking] = useState<readonly ((isProved: boolean) => void)[]>([]);
  useEffect(() => onProofAsked((answer) => setAsking((others) => [...others, answer])), []);
  if (asking.length === 0) return null;
  const answerAll = (isProved: boolean) => {
    setAsking([]);
    for (const answer of asking) answer(isProved);
  };
  return <ProofDialog onAnswer={answerAll} />;
}
