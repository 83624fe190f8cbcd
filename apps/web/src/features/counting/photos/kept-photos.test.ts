import { describe, expect, it } from "vitest";
import { createKeptPhotos, smallAddress } from "./kept-photos.ts";

/** A cache of the browser's, as far as photos use it. */
function cacheInMemory() {
  const kept = new Map<string, Response>();
  const addressOf = (request: RequestInfo | URL) =>
    request instanceof Request ? request.url : request.toString();
  return {
    match: async (request: RequestInfo | URL) => kept.get(addressOf(request))?.clone(),
    async put(request: RequestInfo | URL, response: Response) {
      kept.delete(addressOf(request));
      kept.set(addressOf(request), response);
    },
    keys: async () => [...kept.keys()].map((address) => new Request(address)),
    delete: async (request: RequestInfo | URL) => kept.delete(addressOf(request)),
  };
}

/** As a response gives one: jsdom's own is none that a response takes. */
const photo = (content: string) => new Response(content).blob();

const address = (number: number) => `https://photos.example/${number}.jpg`;

describe("photos kept on the device", () => {
  it("are read back, and the oldest give way beyond the bound", async () => {
    const cache = cacheInMemory();
    const photos = createKeptPhotos(async () => cache, 2);
    expect(await photos.read(address(1))).toBeNull();
    for (const number of [1, 2, 3]) await photos.keep(address(number), await photo(`photo ${number}`));
    expect(await photos.read(address(1))).toBeNull();
    expect(await (await photos.read(address(2)))?.text()).toBe("photo 2");
    expect(await (await photos.read(address(3)))?.text()).toBe("photo 3");
  });

  it("are simply not there where the browser keeps none", async () => {
    const photos = createKeptPhotos(() => Promise.reject(new DOMException("No caches.", "SecurityError")));
    await photos.keep(address(1), await photo("photo"));
    expect(await photos.read(address(1))).toBeNull();
  });

  it("are asked for small where the shop scales them", () => {
    expect(smallAddress("https://cdn.shopify.com/s/files/1/tee.jpg?v=17")).toBe(
      "https://cdn.shopify.com/s/files/1/tee.jpg?v=17&width=288",
    );
    expect(smallAddress(address(1))).toBe(address(1));
  });
});
