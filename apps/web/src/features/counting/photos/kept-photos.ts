/** What is used of a cache of the browser's. */
type PhotoCache = Pick<Cache, "match" | "put" | "keys" | "delete">;

/** Small photos of products that this device has shown, for where there is no network. */
export interface KeptPhotos {
  /** Null where the device does not have it, or keeps none at all. */
  read(address: string): Promise<Blob | null>;
  keep(address: string, photo: Blob): Promise<void>;
}

/** About 5 kB each. */
const bound = 500;

const cacheName = "product-photos";

// Only https has caches, and a full disk refuses them: a photo that is not there is no fault.
export function createKeptPhotos(
  open: () => Promise<PhotoCache> = () => caches.open(cacheName),
  most = bound,
): KeptPhotos {
  return {
    async read(address) {
      try {
        return (await (await open()).match(address))?.blob() ?? null;
      } catch {
        return null;
      }
    },
    async keep(address, photo) {
      try {
        const cache = await open();
        await cache.put(address, new Response(photo));
        // In the order in which they were put there.
        const kept = await cache.keys();
        for (const oldest of kept.slice(0, Math.max(0, kept.length - most))) await cache.delete(oldest);
      } catch {
        // The next page shows it from the network.
      }
    },
  };
}

/** The largest that is shown, on a screen of two pixels to the point. */
const size = { width: 144, height: 216 };

/** Draws a loaded photo small; null where the browser can't. */
export function drawnSmall(image: HTMLImageElement): Promise<Blob | null> {
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.min(1, Math.max(size.width / naturalWidth, size.height / naturalHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(naturalHeight * scale));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/webp", 0.8));
}

/** Shopify scales its photos: the originals are of several megabytes. */
export function smallAddress(address: string): string {
  if (!address.startsWith("https://cdn.shopify.com/")) return address;
  const url = new URL(address);
  url.searchParams.set("width", String(size.width * 2));
  return url.href;
}
