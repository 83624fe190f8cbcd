import { Button, Group, Stack, Text } from "@mantine/core";
import { Notice } from "../notice.tsx";
import { meanwhileMessages as texts } from "./meanwhile-messages.ts";
import { type Clash, isSame, type SharedForm } from "./use-shared-form.ts";

interface ClashProps<Draft> {
  readonly clash: Clash<Draft>;
  readonly draft: Draft;
  readonly onSwap: () => void;
}

/** One field that is changed here and there: what it is there, and a way to the other of the two and back. */
function ClashOfField<Draft>({ clash: { field, theirs }, draft, onSwap }: ClashProps<Draft>) {
  const isTheirs = isSame(field, draft, theirs);
  const { label } = field;
  return (
    <Group gap="sm" justify="space-between">
      <Text fz="sm" style={{ whiteSpace: "pre-line" }}>
        {texts.clash(label, field.textOf(theirs))}
      </Text>
      <Button
        variant="default"
        size="sm"
        aria-label={isTheirs ? texts.useMineOf(label) : texts.useTheirsOf(label)}
        onClick={onSwap}
      >
        {isTheirs ? texts.useMine : texts.useTheirs}
      </Button>
    </Group>
  );
}

/** Says what somebody else has changed of the thing since its form was opened; nothing where nobody has. */
export function MeanwhileNotice<Value, Draft>({ form }: { readonly form: SharedForm<Value, Draft> }) {
  const { taken, clashes, draft, swap } = form;
  if (taken.length === 0 && clashes.length === 0) return null;
  return (
    <Notice kind="info" title={texts.title} role="status">
      <Stack gap="xs">
        {taken.length === 0 ? null : <Text fz="sm">{texts.taken(taken.map(({ label }) => label))}</Text>}
        {clashes.map((clash) => (
          <ClashOfField key={clash.field.label} clash={clash} draft={draft} onSwap={() => swap(clash)} />
        ))}
      </Stack>
    </Notice>
  );
}
