import { request } from "node:http";

/** What a call took to its last byte. */
export interface Download {
  readonly milliseconds: number;
  /** As they came over the wire, packed or not. */
  readonly bytes: number;
}

/** Downloads and throws the bytes away. `packing` is the Accept-Encoding. */
export async function download(url: string, cookie: string, packing: "identity" | "br"): Promise<Download> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const call = request(url, { headers: { cookie, "accept-encoding": packing } }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once("error", reject);
      response.once("end", () => {
        if (response.statusCode === 200) resolve({ milliseconds: performance.now() - begun, bytes });
        else reject(new Error(`${url} returned ${response.statusCode}.`));
      });
    });
    call.once("error", reject);
    call.end();
  });
}

/** The p50 and p95 of a number of downloads, one after the other. */
export async function downloads(times: number, once: () => Promise<Download>) {
  const all: Download[] = [];
  for (let time = 0; time < times; time += 1) all.push(await once());
  const sorted = all.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), bytes: all[0]?.bytes ?? 0 };
}
