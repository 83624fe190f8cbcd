import { ApiError } from "./errors.ts";

const eventName = "stocktake:proof";

/** Tells whether the person has shown who they are. */
type AnswerProof = (isProved: boolean) => void;

class ProofAsked extends Event {
  readonly answer: AnswerProof;

  constructor(answer: AnswerProof) {
    super(eventName, { cancelable: true });
    this.answer = answer;
  }
}

/**
 * Makes a call; where it is refused because the server wants to know again who sits there, the page asks, and then it is
 * made once more. A person who does not answer gets the refusal.
 */
export async function withProof<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "REAUTHENTICATION_REQUIRED") throw error;
    if (!(await askForProof())) throw error;
    return call();
  }
}

function askForProof(): Promise<boolean> {
  return new Promise((answer) => {
    const isHeard = !globalThis.dispatchEvent(new ProofAsked(answer));
    if (!isHeard) answer(false);
  });
}

/** Calls back when a call needs a proof; returns a function that stops listening. */
export function onProofAsked(listener: (answer: AnswerProof) => void): () => void {
  const hear = (event: Event) => {
    if (!(event instanceof ProofAsked)) return;
    event.preventDefault();
    listener(event.answer);
  };
  globalThis.addEventListener(eventName, hear);
  return () => globalThis.removeEventListener(eventName, hear);
}
