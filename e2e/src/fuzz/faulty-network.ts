import type { Randomness } from "../../../apps/web/src/offline/ports.ts";
import type { Line, PhoneNetwork } from "./simulated-phone.ts";

/** What goes wrong with one request between a device and the real server. */
type Fault =
  /** It never arrives. */
  | "request_lost"
  /** The server handles it, but the response is lost. */
  | "answer_lost"
  /** It is delayed on the way: the device gives up, and the server handles it much later. */
  | "late"
  | "twice"
  /** Something in between responds instead. */
  | "busy"
  | "portal"
  | "logged_out";

const faults: readonly Fault[] = [
  "request_lost",
  "request_lost",
  "answer_lost",
  "answer_lost",
  "late",
  "late",
  "twice",
  "twice",
  "busy",
  "portal",
  "logged_out",
];
const faultProbability = 0.35;

interface Request {
  readonly path: string;
  readonly init: RequestInit;
  readonly cookie: string;
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

const never = new Promise<never>(() => {});

/** The connection of one signed-in person to the real server, with seeded losses, repeats and delays. */
export class FaultyNetwork implements PhoneNetwork {
  /** While false everything arrives once and without delay. */
  isFaulty = true;
  /** While false the phone is out of reach: every request of its pages fails, reads too. What is late already is in the network. */
  isOnline = true;
  /** Whom the browser is signed in as; a delayed request keeps the login with which it was made. */
  cookie: string;
  readonly #url: string;
  readonly #random: Randomness;
  readonly #late: Request[] = [];
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(url: string, cookie: string, random: Randomness) {
    this.#url = url;
    this.cookie = cookie;
    this.#random = random;
  }

  line(): Line {
    let isCut = false;
    const through = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
      const answering = this.#pass({ path: String(input), init, cookie: this.cookie }).then(
        (response) => (isCut ? never : response),
        (error: unknown) => {
          if (isCut) return never;
          throw error;
        },
      );
      return isCut ? never : answering;
    };
    return {
      fetch: through,
      cut() {
        isCut = true;
      },
    };
  }

  /** Delivers a random delayed request. */
  async deliverDelayed(): Promise<void> {
    const index = Math.floor(this.#random.fraction() * this.#late.length);
    const [request] = this.#late.splice(index, 1);
    if (request === undefined) return;
    try {
      await this.#send(request);
    } catch {
      // The server was unreachable just then: the request, which nobody waits for any more, is lost.
    }
  }

  /** Everything delayed arrives, and every request is answered. */
  async recover(): Promise<void> {
    this.isFaulty = false;
    this.isOnline = true;
    while (this.#late.length > 0) await this.deliverDelayed();
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  #draw(request: Request): Fault | null {
    // Reads store nothing that could go wrong.
    const isRead = request.init.method === "GET";
    if (!this.isFaulty || isRead || this.#random.fraction() > faultProbability) return null;
    return faults[Math.floor(this.#random.fraction() * faults.length)] ?? null;
  }

  async #send({ path, init, cookie }: Request): Promise<Response> {
    const headers = { "content-type": "application/json", cookie };
    const sending = fetch(this.#url + path, {
      method: init.method ?? "GET",
      headers,
      ...(typeof init.body === "string" ? { body: init.body } : {}),
    }).then(async (response) => {
      const text = await response.text();
      return new Response(text, { status: response.status, headers: response.headers });
    });
    this.#underWay.add(sending);
    try {
      return await sending;
    } finally {
      this.#underWay.delete(sending);
    }
  }

  async #pass(request: Request): Promise<Response> {
    if (!this.isOnline) throw new TypeError("Failed to fetch");
    switch (this.#draw(request)) {
      case "request_lost":
        throw new TypeError("Failed to fetch");
      case "answer_lost":
        await this.#send(request);
        throw new TypeError("Failed to fetch");
      case "late":
        this.#late.push(request);
        throw new TypeError("Failed to fetch");
      case "twice":
        await this.#send(request);
        return this.#send(request);
      case "busy":
        return json(503, { error: "The server is busy. Try again.", code: "OVERLOADED" });
      case "portal":
        return json(200, { welcome: "Sign in to the guest network." });
      case "logged_out":
        return json(401, { error: "Sign in again.", code: "UNAUTHENTICATED" });
      case null:
        return this.#send(request);
    }
  }
}
