/** A bigint of the database's as a number. @throws RangeError past 2^53, where a number would silently be another one. */
export function exactInteger(value: number, text = `of about ${value}`): number {
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(
    `The database holds the number ${text}, which is too large to be worked with exactly.`,
  );
}
