import { MantineProvider } from "@mantine/core";
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { createMemoryRouter, Link, Outlet, RouterProvider } from "react-router";
import { expect, it, vi } from "vitest";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { Dialog } from "../dialog.tsx";
import { BackClosesProvider } from "./back-closes.tsx";

/** A page after another one, with a dialog that asks something. */
function ListPage({ change }: { readonly change: { readonly isPending: boolean; readonly error: null } }) {
  const [depth, setDepth] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setDepth(1)}>
        Open
      </button>
      {depth === 0 ? null : (
        <Dialog title="Why 3?" onClose={() => setDepth(0)}>
          <button type="button" onClick={() => setDepth(2)}>
            Correct
          </button>
          <Link to="/elsewhere">Elsewhere</Link>
        </Dialog>
      )}
      {depth < 2 ? null : (
        <ConfirmDialog
          title="Correct it?"
          message="It becomes 4."
          confirmLabel="Correct it"
          change={change}
          onConfirm={() => undefined}
          onCancel={() => setDepth(1)}
        />
      )}
    </>
  );
}

const dialogs = () => screen.queryAllByRole("dialog").map((dialog) => dialog.getAttribute("aria-label"));

function openList(isPending = false) {
  const router = createMemoryRouter(
    [
      {
        element: (
          <BackClosesProvider>
            <Outlet />
          </BackClosesProvider>
        ),
        children: [
          { path: "/before", element: "Before" },
          { path: "/list", element: <ListPage change={{ isPending, error: null }} /> },
          { path: "/elsewhere", element: "Elsewhere" },
        ],
      },
    ],
    { initialEntries: ["/before", "/list"] },
  );
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  return {
    back: () => act(() => router.navigate(-1)),
    path: () => router.state.location.pathname,
    press: (name: string) => userEvent.click(screen.getByText(name)),
  };
}

it("Back closes one dialog after the other, the uppermost first, and then leaves the page", async () => {
  const { back, path, press } = openList();
  await press("Open");
  await press("Correct");
  await waitFor(() => expect(dialogs()).toEqual(["Why 3?", "Correct it?"]));
  await back();
  await waitFor(() => expect(dialogs()).toEqual(["Why 3?"]));
  await back();
  await waitFor(() => expect(dialogs()).toEqual([]));
  expect(path()).toBe("/list");
  await back();
  expect(path()).toBe("/before");
});

it("Back does nothing while what a dialog asked for is being sent, as its Cancel does", async () => {
  const { back, path, press } = openList(true);
  await press("Open");
  await press("Correct");
  await waitFor(() => expect(dialogs()).toHaveLength(2));
  await back();
  await back();
  expect(dialogs()).toEqual(["Why 3?", "Correct it?"]);
  expect(path()).toBe("/list");
});

it("a link in a dialog leads on at once", async () => {
  const { path, press } = openList();
  await press("Open");
  await press("Elsewhere");
  await vi.waitFor(() => expect(path()).toBe("/elsewhere"));
});
