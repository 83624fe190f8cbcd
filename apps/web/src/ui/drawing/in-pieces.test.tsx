import { render, screen, waitFor } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { expect, it } from "vitest";
import { InPieces } from "./in-pieces.tsx";

const drawn = () => screen.queryAllByText(/^Part /).map(({ textContent }) => textContent);
const isComing = () => document.querySelector("[data-coming='true']") !== null;

interface PartProps {
  readonly name: string;
  readonly onDrawn: (seen: readonly (string | null)[]) => void;
}

/** Tells what is on the page when it comes there itself. */
function Part({ name, onDrawn }: PartProps) {
  useLayoutEffect(() => onDrawn([...drawn(), isComing() ? "more to come" : "all"]), [onDrawn]);
  return <p>Part {name}</p>;
}

it("each part comes to the page in a piece of its own, and until the last it is known that more is to come", async () => {
  const seen: (readonly (string | null)[])[] = [];
  const onDrawn = (each: readonly (string | null)[]) => void seen.push(each);
  render(
    <InPieces>
      <Part name="1" onDrawn={onDrawn} />
      {null}
      <Part name="2" onDrawn={onDrawn} />
      <Part name="3" onDrawn={onDrawn} />
    </InPieces>,
  );
  await waitFor(() => expect(isComing()).toBe(false));
  expect(seen).toEqual([
    ["Part 1", "more to come"],
    ["Part 1", "Part 2", "more to come"],
    ["Part 1", "Part 2", "Part 3", "all"],
  ]);
});
