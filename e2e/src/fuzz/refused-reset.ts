import assert from "node:assert/strict";
import { areaScans, assignAreas, endSession, resetArea, sessionExceptions } from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import type { CountedArea } from "../../../apps/web/src/offline/outbox/append.ts";
import { createSeededRandomness } from "../../../apps/web/src/offline/testing/manual-clock.ts";
import { beginCount } from "./count-setup.ts";
import { type FuzzStage, inviteCounter, joinAs } from "./fuzz-stage.ts";
import { type Line, type PhoneNetwork, SimulatedPhone } from "./simulated-phone.ts";

/** A network that fails after the first call that brought scans. */
class BrokenOffNetwork implements PhoneNetwork {
  isOnline = false;
  breaksOff = true;
  readonly cookie: string;
  readonly #url: string;

  constructor(url: string, cookie: string) {
    this.#url = url;
    this.cookie = cookie;
  }

  line(): Line {
    return { fetch: (input, init) => this.#pass(String(input), init), cut: () => {} };
  }

  async #pass(path: string, init: RequestInit = {}): Promise<Response> {
    if (!this.isOnline) throw new TypeError("Failed to fetch");
    const headers = { "content-type": "application/json", cookie: this.cookie };
    const response = await fetch(this.#url + path, { ...init, headers, signal: null });
    if (this.breaksOff && path.startsWith("/api/scan")) this.isOnline = false;
    return response;
  }
}

interface RefusedReset {
  /** Ben resets the area once more after his first scans. */
  readonly isAgain: boolean;
  /** Ada has begun the area's next pass before his reset arrives. */
  readonly isAhead: boolean;
}

/**
 * Ben resets an area without a network and counts it anew; by then it is Ada's alone. The network fails after the first of what he has
 * scanned, and Ada begins the area's next pass before it is back: what arrives then must count beside nothing of hers.
 */
export async function playRefusedReset(stage: FuzzStage, { isAgain, isAhead }: RefusedReset): Promise<void> {
  const { url } = stage.product;
  const count = await beginCount(stage);
  const { admin, sessionId, storeId, locationId } = count;
  const [of] = count.areas;
  const [article] = stage.pile;
  assert.ok(of !== undefined && article !== undefined);
  const invite = (name: string) =>
    inviteCounter(stage, count, { name, email: `${name}-${crypto.randomUUID()}@fuzz.example`.toLowerCase() });
  const [ada, ben] = [await invite("Ada"), await invite("Ben")];
  const [adasLogin, bens] = [await joinAs(url, ada), await joinAs(url, ben)];
  assert.ok(adasLogin !== null && bens !== null);
  const adas = { client: new ApiClient(url), headers: { cookie: adasLogin.cookie } };
  const place = { params: { sessionId, areaCode: of.code }, query: { locationId } };
  const { pass } = await admin.call(areaScans, place);

  const network = new BrokenOffNetwork(url, bens.cookie);
  const phone = new SimulatedPhone(network, createSeededRandomness(), bens.userId);
  await phone.open();
  const area: CountedArea = { sessionId, storeId, locationId, areaId: of._id, areaCode: of.code, pass };
  await phone.device.operate({ kind: "reset", area, madeById: bens.userId });
  let anew = { ...area, pass: pass + 1 };
  const { barcode: input, sku, title: productTitle, size } = article;
  const scan = () =>
    phone.device.scan({
      ...{ area: anew, input, inputType: "barcode", method: "scan", scannedById: bens.userId },
      ...{ localOutcome: "counted", sku, productTitle, size },
    });
  const first = await scan();
  await phone.device.operate({ kind: "undo", area: anew, targetId: first.id, targetSeq: first.seq });
  await scan();
  if (isAgain) {
    await phone.device.operate({ kind: "reset", area: anew, madeById: bens.userId });
    anew = { ...anew, pass: anew.pass + 1 };
  }
  await scan();

  const people = [{ personId: ada.invitationId, areaIds: [of._id] }];
  await admin.call(assignAreas, { params: { id: sessionId }, body: { enforced: true, people } });
  const { areaCode } = place.params;
  const beginNext = () =>
    adas.client.call(resetArea, { body: { sessionId, areaCode, locationId }, headers: adas.headers });
  if (isAhead) await beginNext();
  network.isOnline = true;
  phone.retryNow();
  await phone.settled();
  assert.equal(await phone.unsettled(), isAgain ? 4 : 3, "the network failed after the first scan");
  await beginNext();

  network.breaksOff = false;
  network.isOnline = true;
  phone.retryNow();
  await phone.settled();
  assert.equal(await phone.unsettled(), 0, "everything has arrived");
  const { total } = await adas.client.call(areaScans, { ...place, headers: adas.headers });
  assert.equal(total, 0, "nothing of Ben's counts in Ada's pass");
  const { scans } = await admin.call(sessionExceptions, { params: { id: sessionId } });
  assert.equal(scans.length, 2, "what Ben scanned waits for the administrator");
  phone.crash();
  await admin.call(endSession, { body: { sessionId } });
}
