import { createHash } from "node:crypto";
import { ApiError } from "../../kernel/api-error.ts";

/** What becomes of a SKU: by how much it moves, why it does not, and on what that depends. */
export interface PlannedFact {
  readonly sku: string;
  readonly fact: string | number;
}

/** Characters that are hashed at once: a call for each of 100,000 SKUs would take ten times as long. */
const atOnce = 65_536;

/**
 * Names what would move by a short text, which is another one as soon as anything of it is. Servers of another release may name the same in
 * another way: then the preview is only read once more.
 * @param facts in an order of their own
 */
export function fingerprintOf(facts: Iterable<PlannedFact>): string {
  const hash = createHash("sha256");
  let text = "";
  for (const { sku, fact } of facts) {
    text += `${sku.length}:${sku}${fact};`;
    if (text.length < atOnce) continue;
    hash.update(text);
    text = "";
  }
  return hash.update(text).digest("base64url");
}

/**
 * What is to move has to be what whoever pressed the button was shown.
 * @param shown what the preview has named; absent where the caller has seen none
 * @throws ApiError PLAN_CHANGED
 */
export function requireAsShown(
  shown: string | undefined,
  present: () => string,
  move: "deploy" | "rollback",
): void {
  if (shown === undefined || shown === present()) return;
  throw new ApiError(
    "PLAN_CHANGED",
    `What this ${move} would move has changed since it was shown. Nothing was moved. ` +
      "Look at what it would move now, then confirm it again.",
  );
}
