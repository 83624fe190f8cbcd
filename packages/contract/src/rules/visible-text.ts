/**
 * Characters that show nothing, among them those that turn the direction of the text after them. Without the joiners and
 * selectors that some scripts and emoji are written with.
 */
const unseen = /(?!\u200c|\u200d|[\ufe00-\ufe0f\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu;
const joinersAndSelectors = /\p{Default_Ignorable_Code_Point}/gu;

/** A name as people see it, so that two that look alike are alike; empty where there is nothing to see. */
export function visibleName(text: string): string {
  const name = text.normalize("NFC").replace(unseen, "").trim();
  return name.replace(joinersAndSelectors, "").trim() === "" ? "" : name;
}

/** A code as people see it and can type it again: also without joiners, and with one plain space for any blank. */
export function visibleCode(text: string): string {
  return text.normalize("NFC").replace(joinersAndSelectors, "").replace(/\s+/g, " ").trim();
}

/** Of a code in an address, these two would be taken for folders. */
export function isFolderName(code: string): boolean {
  return code === "." || code === "..";
}
