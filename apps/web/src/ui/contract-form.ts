import { type FormErrors, schemaResolver, type UseFormReturnType, useForm } from "@mantine/form";
import { useState } from "react";
import type * as z from "zod/mini";

type FieldValues<Values> = { readonly [Field in keyof Values]: string | boolean };
type Field<Values> = keyof Values & string;

interface ContractFormOptions<Values extends FieldValues<Values>> {
  readonly initialValues: Values;
  /** Of the call that sends the form: what it refuses is not sent. */
  readonly schema: z.ZodMiniType;
  /** The call's body, where it is more or less than the form's values; its fields are named as the form's are. */
  readonly bodyOf?: (values: Values) => unknown;
  /** The fields that may not be blank, each with what to say then. */
  readonly required?: Readonly<Partial<Record<Field<Values>, string>>>;
  /** What to say of other problems of a field, where the page has a text of its own. */
  readonly refused?: Readonly<Partial<Record<Field<Values>, (value: string) => string>>>;
  /** Shows a problem while it is typed; otherwise from the first refused submit on. */
  readonly live?: boolean;
}

export type ContractForm<Values> = UseFormReturnType<Values, Values, (values: Values) => FormErrors>;

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

function createValidation<Values extends FieldValues<Values>>({
  schema,
  bodyOf = (values) => values,
  required,
  refused,
}: ContractFormOptions<Values>): (values: Values) => FormErrors {
  const resolve = schemaResolver(schema, { sync: true });
  const missing: Readonly<Record<string, string | undefined>> = required ?? {};
  const texts: Readonly<Record<string, ((value: string) => string) | undefined>> = refused ?? {};
  return (values) => {
    const given = new Map<string, unknown>(Object.entries(values));
    const problems = Object.entries(resolve(bodyOf(values))).map(([field, problem]) => [
      field,
      texts[field]?.(String(given.get(field))) ?? problem,
    ]);
    const blank = Object.entries(missing).filter(([field]) => isBlank(given.get(field)));
    return { ...Object.fromEntries(problems), ...Object.fromEntries(blank) };
  };
}

/** A form whose values are checked by the schema of the call that sends them, so that page and server agree. */
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
  return { ...form, onSubmit };
}
