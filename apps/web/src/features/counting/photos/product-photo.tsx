import { memo, useEffect, useState } from "react";
import { createKeptPhotos, drawnSmall, smallAddress } from "./kept-photos.ts";
import classes from "./product-photo.module.css";

const photos = createKeptPhotos();

/** `shared` is a photo that its server lets pages read, so that it can be kept; `foreign` one that can only be shown. */
interface Source {
  readonly kind: "kept" | "shared" | "foreign" | "missing";
  readonly address: string;
}

/** The photo from this device, else from the network; null until that is known. */
function useSource(address: string) {
  const [source, setSource] = useState<Source | null>(null);
  useEffect(() => {
    let isOver = false;
    let shown: string | null = null;
    const show = (kept: Blob | null) => {
      if (isOver) return;
      if (kept === null) return setSource({ kind: "shared", address });
      shown = URL.createObjectURL(kept);
      setSource({ kind: "kept", address: shown });
    };
    photos.read(address).then(show, globalThis.reportError);
    return () => {
      isOver = true;
      if (shown !== null) URL.revokeObjectURL(shown);
    };
  }, [address]);
  return [source, setSource] as const;
}

async function keep(address: string, image: HTMLImageElement): Promise<void> {
  const small = await drawnSmall(image);
  if (small !== null) await photos.keep(address, small);
}

function Photo({ image, isLarge }: { image: string; isLarge: boolean }) {
  const address = smallAddress(image);
  const [source, setSource] = useSource(address);
  if (source?.kind === "missing") return null;
  const shared = source?.kind === "shared";
  return (
    <span className={`${classes.photo} ${isLarge ? classes.large : ""}`}>
      {source === null ? null : (
        <img
          key={source.kind}
          src={source.address}
          alt=""
          {...(shared ? { crossOrigin: "anonymous" } : {})}
          onLoad={({ currentTarget }) => {
            if (shared) keep(address, currentTarget).catch(globalThis.reportError);
          }}
          onError={() => setSource({ kind: shared ? "foreign" : "missing", address })}
        />
      )}
    </span>
  );
}

/** A product's photo, 2:3; nothing where there is none, or none on this device and no network. */
export const ProductPhoto = memo(function ProductPhoto(props: { image: string | null; isLarge?: boolean }) {
  const { image, isLarge = false } = props;
  return image === null ? null : <Photo key={image} image={image} isLarge={isLarge} />;
});
