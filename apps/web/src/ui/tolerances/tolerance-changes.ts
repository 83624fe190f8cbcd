import type { FormField } from "../shared-forms/use-shared-form.ts";
import { limitIn, limitNames, sides, type Typed } from "./tolerance-form.ts";
import { toleranceMessages as texts } from "./tolerance-messages.ts";

/** What of a tolerance two people may change at the same time: each limit. */
export const limitFields: readonly FormField<Typed>[] = sides.flatMap((side) =>
  limitNames.map(
    (name): FormField<Typed> => ({
      label: texts.limitOf(texts[side], texts.fields[name]),
      valueOf: (typed) => limitIn(typed[side][name]),
      textOf: (typed) => typed[side][name],
      take: (into, from) => ({ ...into, [side]: { ...into[side], [name]: from[side][name] } }),
    }),
  ),
);
