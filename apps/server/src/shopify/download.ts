import type { Clock } from "../kernel/clock.ts";
import { limitWaits } from "../kernel/deadline.ts";
import { isPlatformError, PlatformRejectedError, PlatformUnavailableError, platformError } from "./errors.ts";
import { type Fetch, failureOfError, failureOfStatus } from "./http-exchange.ts";

export interface DownloadOptions {
  apiUrl: string;
  fetch: Fetch;
  clock: Clock;
  /** Milliseconds until the download begins, and between two pieces of it. */
  idleMs: number;
}

/**
 * The bytes behind an address from an answer of the platform, as they arrive. The token is not sent: the
 * files lie with a storage provider. Throws a platform error, or the reason of the caller's signal.
 */
export async function* downloadOnce(
  options: DownloadOptions,
  url: string,
  callerSignal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  assertTrusted(url, options.apiUrl);
  const waits = limitWaits(options.clock, options.idleMs, callerSignal);
  try {
    const response = await waits.wait((signal) => open(options.fetch, url, signal));
    const reader = response.body?.getReader();
    if (!reader) throw new PlatformRejectedError("unexpected-answer", "the export has no body");
    for (;;) {
      const piece = await waits.wait(() => reader.read());
      if (piece.done) return;
      yield piece.value;
    }
  } catch (error) {
    if (callerSignal?.aborted || isPlatformError(error)) throw error;
    throw platformError(failureOfError(error));
  } finally {
    waits.end();
  }
}

/** An address in an answer is data: only https, or the API's own origin, is followed. */
function assertTrusted(url: string, apiUrl: string): void {
  const target = URL.canParse(url) ? new URL(url) : null;
  if (target?.protocol === "https:" || (target && target.origin === new URL(apiUrl).origin)) return;
  throw new PlatformRejectedError("unexpected-answer", "the export lies at an address that is not https");
}

async function open(fetch: Fetch, url: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { redirect: "error", signal });
  if (response.status === 200) return response;
  const failure = failureOfStatus(response, "");
  // The storage provider's refusals speak of the address, not of the shop's token.
  if (failure.kind !== "unauthorised") throw platformError(failure);
  throw new PlatformUnavailableError("server-error", `the export's address was refused: ${failure.detail}`);
}
