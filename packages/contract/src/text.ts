import * as z from "zod/mini";
import { limits } from "./limits.ts";

/**
 * How text of a request is read: one reader for each meaning, so that both sides clean and measure it alike.
 *
 * | reader | blank | lines | what it is for |
 * |---|---|---|---|
 * | `requiredName`, `optionalName` | no, yes | one | names that people give |
 * | `requiredLine`, `optionalLine` | no, yes | one | any other single line |
 * | `requiredParagraphs`, `optionalParagraphs` | no, yes | several | reasons and notes |
 * | `requiredKey` | no | – | what must equal something stored: it is trimmed and otherwise left alone |
 * | `cell` | yes | several | a cell of a file, left alone |
 * | `AreaCode`, `ScannedCode` | no | one | codes that people read and type |
 *
 * Direction controls are removed everywhere but in keys: they would turn round the text that is shown after them.
 */

/** Characters that show nothing, without the joiners and selectors that some scripts and emoji are written with. */
const invisible = /(?!\u200c|\u200d|[\ufe00-\ufe0f\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu;
const joinersAndSelectors = /\p{Default_Ignorable_Code_Point}/gu;
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g;
const lineBreaks = /\s*[\t\n\r\u0085\u2028\u2029]\s*/g;

/** How long a text is, in characters as the limits count them: an emoji outside the basic plane is one. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** A text cut to at most so many characters; none is cut in half. */
export function firstCharacters(text: string, maximum: number): string {
  return text.length <= maximum ? text : [...text].slice(0, maximum).join("");
}

function tooLongText(label: string, maximum: number): string {
  return `${label} can have at most ${maximum} characters.`;
}

/** What to tell a person whose text is too long, or null. The same sentence as the server's. */
export function lengthProblem(label: string, text: string, maximum: number): string | null {
  return characterCount(text) > maximum ? tooLongText(label, maximum) : null;
}

/** A name as people see it, so that two that look alike are equal; empty where there is nothing to see. */
export function visibleName(text: string): string {
  const name = oneLine(text.normalize("NFC").replace(invisible, ""));
  return name.replace(joinersAndSelectors, "").trim() === "" ? "" : name;
}

/** A code as people see it and can type it again: also without joiners, and with one plain space for any blank. */
export function visibleCode(text: string): string {
  return text.normalize("NFC").replace(joinersAndSelectors, "").replace(/\s+/g, " ").trim();
}

/** In an address, a code of only one or two dots would be read as a folder. */
export function isFolderName(code: string): boolean {
  return code === "." || code === "..";
}

/** A scanned or typed code without what nobody sees around it; matching on both sides starts from this. */
export function scannedCode(text: string): string {
  return text.replace(directionControls, "").trim();
}

function oneLine(text: string): string {
  return text.replace(directionControls, "").replace(lineBreaks, " ").trim();
}

function paragraphs(text: string): string {
  return text.replace(directionControls, "").trim();
}

// PostgreSQL's text cannot hold U+0000, and no other control character belongs in a text. Tab, line feed and carriage
// return are allowed where several lines are. Half a surrogate pair can't be written in UTF-8.
const notStorable = /(?![\t\n\r\u0080-\u009f])\p{Cc}|\p{Surrogate}/u;

export const isStorable = (text: string) => !notStorable.test(text);

function storable(message: string) {
  return z.refine<string>(isStorable, message);
}

const tooLong = { isTooLong: true } as const;

/** Whether what a schema refuses is a text that is too long, so that a form can tell so as soon as it is pasted. */
export function isTooLong(issue: z.core.$ZodIssue): boolean {
  return issue.code === "custom" && issue.params === tooLong;
}

/**
 * At most so many characters, counted as `characterCount` does (Zod's own check counts UTF-16 units); the limit is part
 * of the OpenAPI document too, where lengths are counted in the same way.
 */
function atMost(label: string, maximum: number) {
  const check = z.refine<string>((text) => characterCount(text) <= maximum, {
    error: tooLongText(label, maximum),
    params: tooLong,
  });
  check._zod.onattach.push((schema) => {
    schema._zod.bag.maximum = maximum;
  });
  return check;
}

function atLeast(minimum: number, message: string) {
  const check = z.refine<string>((text) => characterCount(text) >= minimum, message);
  check._zod.onattach.push((schema) => {
    schema._zod.bag.minimum = minimum;
  });
  return check;
}

type Read = (text: string) => string;

function required(label: string, maximum: number, read: Read) {
  return z
    .string(`${label} is required.`)
    .check(
      z.overwrite(read),
      z.minLength(1, `${label} is required.`),
      atMost(label, maximum),
      storable(`${label} contains a character that can't be stored.`),
    );
}

function optional(label: string, maximum: number, read: Read) {
  return z.optional(
    z.nullable(
      z
        .string(`${label} must be text.`)
        .check(
          z.overwrite(read),
          atMost(label, maximum),
          storable(`${label} contains a character that can't be stored.`),
        ),
    ),
  );
}

export const requiredName = (label: string) => required(label, limits.name, visibleName);

/** Null, absent and nothing to see mean the same. */
export const optionalName = (label: string) => optional(label, limits.name, visibleName);

export const requiredLine = (label: string, maximum: number) => required(label, maximum, oneLine);

/** Null, absent and blank mean the same. */
export const optionalLine = (label: string, maximum: number) => optional(label, maximum, oneLine);

/** Null, absent and blank mean the same. */
export const optionalParagraphs = (label: string, maximum: number) => optional(label, maximum, paragraphs);

/** A reason that has to be given. */
export const requiredParagraphs = (label: string, maximum: number) => required(label, maximum, paragraphs);

export const requiredKey = (label: string, maximum: number) =>
  required(label, maximum, (text) => text.trim());

/** A cell of a file, as it is there: whoever uses it says what it means. */
export const cell = (label: string, maximum: number) =>
  z
    .string(`${label} must be text.`)
    .check(atMost(label, maximum), storable(`${label} contains a character that can't be stored.`));

/** An area's code, as it is read off its label. */
export const AreaCode = required("Area code", limits.areaCode, visibleCode).check(
  z.refine((code) => !isFolderName(code), "Area code can't be . or .. alone."),
);

export const ScannedCode = required("The scanned code", limits.sku, scannedCode);

/** What is wrong with the length of a code that was read or typed; null where it is a SKU, which may be as long as those are. */
export const scanInputProblem = (input: string, inputType: "barcode" | "sku") =>
  inputType === "sku" ? null : lengthProblem("The scanned code", input, limits.scanInput);

export const Sku = requiredKey("SKU", limits.sku);

/**
 * The plan that a preview has shown, as it named it. Where what would move is another by now, the call is PLAN_CHANGED and moves nothing;
 * without it whatever would move now is moved.
 */
export const ShownPlan = z.optional(requiredKey("plan", limits.plan));

export const DeviceId = requiredLine("deviceId", limits.deviceId);

/** 128 bits in the closest writing that keys are made in (base64url). */
const deviceKeyMinimum = 22;

/** What a device shows that a report is its own: its id alone is known to others who count. */
export const DeviceKey = z
  .string("deviceKey must be text.")
  .check(
    z.minLength(deviceKeyMinimum, `deviceKey must have at least ${deviceKeyMinimum} characters.`),
    z.maxLength(limits.deviceKey, `deviceKey can have at most ${limits.deviceKey} characters.`),
    z.regex(/^[\w-]*$/, "deviceKey can have letters, digits, - and _ only."),
  );

const passwordTooLong = atMost("A password", limits.passwordMaximum);

/** A password is taken as typed, not trimmed. */
export const NewPassword = z
  .string("A password is required.")
  .check(
    atLeast(
      limits.passwordMinimum,
      `New password must be at least ${limits.passwordMinimum} characters long`,
    ),
    passwordTooLong,
    storable("The password contains a character that can't be stored."),
  );

/** A password that is checked, not set: any text up to the limit, so that a wrong one is refused as wrong. */
export const GivenPassword = z
  .string("A password is required.")
  .check(z.minLength(1, "A password is required."), passwordTooLong);

export const Email = z
  .string("An email address is required.")
  .check(z.trim(), atMost("An email address", limits.email), z.email("This is not a valid email address."));
