import { TextDecoder } from "node:util";
import { PlatformRejectedError } from "./errors.ts";

/**
 * The lines of a UTF-8 stream, those of a piece together, without holding more than one piece of it. A last line may lack its line
 * feed; empty lines are passed over. Throws a PlatformRejectedError for bytes that are not UTF-8.
 */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string[], void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoded(decoder, piece)).split("\n");
    rest = lines.pop() ?? "";
    const whole = lines.filter((line) => line.trim() !== "");
    if (whole.length > 0) yield whole;
  }
  rest += decoded(decoder, null);
  if (rest.trim() !== "") yield [rest];
}

/** The text of a piece; null ends the stream. A character may lie across two pieces. */
function decoded(decoder: TextDecoder, piece: Uint8Array | null): string {
  try {
    return piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch (error) {
    throw new PlatformRejectedError("unexpected-answer", `the export is not UTF-8: ${String(error)}`);
  }
}
