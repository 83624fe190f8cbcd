import { type FormErrors, type UseFormReturnType, useForm } from "@mantine/form";
import { isTooLong } from "@stocktake/contract";
import { useEffect, useRef, useState } from "react";
import * as z from "zod/mini";

type FieldValues<Values> = { readonly [Field in keyof Values]: string | boolean };
type Field<Values> = keyof Values & string;

interface ContractFormOptions<Values extends FieldValues<Values>> {
  readonly initialValues: Values;
  /** Of the call that sends the form: what it refuses is not sent. */
  readonly schema: z.ZodMiniType;
  /** The call's body, where it is more or less than the form's values; its fields are named as the form's are. */
  readonly bodyOf?: (values: Values) => unknown;
  /** The fields that may not be blank, each with its text for a blank one: "" where a button that can't be pressed says enough. */
  readonly required?: Readonly<Partial<Record<Field<Values>, string>>>;
  /** The page's own text for other problems of a field; null where the schema's serves. Too long is always the schema's. */
  readonly refused?: Readonly<Partial<Record<Field<Values>, (value: string) => string | null>>>;
  /** Shows a problem while it is typed; otherwise from the first refused submit on. */
  readonly live?: boolean;
}

export type ContractForm<Values> = UseFormReturnType<Values, Values, (values: Values) => FormErrors>;

/** Puts the focus where the next entry begins: a button that was disabled while it sent has lost it, and what is typed then too. */
export function focusField<Values>(form: ContractForm<Values>, field: Field<Values>): void {
  form.getInputNode(field)?.focus();
}

/** Whether a person has begun something on the page, which would be taken from them. */
function isAtWork(): boolean {
  const held = document.activeElement;
  return held?.matches("main :is(a, button, input, select, textarea)") ?? false;
}

/** Gives the focus to where a form begins, once the form is known to be what the page was opened for. */
export function useFirstField<Values>(
  form: ContractForm<Values>,
  field: Field<Values>,
  isWanted: boolean,
): void {
  const wasGiven = useRef(false);
  useEffect(() => {
    if (!isWanted || wasGiven.current) return;
    wasGiven.current = true;
    if (!isAtWork()) focusField(form, field);
  });
}

/** What a person has changed since the form was opened. The rest is not sent: somebody else may have changed it meanwhile. */
export function changesIn<Values extends FieldValues<Values>>(form: ContractForm<Values>): Partial<Values> {
  const before = form.getInitialValues();
  const changes: Partial<Values> = { ...form.getValues() };
  for (const field in before) if (changes[field] === before[field]) delete changes[field];
  return changes;
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

/** One problem of each field; that its text is too long comes before any other. */
function problemsOf(schema: z.ZodMiniType, body: unknown): ReadonlyMap<string, z.core.$ZodIssue> {
  const issues = z.safeParse(schema, body).error?.issues ?? [];
  const firstLast = [...issues.filter(isTooLong), ...issues.filter((issue) => !isTooLong(issue))].reverse();
  return new Map(firstLast.map((issue) => [issue.path.join("."), issue]));
}

function createValidation<Values extends FieldValues<Values>>({
  schema,
  bodyOf = (values) => values,
  required,
  refused,
}: ContractFormOptions<Values>): (values: Values) => FormErrors {
  const missing: Readonly<Record<string, string | undefined>> = required ?? {};
  const texts: Readonly<Record<string, ((value: string) => string | null) | undefined>> = refused ?? {};
  return (values) => {
    const given = new Map<string, unknown>(Object.entries(values));
    const problems = [...problemsOf(schema, bodyOf(values))].map(([field, issue]) => {
      const own = isTooLong(issue) ? null : texts[field]?.(String(given.get(field)));
      return [field, own ?? issue.message];
    });
    const blank = Object.entries(missing).filter(([field]) => isBlank(given.get(field)));
    return { ...Object.fromEntries(problems), ...Object.fromEntries(blank) };
  };
}

/** The texts that are too long, each with its sentence: shown at once, as nobody types one by accident. */
function tooLongIn<Values extends FieldValues<Values>>(
  { schema, bodyOf = (values) => values }: ContractFormOptions<Values>,
  values: Values,
): ReadonlyMap<string, string> {
  const issues = [...problemsOf(schema, bodyOf(values))].filter(([, issue]) => isTooLong(issue));
  return new Map(issues.map(([field, issue]) => [field, issue.message]));
}

/**
 * A form whose values are checked by the schema of the call that sends them, so that page and server agree. A text that is
 * too long stays as it was pasted: a field that cut it would send something else than the person meant.
 */
export function useContractForm<Values extends FieldValues<Values>>(
  options: ContractFormOptions<Values>,
): ContractForm<Values> {
  const [isRefused, setRefused] = useState(false);
  const form = useForm<Values, Values, FormErrors>({
    initialValues: options.initialValues,
    validate: createValidation(options),
    validateInputOnChange: options.live === true || isRefused,
  });
  const onSubmit: typeof form.onSubmit = (send, refuse) =>
    form.onSubmit(
      (...submitted) => {
        setRefused(false);
        return send(...submitted);
      },
      (...refused) => {
        setRefused(true);
        refuse?.(...refused);
      },
    );
  const tooLong = tooLongIn(options, form.values);
  const getInputProps: typeof form.getInputProps = (field, shown) => {
    const props = form.getInputProps(field, shown);
    return { ...props, error: props.error ?? tooLong.get(String(field)) };
  };
  return { ...form, onSubmit, getInputProps };
}

interface ReasonEntry {
  readonly reason: string;
}

/**
 * A form that asks for nothing but a reason.
 * @param schema of the call that the reason is given for
 */
export function useReasonForm(
  schema: z.ZodMiniType,
  bodyOf: (reason: string) => unknown,
): ContractForm<ReasonEntry> {
  return useContractForm<ReasonEntry>({
    initialValues: { reason: "" },
    schema,
    bodyOf: ({ reason }) => bodyOf(reason),
    required: { reason: "" },
    live: true,
  });
}
