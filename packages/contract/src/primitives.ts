import * as z from "zod/mini";
import { limits } from "./limits.ts";
import { isFolderName, visibleCode, visibleName } from "./rules/visible-text.ts";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const idOfNothing = "00000000-0000-0000-0000-000000000000";

// PostgreSQL's text cannot hold U+0000, and no other control character belongs in a name or a code.
// Tab, line feed and carriage return are allowed for reasons typed over several lines.
function hasNoControlCharacters(value: string): boolean {
  for (const character of value) {
    const point = character.codePointAt(0) ?? 0;
    if (point < 32 && point !== 9 && point !== 10 && point !== 13) return false;
    if (point === 127) return false;
    // Half of a surrogate pair stands for nothing that UTF-8 can write.
    if (point >= 0xd800 && point <= 0xdfff) return false;
  }
  return true;
}

/** An identifier in an answer: opaque to clients. */
export const Id = z.string();

/**
 * An identifier in a request. A malformed one names nothing, exactly as an unknown one does, so it becomes
 * the id that no row has and every look-up answers NOT_FOUND instead of VALIDATION.
 */
export const IdInput = z.pipe(
  z.string("An id is required."),
  z.transform((value: string) => (uuidPattern.test(value.trim()) ? value.trim().toLowerCase() : idOfNothing)),
);

/** A numeric identifier in a request (scans); malformed becomes 0, which no row has. */
export const NumericIdInput = z.pipe(
  z.string("An id is required."),
  z.transform((value: string) => (/^[1-9]\d{0,15}$/.test(value.trim()) ? Number(value.trim()) : 0)),
);

/** An ISO 8601 time in UTC with milliseconds. */
export const Timestamp = z.string();

/** An ISO 8601 time of a client; any offset is accepted. */
export const TimestampInput = z.iso.datetime({ offset: true, error: "The time is not an ISO 8601 time." });

const trimmed = (value: string) => value.trim();

/** Required text of a request as `read` takes it, 1 to `maximum` characters. */
function requiredText(label: string, maximum: number, read: (value: string) => string) {
  return z
    .string(`${label} is required.`)
    .check(
      z.overwrite(read),
      z.minLength(1, `${label} is required.`),
      z.maxLength(maximum, `${label} can have at most ${maximum} characters.`),
      z.refine(hasNoControlCharacters, `${label} contains a character that can't be stored.`),
    );
}

/** Required text of a request, trimmed, 1 to `maximum` characters. */
export function text(label: string, maximum: number) {
  return requiredText(label, maximum, trimmed);
}

/** A name that people give: trimmed, and without what nobody sees. */
export function nameText(label: string) {
  return requiredText(label, limits.name, visibleName);
}

/** An area's code, as it is read off its label. */
export const AreaCode = requiredText("Area code", limits.areaCode, visibleCode).check(
  z.refine((code) => !isFolderName(code), "Area code can't be . or .. alone."),
);

function maybeText(label: string, maximum: number, read: (value: string) => string) {
  return z.optional(
    z.nullable(
      z
        .string(`${label} must be text.`)
        .check(
          z.overwrite(read),
          z.maxLength(maximum, `${label} can have at most ${maximum} characters.`),
          z.refine(hasNoControlCharacters, `${label} contains a character that can't be stored.`),
        ),
    ),
  );
}

/** Optional text of a request, trimmed; null, absent and blank mean the same: nothing was said. */
export function optionalText(label: string, maximum: number) {
  return maybeText(label, maximum, trimmed);
}

/** A name that people may give; null, absent and nothing to see mean the same. */
export function optionalName(label: string) {
  return maybeText(label, limits.name, visibleName);
}

/** A password is taken as typed, not trimmed. */
export const NewPassword = z
  .string("A password is required.")
  .check(
    z.minLength(limits.passwordMinimum, "New password must be at least 6 characters long"),
    z.maxLength(limits.passwordMaximum, `A password can have at most ${limits.passwordMaximum} characters.`),
    z.refine(hasNoControlCharacters, "The password contains a character that can't be stored."),
  );

/** A password that is checked, not set: any text up to the limit, so that a wrong one is refused as wrong. */
export const GivenPassword = z
  .string("A password is required.")
  .check(
    z.minLength(1, "A password is required."),
    z.maxLength(limits.passwordMaximum, `A password can have at most ${limits.passwordMaximum} characters.`),
  );

export const Email = z
  .string("An e-mail address is required.")
  .check(
    z.trim(),
    z.maxLength(limits.email, `An e-mail address can have at most ${limits.email} characters.`),
    z.email("This is not a valid e-mail address."),
  );

/** A whole number of units, 0 to 1,000,000. */
export const Quantity = z
  .int("Enter a whole number.")
  .check(
    z.gte(0, "The number can't be below 0."),
    z.lte(limits.quantity, `The number can't be above ${limits.quantity.toLocaleString("en")}.`),
  );

/** A device's running number of a scan: from 1, a safe integer. */
export const Sequence = z.int("seq must be a whole number.").check(z.gte(1, "seq starts at 1."));

/** An area's pass: a whole number that only grows. */
export const Pass = z
  .int("pass must be a whole number.")
  .check(z.gte(1, "pass starts at 1."), z.lte(2_147_483_647));

/** The UUID under which the server keeps the answer of a device's operation. */
export const OperationKey = z
  .string("opId must be a UUID.")
  .check(z.regex(uuidPattern, "opId must be a UUID."), z.toLowerCase());

export const DeviceId = text("deviceId", limits.deviceId);

export const Success = z.object({ success: z.literal(true) });
