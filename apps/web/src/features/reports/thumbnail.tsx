import { Modal, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useFocusReturn } from "../../ui/dialog.tsx";
import { ImageIcon } from "../../ui/icons.tsx";
import classes from "./thumbnail.module.css";

interface ProductImageProps {
  readonly image: string | null;
  readonly large?: boolean;
}

/** A product's picture, 2:3; an icon where there is none or it does not load. */
export function ProductImage({ image, large = false }: ProductImageProps) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span className={`${classes.thumbnail} ${large ? classes.large : ""}`}>
      {image === null || image === broken ? (
        <span className={classes.missing}>
          <ImageIcon />
        </span>
      ) : (
        <img src={image} alt="" loading="lazy" onError={() => setBroken(image)} />
      )}
    </span>
  );
}

interface ImageOverlayProps {
  readonly image: string;
  readonly title: string;
  readonly onClose: () => void;
}

/** The whole picture over the page; a click anywhere, × and Escape close it. */
export function ImageOverlay({ image, title, onClose }: ImageOverlayProps) {
  useFocusReturn();
  return (
    <Modal.Root opened onClose={onClose} fullScreen padding={0}>
      <Modal.Content bg="transparent" shadow="none" aria-label={title}>
        <UnstyledButton
          className={classes.overlay ?? ""}
          onClick={onClose}
          aria-label={`Close image of ${title}`}
        >
          <img src={image} alt={title} />
        </UnstyledButton>
        <UnstyledButton className={classes.close ?? ""} onClick={onClose} aria-label="Close" data-autofocus>
          ×
        </UnstyledButton>
      </Modal.Content>
    </Modal.Root>
  );
}

interface ThumbnailProps {
  readonly image: string | null;
  readonly title: string;
  readonly onOpen: (image: string, title: string) => void;
}

/** The picture as a button that opens it whole. */
export function Thumbnail({ image, title, onOpen }: ThumbnailProps) {
  if (image === null) return <ProductImage image={null} />;
  return (
    <UnstyledButton onClick={() => onOpen(image, title)} aria-label={`Open image of ${title}`}>
      <ProductImage image={image} />
    </UnstyledButton>
  );
}
