/** Names may hold line breaks, which have no place in a subject, and would look like sentences of ours in a text. */
export function onOneLine(name: string): string {
  return name.replaceAll(/\s+/g, " ").trim();
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as HTML shows it. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
