import { setImmediate as letOthersGoOn } from "node:timers/promises";
import * as z from "zod/mini";

/** As many entries as are checked and written in half a millisecond. */
const writtenAtOnce = 100;

interface LongList {
  readonly name: string;
  readonly entry: z.core.$ZodType;
  readonly entries: readonly unknown[];
}

/**
 * The JSON of an answer with long lists, checked against its schema as any other: some entries at a time, so that what others ask for
 * meanwhile does not wait for a whole page. Null of one without, which is written in one go.
 * @throws what zod throws where the answer is not of its schema.
 */
export async function writeLongAnswer(
  schema: z.core.$ZodType | undefined,
  answer: unknown,
): Promise<string | null> {
  if (!(schema instanceof z.ZodMiniObject) || typeof answer !== "object" || answer === null) return null;
  const lists = longListsOf(schema, answer);
  if (lists.length === 0) return null;
  const withoutThem = Object.fromEntries(lists.map(({ name }) => [name, []]));
  const rest: object = z.encode(schema, { ...answer, ...withoutThem });
  const parts: string[] = [];
  for (const [name, value] of Object.entries(rest)) {
    const list = lists.find((long) => long.name === name);
    const json = list === undefined ? JSON.stringify(value) : `[${await writeEntries(list)}]`;
    if (json !== undefined) parts.push(`${JSON.stringify(name)}:${json}`);
  }
  return `{${parts.join()}}`;
}

/** A list with rules of its own is none of them: they are of the whole of it. */
function longListsOf(schema: z.ZodMiniObject, answer: object): LongList[] {
  return Object.entries(answer).flatMap(([name, entries]: [string, unknown]) => {
    if (!Array.isArray(entries) || entries.length <= writtenAtOnce) return [];
    const list = unwrapped(schema.shape[name]);
    const isPlain = list instanceof z.ZodMiniArray && (list._zod.def.checks ?? []).length === 0;
    return isPlain ? [{ name, entry: list._zod.def.element, entries }] : [];
  });
}

function unwrapped(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return schema instanceof z.ZodMiniOptional ? schema._zod.def.innerType : schema;
}

async function writeEntries({ entry, entries }: LongList): Promise<string> {
  const slice = z.array(entry);
  const written: string[] = [];
  for (let begin = 0; begin < entries.length; begin += writtenAtOnce) {
    await letOthersGoOn();
    const some = z.encode(slice, entries.slice(begin, begin + writtenAtOnce));
    written.push(JSON.stringify(some).slice(1, -1));
  }
  return written.join();
}
