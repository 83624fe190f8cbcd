import { UnexpectedRefusal } from "@stocktake/testkit";

const pauseMs = 20;

/** Whether a failed call may have been carried out all the same: no answer came, or one that says nothing of it. */
function isLost(error: unknown): boolean {
  if (error instanceof UnexpectedRefusal) return error.status >= 500;
  // What fetch throws where there is no connection, or it breaks.
  return error instanceof TypeError;
}

export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMs));
}

/** Sends the same again until there is an answer, as a device does. */
export async function persist<Answer>(
  send: () => Promise<Answer>,
  whenLost: (error: unknown) => void = () => undefined,
): Promise<Answer> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!isLost(error)) throw error;
      whenLost(error);
      await pause();
    }
  }
}

/** Sends once; null where the answer was lost and it may or may not have been carried out. */
export async function once<Answer>(send: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await send();
  } catch (error) {
    if (!isLost(error)) throw error;
    await pause();
    return null;
  }
}
