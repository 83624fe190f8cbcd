import { type Area, type AreaDevice, type Product, readTag } from "@stocktake/contract";
import { activeSession, location, area as oneArea, session, store } from "@stocktake/contract/examples";
import { ScriptedServer } from "../../../offline/testing/scripted-server.ts";
import { SlowCalls } from "../../../testing/slow-answers.ts";

const shopProducts: Product[] = [
  product("SHIRT-M", "4006381333931", "Linen Shirt", "M"),
  product("SHIRT-L", "4006381333948", "Linen Shirt", "L"),
  product("TWIN-100-12345", "TWIN", "Twin Sock", "S"),
  product("TWIN-200-12345", "TWIN", "Twin Sock", "M"),
];

function product(sku: string, barcode: string, productTitle: string, size: string): Product {
  return { sku, barcode, productTitle, size, image: null, storeId: "store-1" };
}

function area(id: string, code: string, more: Partial<Area> = {}): Area {
  return oneArea({ _id: id, code, name: `Area ${code}`, ...more });
}

/** A pack of the first shirt. */
export const shirtPack = { code: "5012345678900", sku: "SHIRT-M", units: 12 };

const otherStore = store({ _id: "store-2", name: "Old Mill" });
const overSession = session({ _id: "session-1" });
const noProducts = { status: 503, body: { error: "The server is busy.", code: "OVERLOADED" } };

function isOwnTotal(body: unknown): boolean {
  return typeof body === "object" && body !== null && "own" in body && body.own === true;
}

type Answer = { readonly status: number; readonly body: unknown };

