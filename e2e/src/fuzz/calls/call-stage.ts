import { rm } from "node:fs/promises";
import * as contract from "@stocktake/contract";
import { emulatorControl } from "@stocktake/shopify-emulator";
import { ApiClient, type Product, startProduct } from "@stocktake/testkit";
import { makeDataFolder } from "../../data-folder.ts";
import { adminPassword, openShop } from "../../staging.ts";
import type { Pool } from "./forms.ts";
import { readPool } from "./pool.ts";
import { type Sender, webhookSecret } from "./requests.ts";

/** The built product, with somebody of every kind in it. */
export interface CallStage {
  readonly product: Product;
  /** Puts right what random calls have ended, and says what there is to name. */
  renew(): Promise<{ readonly pool: Pool; readonly cookies: ReadonlyMap<Sender, string | null> }>;
  close(): Promise<void>;
}

export async function openCallStage(): Promise<CallStage> {
  const [emulator, dataDir] = await Promise.all([openShop(), makeDataFolder()]);
  const product = await startProduct({
    ...{ shopifyUrl: emulator.url, adminPassword, dataDir },
    environment: (url) => ({
      ...{ PUBLIC_URL: url, LOG_LEVEL: "warn", SHOPIFY_WEBHOOK_SECRET: webhookSecret, TRUST_PROXY: "true" },
    }),
  });
  const shop = await emulatorControl(emulator.url).snapshot();
  const people = new People(product.url);
  return {
    product,
    async renew() {
      const cookies = await people.renew();
      return { pool: await readPool(people.admin, shop), cookies };
    },
    async close() {
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
      await emulator.close();
    },
  };
}

/** Those who send requests; whoever was signed out comes back in another way. */
class People {
  private readonly url: string;
  admin: ApiClient;
  private counter: ApiClient;
  private former: ApiClient;
  private permanent: ApiClient;
  private made = 0;

  constructor(url: string) {
    this.url = url;
    this.admin = new ApiClient(url);
    this.counter = new ApiClient(url);
    this.former = new ApiClient(url);
    this.permanent = new ApiClient(url);
  }

  async renew(): Promise<ReadonlyMap<Sender, string | null>> {
    if (!(await isSignedIn(this.admin))) {
      this.admin = new ApiClient(this.url);
      const body = { password: adminPassword };
      await this.admin.call(contract.adminLogin, { body, headers: this.fromElsewhere() });
    }
    if (!(await isSignedIn(this.former))) {
      const ended = await this.countingSession();
      this.former = await this.join(ended);
      await this.admin.call(contract.endSession, { body: { sessionId: ended._id } });
    }
    const session = await this.countingSession();
    if (!(await countsIn(this.counter, session._id))) this.counter = await this.join(session);
    if (!(await isSignedIn(this.permanent))) this.permanent = await this.signUp();
    return new Map<Sender, string | null>([
      ["admin", this.admin.cookie],
      ["counter", this.counter.cookie],
      ["former", this.former.cookie],
      ["permanent", this.permanent.cookie],
      ["stranger", null],
      ["garbage", "stocktake_session=%00%ff; stocktake_session=x; __proto__=1; a"],
    ]);
  }

  /** A session that is running, in a store with areas. */
  private async countingSession(): Promise<contract.CountingSession> {
    const { sessions } = await this.admin.call(contract.listSessions);
    const running = sessions.find(({ status }) => status === "active");
    const session = running ?? (await this.startSession());
    await this.makeAreas(session.storeId._id);
    return session;
  }

  private async startSession(): Promise<contract.CountingSession> {
    const { stores } = await this.admin.call(contract.listStores);
    const storeId = stores.find(({ isActive }) => isActive)?._id ?? (await this.openStore());
    const answer = await this.admin.call(contract.startSession, { body: { storeId, scope: "partial" } });
    if (!("session" in answer)) throw new Error("Starting the session took longer than a call.");
    return answer.session;
  }

  private async openStore(): Promise<string> {
    const { locations } = await this.admin.call(contract.listShopifyLocations);
    for (const { id } of locations) {
      const body = { name: this.newName(), shopifyLocationId: id };
      const outcome = await this.admin.attempt(contract.createStore, { body });
      if (outcome.ok) return outcome.body.store._id;
    }
    throw new Error("No location of the shop is free.");
  }

  private async makeAreas(storeId: string): Promise<void> {
    const query = { storeId };
    const { locations } = await this.admin.call(contract.listLocations, { query });
    const [place] =
      locations.length > 0
        ? locations
        : [(await this.admin.call(contract.createLocation, { body: { name: "Floor", storeId } })).location];
    const params = { locationId: place?._id ?? "" };
    const { areas } = await this.admin.call(contract.listAreasOfLocation, { params });
    if (areas.some(({ status }) => status !== "closed")) return;
    const body = { areas: [{ code: this.newName() }, { code: this.newName() }] };
    await this.admin.call(contract.createAreas, { params: { id: place?._id ?? "" }, body });
  }

  private async join({ _id: sessionId, storeId }: contract.CountingSession): Promise<ApiClient> {
    const person = { sessionId, storeId: storeId._id, counterName: "Ada", email: "ada@fuzz.example" };
    await this.admin.call(contract.createInvitation, { body: person });
    const { mails } = await this.admin.call(contract.listOutboxMails);
    const client = new ApiClient(this.url);
    const token = mails[0]?.link.split("/").at(-1) ?? "";
    await client.call(contract.acceptInvitation, { params: { token } });
    return client;
  }

  private async signUp(): Promise<ApiClient> {
    const body = { username: this.newName(), password: "counting by name" };
    await this.admin.call(contract.createCounter, { body });
    const client = new ApiClient(this.url);
    await client.call(contract.counterLogin, { body, headers: this.fromElsewhere() });
    return client;
  }

  /** Random calls have guessed too many passwords from their address. */
  private fromElsewhere(): Record<string, string> {
    return { "x-forwarded-for": "192.0.2.1" };
  }

  private newName(): string {
    this.made += 1;
    return `Fuzz ${process.pid}-${this.made}`;
  }
}

async function isSignedIn(client: ApiClient): Promise<boolean> {
  return (await client.attempt(contract.whoAmI)).ok;
}

async function countsIn(client: ApiClient, sessionId: string): Promise<boolean> {
  const outcome = await client.attempt(contract.listSessions);
  return (
    outcome.ok && outcome.body.sessions.some(({ _id, status }) => _id === sessionId && status === "active")
  );
}
