import { Modal, UnstyledButton } from "@mantine/core";
import { useEffect, useState } from "react";
import { useFocusReturn } from "../../../ui/dialog.tsx";
import { ImageIcon } from "../../../ui/icons.tsx";
import { useBackCloses } from "../../../ui/pressing/back-closes.tsx";
import { useMeantPresses } from "../../../ui/pressing/meant-presses.tsx";
import classes from "./thumbnail.module.css";

interface ProductImageProps {
  readonly image: string | null;
  readonly large?: boolean;
  /** Reserves the space without loading the picture yet. */
  readonly waiting?: boolean;
}

/** A product's picture, 2:3; an icon where there is none or it does not load. */
export function ProductImage({ image, large = false, waiting = false }: ProductImageProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const missing = (
    <span className={classes.missing}>
      <ImageIcon />
    </span>
  );
  const picture = (source: string) => (
    <img src={source} alt="" loading="lazy" onError={() => setBroken(source)} />
  );
  return (
    <span className={`${classes.thumbnail} ${large ? classes.large : ""}`}>
      {image === null || image === broken ? missing : waiting ? null : picture(image)}
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
  useMeantPresses();
  useBackCloses(onClose);
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

/**
 * Most rows that a dragged scroll bar brings are gone again by then. Rows are drawn a little before they come into sight,
 * so that at a reader's pace their pictures are there in time.
 */
const passingMs = 100;

function useStayed(): boolean {
  const [stayed, setStayed] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setStayed(true), passingMs);
    return () => window.clearTimeout(timer);
  }, []);
  return stayed;
}

interface ThumbnailProps {
  readonly image: string | null;
  readonly title: string;
  /** Printing does not wait for pictures to load. */
  readonly printing: boolean;
  readonly onOpen: (image: string, title: string) => void;
}

/**
 * The picture as a button that opens it whole. One that only passes by is not asked for: of 20,000 rows a dragged scroll
 * bar would ask for thousands of pictures, and drawing those took longer than the rows themselves.
 */
export function Thumbnail({ image, title, printing, onOpen }: ThumbnailProps) {
  const stayed = useStayed();
  if (image === null) return <ProductImage image={null} />;
  return (
    <UnstyledButton onClick={() => onOpen(image, title)} aria-label={`Open image of ${title}`}>
      <ProductImage image={image} waiting={!stayed && !printing} />
    </UnstyledButton>
  );
}
