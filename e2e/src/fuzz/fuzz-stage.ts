import { rm } from "node:fs/promises";
import { acceptInvitation, adminLogin, savePacks } from "@stocktake/contract";
import { emulatorControl } from "@stocktake/shopify-emulator";
import { ApiClient, type Product, startProduct } from "@stocktake/testkit";
import { makeDataFolder } from "../data-folder.ts";
import { openMailbox } from "../mailbox.ts";
import { invite, type RunningCount, startCount } from "../running-count.ts";
import { adminPassword, openShop, type Stage } from "../staging.ts";
import { type Article, findArticle } from "../stock.ts";
import { ManualSearch } from "./manual-search.ts";
import type { SignedIn } from "./simulated-phone.ts";

/** Somebody invited to a session, who can join again as long as it is active. */
export interface Invited {
  readonly name: string;
  readonly invitationId: string;
  readonly token: string;
}

export async function inviteCounter(
  stage: Stage,
  count: RunningCount,
  person: { readonly name: string; readonly email: string },
): Promise<Invited> {
  const { link, invitationId } = await invite(stage, count, person);
  return { name: person.name, invitationId, token: link.split("/").at(-1) ?? "" };
}

/** Opens the invitation in a fresh browser; under which name that is may have a number. Null where it is no longer valid. */
export async function joinAs(
  url: string,
  { token }: Invited,
): Promise<(SignedIn & { readonly username: string }) | null> {
  const client = new ApiClient(url);
  const outcome = await client.attempt(acceptInvitation, { params: { token } });
  if (!outcome.ok) return null;
  const { _id: userId, username } = outcome.body.user;
  return { userId, username, cookie: client.cookie ?? "" };
}

/** The built product and what the random counts need with it. */
export interface FuzzStage extends Stage {
  /** Store, location and first session; later counts use the store and its administrator. */
  readonly first: RunningCount;
  readonly pile: readonly Article[];
  readonly search: ManualSearch;
  /** The administrator's login on a phone, one for all counts: a user may have a hundred. */
  readonly admin: SignedIn;
  /** Counts in another store: must neither see nor send what belongs to this one. */
  readonly stranger: SignedIn;
  /** Kills the server's process, like a power cut. */
  readonly kill: () => Promise<void>;
  /** Restarts it on the same data and port after it was killed. */
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

async function kill({ process: child }: Product): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  await gone;
}

const pack = { barcode: "5012345678900", packUnits: 6 };

/** Three products, and a pack of the first. */
async function loadPile(shop: Stage["shop"], { admin }: RunningCount): Promise<Article[]> {
  const snapshot = await shop.snapshot();
  const shorts = findArticle(snapshot, "Jetty Shorts Sand", "M");
  const body = { packs: [{ code: pack.barcode, sku: shorts.sku, units: pack.packUnits }] };
  await admin.call(savePacks, { body });
  return [
    shorts,
    { ...shorts, ...pack },
    findArticle(snapshot, "Estuary Dress Plum", "10"),
    findArticle(snapshot, "Cobble Boot Brick", "41"),
  ];
}

async function joinElsewhere(stage: Stage): Promise<SignedIn> {
  const plan = {
    store: "Linden Quay Harbour Street",
    location: "Floor",
    areas: [],
    scope: "partial",
  } as const;
  const elsewhere = await startCount(stage, { ...plan, areas: [{ code: "Z", name: "Z" }] });
  const guest = await inviteCounter(stage, elsewhere, { name: "Zoe", email: "zoe@fuzz.example" });
  const stranger = await joinAs(stage.product.url, guest);
  if (stranger === null) throw new Error("The stranger could not join.");
  return stranger;
}

async function signInAsAdmin({ product }: Stage): Promise<SignedIn> {
  const client = new ApiClient(product.url);
  const { user } = await client.call(adminLogin, { body: { password: adminPassword } });
  return { userId: user._id, cookie: client.cookie ?? "" };
}

/** Starts everything on its own ports. */
export async function openFuzzStage(): Promise<FuzzStage> {
  const [emulator, mailbox, dataDir] = await Promise.all([openShop(), openMailbox(), makeDataFolder()]);
  const start = (port?: number) =>
    startProduct({
      ...{ shopifyUrl: emulator.url, adminPassword, dataDir, ...(port === undefined ? {} : { port }) },
      environment: (url) => ({ PUBLIC_URL: url, SMTP_URL: mailbox.url, LOG_LEVEL: "warn" }),
    });
  let product = await start();
  const stage: Stage = { product, shop: emulatorControl(emulator.url), mailbox };
  const areas = [{ code: "X", name: "X" }];
  const store = { store: "Linden Quay Old Mill", location: "Ground Floor", areas, scope: "partial" } as const;
  const first = await startCount(stage, store);
  return {
    ...stage,
    first,
    pile: await loadPile(stage.shop, first),
    search: await ManualSearch.of(first),
    admin: await signInAsAdmin(stage),
    stranger: await joinElsewhere(stage),
    kill: () => kill(product),
    async restart() {
      product = await start(Number(new URL(product.url).port));
    },
    async close() {
      await product.stop();
      await mailbox.close();
      await emulator.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
