import {
  type CallInput,
  type CountSheet,
  printSheets,
  readSheet,
  resetArea,
  returnSheet,
  voidSheet,
} from "@stocktake/contract";
import { type CountingScene, codes, firstArea, scan } from "../../scanning/testing/scene.ts";

type Printed = CallInput<typeof printSheets>["body"];
type Keyed = CallInput<typeof returnSheet>["body"];

/** What an administrator does with the sheets of the running test's session. */
export function sheetsOf(scene: CountingScene) {
  const ofSession = () => ({ id: scene.session._id });
  const ofSheet = (number: number) => ({ ...ofSession(), number: String(number) });
  const areaIds = (...named: string[]) =>
    scene.store.areas.filter(({ code }) => named.includes(code)).map(({ id }) => id);

  /** Sheets of the first area, unless told. */
  async function print(body: Partial<Printed> = {}): Promise<CountSheet[]> {
    const asked = { areaIds: areaIds("A1"), order: "walk" as const, ...body };
    const { sheets } = await scene.server.admin.call(printSheets, { params: ofSession(), body: asked });
    return sheets;
  }

  const returned = (number: number, body: Partial<Keyed>) => ({
    params: ofSheet(number),
    body,
  });

  /** The answer to a return, or its refusal. */
  const send = (number: number, body: Partial<Keyed>) =>
    scene.server.admin.send(returnSheet, returned(number, body));

  /** A sheet of the first area with the medium and the large jacket on it, in this order; nothing of them counts any more. */
  async function printKnown(): Promise<number> {
    const earlier = new Date(Date.now() - 3000).toISOString();
    await scan(scene, { input: codes.jacketM.input, seq: 1, scannedAt: earlier });
    await scan(scene, { input: codes.jacketL.input, seq: 2 });
    const [sheet] = await print();
    await scene.server.admin.call(resetArea, { body: firstArea(scene) });
    return sheet?.number ?? 0;
  }

  return {
    ...{ ofSession, areaIds, print, printKnown },
    read: (number: number) => scene.server.admin.call(readSheet, { params: ofSheet(number) }),
    bringBack: (number: number, body: Partial<Keyed>) =>
      scene.server.admin.call(returnSheet, returned(number, body)),
    send,
    /** The refusal of a return. */
    async refusal(number: number, body: Partial<Keyed>) {
      const answer = await send(number, body);
      return [answer.status, Object(answer.body).code];
    },
    declareVoid: (number: number) =>
      scene.server.admin.send(voidSheet, { params: ofSheet(number), body: { reason: "Coffee" } }),
  };
}
