import type { Randomness } from "../../../apps/web/src/offline/ports.ts";

/** What goes wrong with one request between a device and the real server. */
type Fault =
  /** It never arrives. */
  | "request_lost"
  /** The server does it, the device does not hear of it. */
  | "answer_lost"
  /** It lies somewhere on the way: the device gives up, and the server does it much later. */
  | "late"
  | "twice"
  /** Something in between answers instead. */
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
const faultShare = 0.35;

interface Request {
  readonly path: string;
  readonly init: RequestInit;
  readonly cookie: string;
}

type Fetch = typeof globalThis.fetch;

/** One page's way to the server. A page that has crashed hears nothing any more. */
export interface Line {
  readonly fetch: Fetch;
  cut(): void;
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

const never = new Promise<never>(() => {});

/** The way of one signed-in person to the real server, with losses, repeats and delays drawn from a seed. */
export class FaultyNetwork {
  /** While false everything arrives once, at once. */
  isFaulty = true;
  /** Who the browser is signed in as; a request that was late goes with the login of its time. */
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

  /** Lets a request that was late arrive now, whichever chance picks. */
  async deliverLate(): Promise<void> {
    const place = Math.floor(this.#random.fraction() * this.#late.length);
    const [request] = this.#late.splice(place, 1);
    if (request === undefined) return;
    try {
      await this.#send(request);
    } catch {
      // The server was away just then: the request that nobody waits for any more is lost after all.
    }
  }

  /** Everything late arrives, and every answer is there. */
  async calm(): Promise<void> {
    this.isFaulty = false;
    while (this.#late.length > 0) await this.deliverLate();
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  #draw(request: Request): Fault | null {
    // Of the calls that only read, nothing is stored that could go wrong.
    const isRead = request.init.method === "GET";
    if (!this.isFaulty || isRead || this.#random.fraction() > faultShare) return null;
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
