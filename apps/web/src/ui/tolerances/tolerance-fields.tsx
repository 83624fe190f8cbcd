import { Fieldset, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { limitNames, problemOf, type Side, sides, type Typed } from "./tolerance-form.ts";
import { toleranceMessages as texts } from "./tolerance-messages.ts";

interface ToleranceFieldsProps {
  readonly typed: Typed;
  readonly disabled?: boolean;
  readonly onChange: (typed: Typed) => void;
}

/** The limits of a tolerance, over and short apart. */
export function ToleranceFields({ typed, disabled = false, onChange }: ToleranceFieldsProps) {
  const field = (side: Side) =>
    limitNames.map((name) => (
      <TextInput
        key={name}
        label={texts.fields[name]}
        description={texts.notes[name]}
        inputMode="decimal"
        autoComplete="off"
        value={typed[side][name]}
        error={problemOf(name, typed[side][name])}
        onChange={(event) =>
          onChange({ ...typed, [side]: { ...typed[side], [name]: event.currentTarget.value } })
        }
      />
    ));
  return (
    <Stack gap="sm">
      {sides.map((side) => (
        <Fieldset key={side} legend={texts[side]} disabled={disabled}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            {field(side)}
          </SimpleGrid>
        </Fieldset>
      ))}
    </Stack>
  );
}
