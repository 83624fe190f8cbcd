import { messageOf } from "../database/errors.ts";
import type { Clock } from "../kernel/clock.ts";
import { withDeadline } from "../kernel/deadline.ts";

/** How the diagnosis calls addresses of its own installation. */
export interface Caller {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
}

/** What came back; `unreachable` is no connection at all, `insecure` one whose certificate does not hold. */
export type Reached =
  | { readonly kind: "response"; readonly response: Response }
  | { readonly kind: "unreachable" | "insecure"; readonly why: string };

const timeoutMs = 5_000;

const certificateCodes = /CERT|SIGNATURE|TLS|SSL|SELF_SIGNED|ALTNAME/;

/** Calls once; never throws. Redirects are not followed, because people's devices would not be followed either. */
export async function reach({ clock, fetch }: Caller, url: string, init: RequestInit = {}): Promise<Reached> {
  try {
    const response = await withDeadline(clock, timeoutMs, undefined, async (signal) => {
      const answer = await fetch(url, { ...init, redirect: "manual", signal });
      await answer.arrayBuffer();
      return answer;
    });
    return { kind: "response", response };
  } catch (error) {
    const why = causeOf(error);
    return { kind: certificateCodes.test(why) ? "insecure" : "unreachable", why };
  }
}

/** The system's code where there is one: fetch hides it behind "fetch failed". */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return messageOf(cause ?? error);
}
