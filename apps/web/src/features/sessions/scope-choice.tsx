import { Radio, Stack } from "@mantine/core";
import type { SessionScope } from "@stocktake/contract";
import { messages } from "./messages.ts";

interface ScopeChoiceProps {
  readonly value: SessionScope;
  readonly onChange: (scope: SessionScope) => void;
}

export function ScopeChoice({ value, onChange }: ScopeChoiceProps) {
  return (
    <Radio.Group
      label="Scope"
      value={value}
      onChange={(chosen) => onChange(chosen === "partial" ? "partial" : "full")}
    >
      <Stack gap={4}>
        {(["full", "partial"] as const).map((scope) => (
          <Radio
            key={scope}
            value={scope}
            label={messages.scopes[scope].label}
            description={messages.scopes[scope].note}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
