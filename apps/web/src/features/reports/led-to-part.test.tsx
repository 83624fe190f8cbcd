import { act, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, it } from "vitest";
import { anchors, leadTo } from "./lead-to.ts";
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

/** A page without the part, until it is drawn. */
function Unfinished() {
  const [drawn, setDrawn] = useState(false);
  return (
    <main>
      <button type="button">Show history</button>
      <button type="button" onClick={() => setDrawn(true)}>
        Draw it
      </button>
      {drawn ? heading : null}
    </main>
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

it("a part that is asked for before it is drawn is led to then", async () => {
  render(<Unfinished />);
  const ask = screen.getByRole("button", { name: "Show history" });
  ask.focus();
  leadTo("history");
  expect(document.activeElement).toBe(ask);
  act(() => screen.getByRole("button", { name: "Draw it" }).click());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText("Adjustment History")));
});

it("whoever has gone on before it is drawn stays where they are", async () => {
  render(<Unfinished />);
  screen.getByRole("button", { name: "Show history" }).focus();
  leadTo("history");
  const other = screen.getByRole("button", { name: "Draw it" });
  other.focus();
  act(() => other.click());
  await screen.findByText("Adjustment History");
  expect(document.activeElement).toBe(other);
});