/** A small shop behind `fetch`: one store, one location, three areas, and the scripted server for what is counted. */
export class ScriptedShop {
  readonly scanning = new ScriptedServer();
  readonly requests: string[] = [];
  private readonly calls = new SlowCalls();
  products = shopProducts;
  areas: Area[] = [
    area("area-1", "A1"),
    area("area-2", "A2", {
      status: "in_progress",
      activity: { devices: 2, usernames: ["Mia", "Tom"], lastScanAt: "2026-03-01T09:30:00.000Z" },
    }),
    area("area-3", "A3", { status: "closed" }),
  ];
  locations = [
    location(),
    location({ _id: "location-2", name: "Stockroom" }),
    location({ _id: "location-9", name: "Annexe", storeId: { _id: "store-9", name: "Another store" } }),
  ];
  packs = [shirtPack];
  /** What a pack holds by the server's word. */
  packUnits = shirtPack.units;
  hasSession = true;
  hasStore = true;
  hasOtherStore = false;
  /** The session that a temporary counter came for is over. */
  isOver = false;
  hasProducts = true;
  isAway = false;
  othersCounted = false;
  /** Who has still to give their own total. */
  waitingFor: string[] = [];
  /** What the server says of the sum where an own total ends the pass; null where it is an older one. */
  together: { declared: number; people: number } | null = null;
  /** Why the server opens no area; null where it does. */
  openingRefused: string | null = null;
  /** The pass of the area that is opened is an earlier count that was restored. */
  isRestored = false;
  /** The names of those who scanned, by their ids; of everybody else Mia's. */
  readonly usernames = new Map<string, string>();
  /** The devices that the server names of an area. */
  devices: AreaDevice[] = [];

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const address = new URL(String(input), "http://shop.test");
    const method = init?.method ?? "GET";
    this.requests.push(`${method} ${address.pathname}`);
    if (this.isAway) throw new TypeError("Failed to fetch");
    await this.held.get(address.pathname);
    const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
    return this.calls.answer(`${method} ${address.pathname}`, init?.signal, async () => {
      const answer = await this.answer(method, address, body);
      if (answer === null) throw new TypeError("Failed to fetch");
      const { epoch } = this.scanning;
      const headers = epoch === null ? {} : { "X-Stocktake-Epoch": epoch };
      return Response.json(answer.body, { status: answer.status, headers });
    });
  };

  constructor() {
    const unlisted = this.scanning.productOf;
    this.scanning.productOf = (input) => {
      const [shirt] = shopProducts;
      if (input === shirtPack.code && shirt !== undefined) return { ...shirt, packUnits: this.packUnits };
      const code = readTag(input)?.gtin.slice(1) ?? input;
      return this.products.find(({ sku, barcode }) => sku === code || barcode === code) ?? unlisted(input);
    };
  }

  /** What further calls are answered, by method and path. */
  readonly further = new Map<string, (body: unknown) => Answer>();

  private readonly held = new Map<string, Promise<void>>();

  /** Lets calls of a path wait until the answer is called. */
  hold(path: string): () => void {
    let release = () => {};
    this.held.set(
      path,
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    return () => {
      this.held.delete(path);
      release();
    };
  }

  private async answer(method: string, address: URL, body: unknown): Promise<Answer | null> {
    const further = this.further.get(`${method} ${address.pathname}`);
    if (further !== undefined) return further(body);
    if (!this.hasProducts && address.pathname === "/api/products/map") return noProducts;
    if (this.openingRefused !== null && address.pathname.startsWith("/api/area/")) {
      return { status: 409, body: { error: this.openingRefused, code: "AREA_ASSIGNED" } };
    }
    const known = this.read(method, address);
    if (known !== null) return { status: 200, body: known };
    if (this.waitingFor.length > 0 && isOwnTotal(body)) {
      return { status: 200, body: { matched: false, serverTotal: 0, waitingFor: this.waitingFor } };
    }
    const incoming = await this.scanning.send({ method: "POST", path: address.pathname, body });
    if (incoming.kind !== "answer") return null;
    if (this.together === null || !isOwnTotal(body)) return incoming;
    return { ...incoming, body: { ...Object(incoming.body), together: this.together } };
  }

  private read(method: string, address: URL): unknown {
    if (method !== "GET") return null;
    const path = address.pathname;
    if (path === "/api/areas") return { areas: this.areas.map((each) => this.withAccepted(each)) };
    if (path.startsWith("/api/areas/by-location/")) return { areas: this.areasOf(path.split("/").at(-1)) };
    if (path.startsWith("/api/area/")) return this.areaScans(path.split("/").at(-1) ?? "");
    return this.lists()[path] ?? null;
  }

  private areasOf(locationId: string | undefined): Area[] {
    return this.areas.filter((each) => each.locationId === locationId).map((each) => this.withAccepted(each));
  }

  private withAccepted(each: Area): Area {
    return { ...each, accepted: this.scanning.acceptedIn(each.code) };
  }

  private lists(): Record<string, unknown> {
    return {
      "/api/health": { status: "ok" },
      "/api/stores": {
        stores: [...(this.hasStore ? [store()] : []), ...(this.hasOtherStore ? [otherStore] : [])],
      },
      "/api/session": {
        sessions: [...(this.hasSession ? [activeSession()] : []), ...(this.isOver ? [overSession] : [])],
      },
      "/api/locations": { locations: this.locations },
      "/api/products/map": { products: this.products, packs: this.packs, etag: '"1"' },
      "/api/device-max-seq": { maxSeq: 0, reportHeard: true },
      "/api/session/session-1/search-lists": { tasks: [] },
    };
  }

  private areaScans(code: string): unknown {
    const pass = this.scanning.passOf(code);
    const listed = ({ payload, arrival }: (typeof this.scanning.scans)[number]) => {
      const { deviceId, seq, scannedAt, input } = payload;
      return { _id: String(arrival), deviceId, seq, scannedAt, input };
    };
    const scans = this.scanning.countedIn(code).map((scan) => ({
      ...{ ...listed(scan), ...this.scanning.productOf(scan.payload.input) },
      ...{ method: "scan", accepted: scan.isAccepted },
      username: this.usernames.get(scan.payload.scannedById ?? "") ?? "Mia",
      quantity: this.scanning.unitsOf(scan),
    }));
    const unresolved = this.scanning.unresolvedIn(code).map(listed);
    const [first] = scans;
    const others =
      this.othersCounted && first !== undefined ? [{ ...first, deviceId: "device-of-tom", seq: 900 }] : [];
    const restored = this.isRestored ? { restored: true } : {};
    return { scans: [...scans, ...others], unresolved, devices: this.devices, pass, ...restored };
  }
}
