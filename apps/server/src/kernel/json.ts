/** The value of a JSON text, or undefined, which fits no schema, for a text that is not JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whoever validates the value reports it as a response that was not expected, in more detail.
    return undefined;
  }
}
