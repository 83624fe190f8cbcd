import { ApiError, NotProvedError } from "./errors.ts";

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

/** Is told when the question comes up, and when it is gone: in between the server does nothing. */
export type FollowQuestion = (isAsking: boolean) => void;

/**
 * Makes a call; where it is refused because the server wants to know again who sits there, the page asks, and then it is
 * made once more. @throws NotProvedError where the person does not answer; the refusal where no page could ask.
 */
export async function withProof<Answer>(
  call: () => Promise<Answer>,
  follow: FollowQuestion = () => undefined,
): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "REAUTHENTICATION_REQUIRED") throw error;
    follow(true);
    const proof = await askForProof();
    follow(false);
    if (proof === "unheard") throw error;
    if (proof === "declined") throw new NotProvedError();
    return call();
  }
}

function askForProof(): Promise<"given" | "declined" | "unheard"> {
  return new Promise((resolve) => {
    const question = new ProofAsked((isProved) => resolve(isProved ? "given" : "declined"));
    const isHeard = !globalThis.dispatchEvent(question);
    if (!isHeard) resolve("unheard");
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
