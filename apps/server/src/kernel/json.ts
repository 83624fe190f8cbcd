/** The value of a JSON text, or undefined, which fits no schema, for a text that is not JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whoever validates the value reports it as an answer that was not expected, with more to say about it.
    return undefined;
  }
}
