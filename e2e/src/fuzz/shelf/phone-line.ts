import type { Line, PhoneNetwork } from "../simulated-phone.ts";
import type { SimulatedTime } from "./simulated-time.ts";

const never = new Promise<never>(() => {});
const longestWayMs = 400;

/** A phone's connection to the server: there or not, and taking its time. */
export class PhoneLine implements PhoneNetwork {
  isOnline = true;
  cookie = "";
  /** Where the server is: a restored one is elsewhere. */
  url = "";
  readonly #time: SimulatedTime;
  readonly #fraction: () => number;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(time: SimulatedTime, fraction: () => number) {
    this.#time = time;
    this.#fraction = fraction;
  }

  line(): Line {
    let isCut = false;
    const send = (path: string, init: RequestInit): Promise<Response> => {
      const sending = this.#send(path, init).then(
        (response) => (isCut ? never : response),
        (error: unknown) => {
          if (isCut) return never;
          throw error;
        },
      );
      return isCut ? never : sending;
    };
    return {
      fetch: (input, init = {}) => send(String(input), init),
      cut() {
        isCut = true;
      },
    };
  }

  /** Resolves once no request is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const sending = this.#pass(path, init);
    this.#underWay.add(sending);
    try {
      return await sending;
    } finally {
      this.#underWay.delete(sending);
    }
  }

  async #pass(path: string, { method = "GET", body }: RequestInit): Promise<Response> {
    this.#travel();
    const headers = { "content-type": "application/json", cookie: this.cookie };
    const response = await fetch(this.url + path, {
      ...{ method, headers },
      ...(typeof body === "string" ? { body } : {}),
    });
    const text = await response.text();
    this.#travel();
    return new Response(response.status === 304 ? null : text, response);
  }

  #travel(): void {
    if (!this.isOnline) throw new TypeError("Failed to fetch");
    this.#time.move(Math.floor(this.#fraction() * longestWayMs));
    if (!this.isOnline) throw new TypeError("Failed to fetch");
  }
}
