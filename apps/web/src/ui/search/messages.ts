import { quantityText } from "../formats.ts";

export const messages = {
  label: (list: string) => `Search: ${list}`,
  placeholder: "Search",
  none: (search: string) => `No matches for “${search}”.`,
  found: (found: number, all: number) => `${quantityText(found)} of ${quantityText(all)} shown`,
} as const;
