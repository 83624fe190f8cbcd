const isAscii = /^[\x20-\x7e]*$/;

/** As people type: in small letters, without accents. */
export function folded(text: string): string {
  // Most texts have nothing to take off, and looking for it takes longer than anything else here.
  if (isAscii.test(text)) return text.toLowerCase();
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

/** The words of what is searched for, as they are looked for in a folded text. */
export function searchedWords(search: string): string[] {
  return folded(search).split(/\s+/);
}

/** Whether a text holds every word of what was searched for, in any order; every text holds no words. */
export function holdsWords(text: string, search: string): boolean {
  const searched = folded(text);
  return searchedWords(search).every((word) => searched.includes(word));
}
