import type { Coverage } from "../../http/coverage.ts";
import { coverageTexts as texts } from "./coverage-messages.ts";

/** How many things are open. */
export function openThings({ open }: { readonly open: readonly { readonly count: number }[] }): number {
  return open.reduce((sum, { count }) => sum + count, 0);
}

/** "Certificate version 1", or why there is none that holds. */
export function certificateText(coverage: Coverage): string {
  const { certificate } = coverage;
  const count = openThings(coverage);
  if (certificate?.valid === true) return texts.certificate(certificate.version);
  if (certificate === null) return count === 0 ? texts.noneYet : texts.none(texts.things(count));
  return count === 0
    ? texts.renewing(certificate.version)
    : texts.superseded(certificate.version, texts.things(count));
}
