import { answerSearch, callAddress, ErrorBody, type SearchAnswer } from "@stocktake/contract";
import * as z from "zod/mini";
import { nextAnswerOrder } from "../../../apps/web/src/offline/database/answer-order.ts";
import type { FaultyNetwork } from "./faulty-network.ts";
import type { SimulatedPhone } from "./simulated-phone.ts";

/** A product that a list names, in a session. */
export interface Sought {
  readonly sessionId: string;
  readonly list: number;
  readonly sku: string;
}

/** What somebody has said of it, and what the phone was told of that. */
export interface Said extends Sought {
  readonly userId: string;
  readonly deviceId: string;
  readonly answer: SearchAnswer;
  /** `unheard`: nobody knows whether the server has it. `refused`: the server says that it has not kept it. */
  became: "kept" | "refused" | "unheard";
}

/**
 * The lists of what to look for on one phone: answers go out one by one, and what was not heard is said again when there is a network, as long
 * as the page is open.
 */
export class Searcher {
  /** Everything that was said here, in its order. */
  readonly said: Said[] = [];
  /** What the phone has read of lists, which it shows without a network too. */
  readonly known: Sought[] = [];
  readonly #phone: SimulatedPhone;
  readonly #network: FaultyNetwork;
  readonly #unsent = new Map<string, Said>();

  constructor(phone: SimulatedPhone, network: FaultyNetwork) {
    this.#phone = phone;
    this.#network = network;
  }

  async say(sought: Sought, answer: SearchAnswer): Promise<void> {
    const { userId, device } = this.#phone;
    const answerOrder = await nextAnswerOrder(device.database, device.clock.now());
    const said: Said = { ...sought, userId, deviceId: device.deviceId, answer, became: "unheard" };
    this.said.push(said);
    this.#unsent.set(sought.sku, said);
    said.became = await this.#send(said, answerOrder);
    if (said.became !== "unheard" && this.#unsent.get(sought.sku) === said) this.#unsent.delete(sought.sku);
  }

  /** There may be a network again. */
  async sayAgain(): Promise<void> {
    for (const said of [...this.#unsent.values()]) await this.say(said, said.answer);
  }

  /** The page is gone, and with it what it had still to send. */
  forget(): void {
    this.#unsent.clear();
  }

  async #send(
    { sessionId, list, sku, answer, deviceId }: Said,
    answerOrder: number,
  ): Promise<Said["became"]> {
    const address = callAddress(answerSearch, { id: sessionId, number: String(list) });
    const body = JSON.stringify({ sku, answer, deviceId, answerOrder });
    try {
      const response = await this.#network.line().fetch(address, { method: "POST", body });
      return outcomeOf(response, JSON.parse(await response.text()));
    } catch {
      return "unheard";
    }
  }
}

function outcomeOf({ ok, status }: Response, body: unknown): Said["became"] {
  if (ok) return z.safeParse(answerSearch.answer, body).success ? "kept" : "unheard";
  // A busy server, or a login that is over, says nothing of what it did with it before.
  return status === 409 && z.safeParse(ErrorBody, body).success ? "refused" : "unheard";
}
