import { Text, TextInput, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useDeferredValue, useState } from "react";
import { holdsWords } from "./holds-words.ts";
import { messages } from "./messages.ts";

// Shorter lists are read faster than searched.
const longFrom = 8;

interface SearchableListProps<Row> {
  /** What the list is called, for the name of its search field. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** What a row is found by. */
  readonly textOf: (row: Row) => string;
  /** Draws the rows that were found; at least one. */
  readonly children: (found: readonly Row[]) => ReactNode;
}

/** A list with a search field above it once it is long. What was typed stays while the rows change. */
export function SearchableList<Row>({ label, rows, textOf, children }: SearchableListProps<Row>) {
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search);
  if (rows.length < longFrom && search === "") return children(rows);
  const found = rows.filter((row) => holdsWords(textOf(row), wanted));
  return (
    <>
      <TextInput
        type="search"
        aria-label={messages.label(label)}
        placeholder={messages.placeholder}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <VisuallyHidden role="status">
        {wanted.trim() === "" ? "" : messages.found(found.length, rows.length)}
      </VisuallyHidden>
      {found.length === 0 ? <Text c="dimmed">{messages.none(wanted.trim())}</Text> : children(found)}
    </>
  );
}
