import { NativeSelect, Text, TextInput } from "@mantine/core";
import type { Proof, SecondFactorMethod } from "@stocktake/contract";
import { useState } from "react";
import { canUsePasskeys } from "./passkey.ts";

export type EntryMethod = SecondFactorMethod | "password";

const labels: Readonly<Record<EntryMethod, string>> = {
  password: "Password",
  code: "Code of the authenticator app",
  passkey: "Passkey",
  recovery_code: "Recovery code",
};

/** What a person enters to show who they are; a passkey takes nothing but the browser's own question. */
export interface FactorEntry {
  readonly methods: readonly EntryMethod[];
  readonly method: EntryMethod;
  readonly text: string;
  readonly choose: (method: EntryMethod) => void;
  readonly type: (text: string) => void;
  /** Whether there is something to send. */
  readonly isComplete: boolean;
}

/** The entry, which begins with the first of the methods that this browser can use. */
export function useFactorEntry(offered: readonly EntryMethod[]): FactorEntry {
  const methods = offered.filter((method) => method !== "passkey" || canUsePasskeys());
  const [chosen, setChosen] = useState<EntryMethod | null>(null);
  const [text, setText] = useState("");
  const method = chosen ?? methods[0] ?? "recovery_code";
  return {
    methods,
    method,
    text,
    choose: (next) => {
      setChosen(next);
      setText("");
    },
    type: setText,
    isComplete: method === "passkey" || text.trim() !== "",
  };
}

/** The entry as the call takes it; null for a passkey, which the browser answers. */
export function typedProof({ method, text }: FactorEntry): Exclude<Proof, { method: "passkey" }> | null {
  if (method === "passkey") return null;
  return method === "password" ? { method, password: text } : { method, code: text };
}

const inputs = {
  password: { type: "password", autoComplete: "current-password" },
  code: { inputMode: "numeric", autoComplete: "one-time-code", description: "Six digits" },
  recovery_code: { autoComplete: "off", description: "Each works once" },
} as const;

function isMethod(text: string): text is EntryMethod {
  return text in labels;
}

/** The choice of a method where there are several, and its field. */
export function FactorFields({ entry }: { readonly entry: FactorEntry }) {
  const { method, methods } = entry;
  return (
    <>
      {methods.length < 2 ? null : (
        <NativeSelect
          label="Confirm with"
          value={method}
          data={methods.map((value) => ({ value, label: labels[value] }))}
          onChange={({ currentTarget: { value } }) => {
            if (isMethod(value)) entry.choose(value);
          }}
        />
      )}
      {method === "passkey" ? (
        <Text fz="sm">Your browser asks for the passkey.</Text>
      ) : (
        <TextInput
          key={method}
          {...inputs[method]}
          label={labels[method]}
          name={method}
          value={entry.text}
          onChange={(event) => entry.type(event.currentTarget.value)}
          data-autofocus
        />
      )}
    </>
  );
}
