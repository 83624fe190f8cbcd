import { createInvitation } from "@stocktake/contract";
import { createObservable } from "../../../events/observable.ts";
import { callApi } from "../../../http/call.ts";
import { describeFailure } from "../../../http/errors.ts";
import type { PersonLine } from "../../../ui/people/person-lines.ts";
import { messages } from "../messages.ts";

type Person = Pick<PersonLine, "counterName" | "email">;

/** What became of one person of a list. `failed` says why, in the server's words. */
export type Delivery =
  | { readonly status: "waiting" | "sending" | "sent" | "already" }
  /** No mail server took it: its link, which ends with the token's last characters, is passed on by hand. */
  | { readonly status: "outbox"; readonly token: string }
  | { readonly status: "failed"; readonly reason: string };

export interface SentPerson extends Person {
  readonly delivery: Delivery;
}

/** Invites the people of one list, one after the other; whoever was invited is not invited again. */
export interface ListSending {
  readonly get: () => readonly SentPerson[];
  readonly subscribe: (listener: () => void) => () => void;
  /** Sends to whom nothing was sent yet, or could not be; resolves when everybody has been tried. */
  readonly start: () => Promise<void>;
  /** Ends after the person that it is at. */
  readonly stop: () => void;
}

interface Target {
  readonly sessionId: string;
  readonly storeId: string;
}

async function invite(target: Target, { counterName, email }: Person): Promise<Delivery> {
  try {
    const body = { ...target, counterName, email, onlyOnce: true };
    const { delivery, invitation } = await callApi(createInvitation, { body });
    return delivery === "outbox" ? { status: delivery, token: invitation.token } : { status: delivery };
  } catch (error) {
    const { message, advice } = describeFailure(error, messages.sendFailed);
    return {
      status: "failed",
      reason: advice === null ? message : `${message.replace(/\.?$/, ".")} ${advice}`,
    };
  }
}

const isOpen = ({ delivery }: SentPerson) => delivery.status === "waiting" || delivery.status === "failed";

export function createListSending(target: Target, people: readonly Person[]): ListSending {
  const waiting = people.map(({ counterName, email }): SentPerson => {
    return { counterName, email, delivery: { status: "waiting" } };
  });
  const state = createObservable<readonly SentPerson[]>(waiting);
  let isStopped = false;
  let isRunning = false;
  const mark = (email: string, delivery: Delivery) =>
    state.set(state.get().map((person) => (person.email === email ? { ...person, delivery } : person)));
  return {
    get: state.get,
    subscribe: state.subscribe,
    async start() {
      if (isRunning) return;
      isRunning = true;
      isStopped = false;
      for (const person of state.get().filter(isOpen)) {
        if (isStopped) break;
        mark(person.email, { status: "sending" });
        mark(person.email, await invite(target, person));
      }
      isRunning = false;
    },
    stop() {
      isStopped = true;
    },
  };
}
