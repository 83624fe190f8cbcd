import { Text } from "@mantine/core";
import type { Certificate } from "@stocktake/contract";
import * as z from "zod/mini";
import { messages } from "./messages.ts";

const { certificate: texts } = messages;

const Was = z.nullable(z.object({ state: z.string(), units: z.number() }));

/** What a certificate's text says of the version before (docs/CERTIFICATES.md); null in the first. */
const Changes = z.object({
  changes: z.nullable(
    z.object({
      skus: z.number(),
      listed: z.array(
        z.object({
          ...{ sku: z.string(), from: Was, to: Was },
          why: z.array(z.object({ by: z.string(), reason: z.nullable(z.string()) })),
        }),
      ),
    }),
  ),
});
type Listed = NonNullable<z.infer<typeof Changes>["changes"]>["listed"][number];

const shownAtMost = 5;

const wasText = (was: z.infer<typeof Was>) =>
  was === null ? texts.nothing : texts.was(texts.states[was.state] ?? was.state, was.units);

function lineOf({ sku, from, to, why }: Listed): string {
  const last = why.at(-1);
  const said = last === undefined ? "" : texts.why(last.by, last.reason);
  return `${texts.from(sku, wasText(from), wasText(to))}${said}`;
}

/** Undefined where it can't be read from the text: a later or an earlier release may say it in another way. */
function changesOf({ text }: Certificate): z.infer<typeof Changes>["changes"] | undefined {
  try {
    return z.parse(Changes, JSON.parse(text)).changes;
  } catch {
    return undefined;
  }
}

/** How many SKUs differ from the version before, and of the first few what each was, is, and who changed it. */
export function VersionChanges({ certificate }: { readonly certificate: Certificate }) {
  const changes = changesOf(certificate);
  if (changes === undefined) return texts.notCompared;
  if (changes === null) return texts.first;
  const shown = changes.listed.slice(0, shownAtMost);
  return (
    <>
      {texts.changed(changes.skus)}
      {shown.map((line) => (
        <Text key={line.sku} fz="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {lineOf(line)}
        </Text>
      ))}
    </>
  );
}
