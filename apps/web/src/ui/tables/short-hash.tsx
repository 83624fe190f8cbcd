import { Button } from "@mantine/core";
import { useState } from "react";
import classes from "./short-hash.module.css";

const shownCharacters = 12;

/** Copies the hash; where the page has no clipboard (plain http) there is no button. */
function CopyButton({ hash }: { hash: string }) {
  const [copied, setCopied] = useState<"no" | "yes" | "refused">("no");
  if (!("clipboard" in navigator)) return null;
  const copy = () =>
    navigator.clipboard.writeText(hash).then(
      () => setCopied("yes"),
      () => setCopied("refused"),
    );
  return (
    <Button variant="subtle" size="compact-md" onClick={() => void copy()} aria-label={`Copy hash ${hash}`}>
      {{ no: "Copy", yes: "Copied", refused: "Not copied" }[copied]}
    </Button>
  );
}

/** The first characters of a hash with a button that copies all of it; on paper the whole hash. */
export function ShortHash({ hash }: { hash: string }) {
  return (
    <span className={classes.hash}>
      <span className={classes.short} title={hash}>
        {hash.slice(0, shownCharacters)}…
      </span>
      <span className={`${classes.full} ${classes.printed}`}>{hash}</span>
      <CopyButton hash={hash} />
    </span>
  );
}

/** A whole hash, with a button that copies it. */
export function FullHash({ hash }: { hash: string }) {
  return (
    <span className={classes.hash}>
      <span className={classes.full}>{hash}</span>
      <CopyButton hash={hash} />
    </span>
  );
}
