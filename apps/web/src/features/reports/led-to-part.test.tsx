import { act, render, screen } from "@testing-library/react";
import { useState } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, it } from "vitest";
import { anchors } from "./lead-to.ts";
import { LedToPart } from "./report-parts.tsx";

const heading = (
  <section>
    <h2 id={anchors.history} tabIndex={-1}>
      Adjustment History
    </h2>
  </section>
);

function Page() {
  const [drawn, setDrawn] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setDrawn(true)}>
        Draw the rest
      </button>
      <main>
        <h1 tabIndex={-1}>Reports</h1>
        <button type="button">Deploy to Shopify</button>
        {drawn ? heading : null}
        {drawn ? <LedToPart /> : null}
      </main>
      <div role="dialog">
        <input aria-label="Units" />
      </div>
    </>
  );
}

/** Opens a page whose address names a part, draws that part once `find` has the focus, and returns what has it then. */
function focusedAfter(find: () => HTMLElement): Element | null {
  const router = createMemoryRouter([{ path: "*", element: <Page /> }], {
    initialEntries: ["/?tab=history"],
  });
  render(<RouterProvider router={router} />);
  find().focus();
  act(() => screen.getByRole("button", { name: "Draw the rest" }).click());
  return document.activeElement;
}

it.each(["Reports", "Draw the rest"])("a part that is drawn late is led to from %s", (name) => {
  expect(focusedAfter(() => screen.getByText(name))).toBe(screen.getByText("Adjustment History"));
});

it.each([
  ["the page", () => screen.getByRole("button", { name: "Deploy to Shopify" })],
  ["a dialog", () => screen.getByLabelText("Units")],
])("whoever has begun to do something in %s until then is not taken away from it", (_, find) => {
  expect(focusedAfter(find)).toBe(find());
});
