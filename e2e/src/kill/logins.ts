import {
  acceptInvitation,
  counterLogin,
  createCounter,
  createInvitation,
  endOwnLogin,
  listLogins,
  logout,
  revokeInvitation,
  whoAmI,
} from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import type { KillStage } from "./kill-stage.ts";
import { once, persist } from "./persist.ts";

interface Account {
  readonly username: string;
  readonly password: string;
}

/** What the server must say to a login: it opened with an answer, or it ended with one. */
type LoginState = "signed in" | "ended";

const statusOf: Readonly<Record<LoginState, number>> = { "signed in": 200, ended: 401 };

/** People who sign in and out, end another browser's login, accept an invitation, and have it revoked. */
export class LoginDesk {
  readonly #stage: KillStage;
  /** By the login's cookie. One whose end had no answer is not here: nobody knows what became of it. */
  readonly #logins = new Map<string, { readonly state: LoginState; readonly after: string }>();
  #made = 0;

  constructor(stage: KillStage) {
    this.#stage = stage;
  }

  /** Logins that opened and that ended with an answer. */
  count(state: LoginState): number {
    return Array.from(this.#logins.values()).filter((each) => each.state === state).length;
  }

  async work(stopped: () => boolean): Promise<void> {
    while (!stopped()) {
      await this.#comeAndGo();
      if (!stopped()) await this.#inviteAndRevoke();
    }
  }

  /** One login of an account stays, another is logged out, and a third is ended from the first. */
  async #comeAndGo(): Promise<void> {
    const account = await this.#newAccount();
    const [stays, leaves, isEnded] = [
      await this.#signIn(account),
      await this.#signIn(account),
      await this.#signIn(account),
    ];
    await this.#end(leaves, "a logout", () => leaves.call(logout));
    const { logins } = await persist(() => isEnded.call(listLogins));
    const id = logins.find(({ isThisOne }) => isThisOne)?._id ?? "";
    await this.#end(isEnded, "an end from elsewhere", () => stays.call(endOwnLogin, { params: { id } }));
  }

  async #newAccount(): Promise<Account> {
    for (;;) {
      this.#made += 1;
      const body = { username: `visitor-${this.#made}`, password: "counting" };
      const made = await once(() => this.#stage.running.admin.call(createCounter, { body }));
      if (made !== null) return body;
    }
  }

  #signIn(body: Account): Promise<ApiClient> {
    return this.#open((client) => client.call(counterLogin, { body }));
  }

  async #inviteAndRevoke(): Promise<void> {
    const { mailbox, running } = this.#stage;
    const { admin, sessionId, storeId } = running;
    this.#made += 1;
    const email = `guest-${this.#made}@kill.example`;
    const body = { sessionId, storeId, email, counterName: email };
    const invited = await once(() => admin.call(createInvitation, { body }));
    if (invited === null) return;
    const token = (await mailbox.linkFor(email)).split("/").at(-1) ?? "";
    const guest = await this.#open((client) => client.call(acceptInvitation, { params: { token } }));
    const params = { id: invited.invitation._id };
    await this.#end(guest, "a revocation", () => admin.call(revokeInvitation, { params }));
  }

  async #open(signIn: (client: ApiClient) => Promise<unknown>): Promise<ApiClient> {
    const client = new ApiClient(this.#stage.product.url);
    await persist(() => signIn(client));
    this.#logins.set(cookieOf(client), { state: "signed in", after: "a sign-in" });
    return client;
  }

  async #end(client: ApiClient, after: string, send: () => Promise<unknown>): Promise<void> {
    // Taken before, as the answer to a logout takes it from the client.
    const cookie = cookieOf(client);
    this.#logins.delete(cookie);
    if ((await once(send)) !== null) this.#logins.set(cookie, { state: "ended", after });
  }

  /** The logins that are open although their end was answered, or ended although nobody did that. */
  async wrong(): Promise<string[]> {
    const visitor = new ApiClient(this.#stage.product.url);
    const wrong: string[] = [];
    for (const [cookie, { state, after }] of this.#logins) {
      const { status } = await visitor.attempt(whoAmI, { headers: { cookie } });
      if (status !== statusOf[state]) wrong.push(`after ${after} that was answered the login gets ${status}`);
    }
    return wrong;
  }
}

function cookieOf({ cookie }: ApiClient): string {
  if (cookie === null) throw new Error("An answered sign-in set no cookie.");
  return cookie;
}
