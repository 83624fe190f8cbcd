/** What is read of a keydown event. */
export interface Keystroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** A key that writes a character. */
export function isCharacter({ key, ctrlKey, altKey, metaKey }: Keystroke): boolean {
  return [...key].length === 1 && !ctrlKey && !altKey && !metaKey;
}

/** What scanners send after a code. */
export function isSuffix({ key }: Keystroke): boolean {
  return key === "Enter" || key === "Tab";
}
