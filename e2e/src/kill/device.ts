import { randomUUID } from "node:crypto";
import {
  acceptInvitation,
  areaScans,
  finishArea,
  postScan,
  postScanBatch,
  type ScanPayload,
  undoScan,
} from "@stocktake/contract";
import { ApiClient, UnexpectedRefusal } from "@stocktake/testkit";
import { invite } from "../running-count.ts";
import type { Article } from "../stock.ts";
import type { KillStage } from "./kill-stage.ts";
import { persist } from "./persist.ts";

/** Scans that a phone sends in one call, unless told. */
const usualBatch = 8;
/** After which an area is finished. */
const batchesOfArea = 3;

/** An area that was closed with an answer, and the scans that were counted in it by then, by their numbers. */
interface ClosedArea {
  readonly code: string;
  readonly counted: ReadonlySet<number>;
}

/** What a phone needs of the stage that it counts on. */
export type CountingStage = Pick<KillStage, "product" | "mailbox" | "shop" | "running">;

/** A phone that counts one area after the other, and sends whatever has no answer again, with the same operation id. */
export class Device {
  readonly closed: ClosedArea[] = [];
  /** Scans and undos that were answered. */
  scans = 0;
  undos = 0;
  /** What the server says while it takes nothing; null while it does. */
  refusal: string | null = null;
  readonly #stage: CountingStage;
  readonly #api: ApiClient;
  readonly #deviceId: string;
  readonly #pile: readonly Article[];
  readonly #batchSize: number;
  #seq = 0;

  private constructor(
    stage: CountingStage,
    api: ApiClient,
    name: string,
    { pile, batchSize }: { readonly pile: readonly Article[]; readonly batchSize: number },
  ) {
    this.#stage = stage;
    this.#api = api;
    this.#deviceId = `device-${name}`;
    this.#pile = pile;
    this.#batchSize = batchSize;
  }

  static async join(
    stage: CountingStage,
    name: string,
    pile: readonly Article[],
    batchSize = usualBatch,
  ): Promise<Device> {
    const { link } = await invite(stage, stage.running, { name, email: `${name}@kill.example` });
    const api = new ApiClient(stage.product.url);
    await api.call(acceptInvitation, { params: { token: link.split("/").at(-1) ?? "" } });
    return new Device(stage, api, name, { pile, batchSize });
  }

  /** Counts areas until it is told to stop; ends with the area in hand. */
  async count(codes: readonly string[], stopped: () => boolean): Promise<void> {
    for (const code of codes) {
      if (stopped()) return;
      await this.#countArea(code);
    }
  }

  async #countArea(code: string): Promise<void> {
    const counted = new Set<number>();
    let pass = 1;
    while (counted.size < batchesOfArea * this.#batchSize) {
      const single = this.#payload(code);
      pass = (await this.#persist(() => this.#api.call(postScan, { body: single }))).scan.pass;
      this.scans += 1;
      counted.add(single.seq);
      const batch = Array.from({ length: this.#batchSize }, () => this.#payload(code));
      await this.#persist(() => this.#sendBatch(batch));
      this.scans += this.#batchSize;
      for (const { seq } of batch) counted.add(seq);
      await this.#undo(code, single.seq, pass);
      counted.delete(single.seq);
    }
    const body = { ...this.#place(code), declaredTotal: counted.size, pass, opId: randomUUID() };
    const { matched, serverTotal } = await this.#persist(() => this.#api.call(finishArea, { body }));
    if (!matched)
      throw new Error(`${code}: of ${counted.size} answered scans the server has ${serverTotal}.`);
    this.closed.push({ code, counted });
  }

  /** Each scan of a batch has an answer of its own. @throws UnexpectedRefusal where any was not taken. */
  async #sendBatch(scans: readonly ScanPayload[]): Promise<void> {
    const { results } = await this.#api.call(postScanBatch, { body: { scans: [...scans] } });
    for (const result of results) {
      if (!("scan" in result)) throw new UnexpectedRefusal(postScanBatch, result.httpStatus, result);
    }
  }

  async #undo(code: string, seq: number, pass: number): Promise<void> {
    const body = { ...this.#place(code), seq, pass, opId: randomUUID() };
    const { undone } = await this.#persist(() => this.#api.call(undoScan, { body }));
    if (undone.seq !== seq) throw new Error(`${code}: the undo of ${seq} took back ${undone.seq}.`);
    this.undos += 1;
  }

  /** Keeps what the server says while it takes nothing. */
  async #persist<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    const answer = await persist(send, (error) => {
      if (error instanceof UnexpectedRefusal) this.refusal = `${error.status} ${error.body.code}`;
    });
    this.refusal = null;
    return answer;
  }

  #place(areaCode: string) {
    const { sessionId, locationId } = this.#stage.running;
    return { sessionId, locationId, areaCode, deviceId: this.#deviceId };
  }

  #payload(code: string): ScanPayload & { readonly seq: number } {
    this.#seq += 1;
    return {
      ...this.#place(code),
      storeId: this.#stage.running.storeId,
      input: this.#pile[this.#seq % this.#pile.length]?.barcode ?? "",
      inputType: "barcode",
      seq: this.#seq,
      method: "scan",
      opId: randomUUID(),
    };
  }

  /** What the server has of the closed areas that is not just what was answered, one sentence each. */
  async wrong(): Promise<string[]> {
    const wrong: string[] = [];
    for (const { code, counted } of this.closed) {
      const found = (await this.#scansOf(code)).toSorted((a, b) => a - b);
      const expected = [...counted].toSorted((a, b) => a - b);
      if (JSON.stringify(found) !== JSON.stringify(expected)) {
        wrong.push(`${code}: answered were ${expected.join()}, there are ${found.join()}`);
      }
    }
    return wrong;
  }

  /** The numbers of the scans that the server has in an area. */
  async #scansOf(code: string): Promise<number[]> {
    const { sessionId, locationId } = this.#stage.running;
    const params = { sessionId, areaCode: code };
    const numbers: number[] = [];
    let cursor: string | undefined;
    do {
      const query = { locationId, ...(cursor === undefined ? {} : { cursor }) };
      const { scans, next } = await this.#api.call(areaScans, { params, query });
      numbers.push(...scans.map(({ seq }) => seq));
      cursor = next ?? undefined;
    } while (cursor !== undefined);
    return numbers;
  }
}
