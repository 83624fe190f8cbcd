import { Group, TextInput } from "@mantine/core";
import { lengthProblem, limits } from "@stocktake/contract";
import type { ShownStock } from "./api.ts";
import { messages } from "./messages.ts";

const { stock: texts } = messages;

interface StockFiltersProps {
  readonly shown: ShownStock;
  readonly onShow: (shown: ShownStock) => void;
}

const fields = [
  { name: "vendor", label: texts.vendor, most: limits.productText },
  { name: "productType", label: texts.productType, most: limits.productText },
  { name: "words", label: texts.words, most: limits.name },
] as const;

/** Where it is too long the field says so, and the rows of before stay. */
export const canBeAsked = (shown: ShownStock) =>
  fields.every(({ name, label, most }) => lengthProblem(label, shown[name], most) === null);

/** By what the stock that is shown is chosen. */
export function StockFilters({ shown, onShow }: StockFiltersProps) {
  return (
    <Group gap="sm" align="end">
      {fields.map(({ name, label, most }) => (
        <TextInput
          key={name}
          label={label}
          type="search"
          error={lengthProblem(label, shown[name], most)}
          value={shown[name]}
          onChange={(event) => onShow({ ...shown, [name]: event.currentTarget.value })}
        />
      ))}
    </Group>
  );
}
