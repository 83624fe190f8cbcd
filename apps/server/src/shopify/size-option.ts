/** The word "size" in the languages in which shops name their options. */
const sizeWords = new Set([
  "size",
  "größe",
  "groesse",
  "grösse",
  "taille",
  "pointure",
  "talla",
  "taglia",
  "tamanho",
  "maat",
  "storlek",
  "størrelse",
  "koko",
  "rozmiar",
  "velikost",
  "veľkosť",
  "méret",
  "mărime",
  "beden",
  "размер",
  "розмір",
  "μέγεθος",
  "サイズ",
  "尺码",
  "尺碼",
  "尺寸",
  "사이즈",
]);

/** The title of the only variant of a product without options. */
const noOptions = "Default Title";

/**
 * What the size column holds: the value of the option named for size ("Size", "Größe", "Shoe size
 * (EU)"), else the variant's title, else null for a product without options.
 */
export function sizeOf(
  options: ReadonlyArray<{ name: string; value: string }>,
  variantTitle: string,
): string | null {
  const size = options.find((option) => namesSize(option.name))?.value.trim();
  if (size) return size;
  const title = variantTitle.trim();
  return title === "" || title === noOptions ? null : title;
}

function namesSize(optionName: string): boolean {
  const words = optionName
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u);
  return words.some((word) => sizeWords.has(word));
}
