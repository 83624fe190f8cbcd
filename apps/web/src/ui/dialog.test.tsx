import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Dialog } from "./dialog.tsx";
import { SideDrawer } from "./drawer.tsx";
import { TypedDialog } from "./form-dialog.tsx";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("Escape closes the dialog on top, and only then the one below", () => {
  const [closeLower, closeUpper] = [vi.fn(), vi.fn()];
  const dialogs = (isUpperOpen: boolean) => (
    <MantineProvider env="test">
      <Dialog title="Invite Counters" onClose={closeLower}>
        Whom?
        {isUpperOpen ? (
          <Dialog title="Revoke invitation?" onClose={closeUpper}>
            Sure?
          </Dialog>
        ) : null}
      </Dialog>
    </MantineProvider>
  );
  const { rerender } = render(dialogs(true));
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(closeUpper).toHaveBeenCalledOnce();
  expect(closeLower).not.toHaveBeenCalled();
  rerender(dialogs(false));
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(closeLower).toHaveBeenCalledOnce();
});

it("gives the focus back to its button, also where another dialog has come into its place meanwhile", () => {
  const page = (open: "edit" | "tolerance" | null) => (
    <MantineProvider env="test">
      <button type="button">Edit</button>
      {open === "edit" ? (
        <Dialog title="Edit Store" onClose={() => undefined}>
          <button type="button">Set the Tolerance</button>
        </Dialog>
      ) : null}
      {open === "tolerance" ? (
        <Dialog title="Tolerance" onClose={() => undefined}>
          <input aria-label="Units" />
        </Dialog>
      ) : null}
    </MantineProvider>
  );
  const { rerender, getByRole } = render(page(null));
  const show = (open: "edit" | "tolerance" | null) => {
    rerender(page(open));
    act(() => void vi.runAllTimers());
  };
  const opener = getByRole("button", { name: "Edit" });
  opener.focus();
  show("edit");
  expect(document.activeElement).not.toBe(opener);
  getByRole("button", { name: "Set the Tolerance" }).focus();
  show("tolerance");
  expect(document.activeElement).toBe(getByRole("textbox", { name: "Units" }));
  show(null);
  expect(document.activeElement).toBe(opener);
});

it("a dialog in which something was typed asks before it is closed by accident", () => {
  const onClose = vi.fn();
  const dialog = (isTyped: boolean) => (
    <MantineProvider env="test">
      <TypedDialog title="Invite a List" isTyped={isTyped} onClose={onClose}>
        Whom?
      </TypedDialog>
    </MantineProvider>
  );
  const { rerender, getByRole, queryByRole } = render(dialog(true));
  fireEvent.keyDown(window, { key: "Escape" });
  const question = () => queryByRole("dialog", { name: "Close and lose what you typed?" });
  expect(question()).not.toBeNull();
  fireEvent.click(getByRole("button", { name: "Cancel" }));
  expect(question()).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  rerender(dialog(false));
  fireEvent.keyDown(window, { key: "Escape" });
  expect(onClose).toHaveBeenCalledOnce();
});

it.each([
  ["dialog", Dialog],
  ["drawer", SideDrawer],
])("a %s has its name from its first frame on, before the library has linked its title", (_, Panel) => {
  const named = vi.fn<(dialogs: number) => void>();
  function Inside() {
    useLayoutEffect(() => named(screen.queryAllByRole("dialog", { name: "Which product is it?" }).length));
    return null;
  }
  render(
    <MantineProvider env="test">
      <Panel title="Which product is it?" onClose={vi.fn()} press={() => null}>
        <Inside />
      </Panel>
    </MantineProvider>,
  );
  expect(named.mock.calls[0]).toEqual([1]);
});
