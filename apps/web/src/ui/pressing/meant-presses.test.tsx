import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { SideDrawer } from "../drawer.tsx";
import { FormDialog } from "../form-dialog.tsx";
import { MeantPressesProvider } from "./meant-presses.tsx";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const idle = { isPending: false, error: null };

interface PanelProps {
  readonly onTaken: () => void;
  readonly onClose: () => void;
}

const panels = {
  "a confirmation": ({ onTaken, onClose }: PanelProps) => (
    <ConfirmDialog
      title="Delete store?"
      message="It disappears."
      confirmLabel="Take"
      onConfirm={onTaken}
      onCancel={onClose}
    />
  ),
  "a form": ({ onTaken, onClose }: PanelProps) => (
    <FormDialog
      title="Edit Store"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        onTaken();
      }}
      change={idle}
      errorFallback="Failed."
      submitLabel="Take"
    >
      What is it called?
    </FormDialog>
  ),
  "a drawer": ({ onTaken, onClose }: PanelProps) => (
    <SideDrawer title="Why 3?" onClose={onClose} press={() => null}>
      <button type="button" onClick={onTaken}>
        Take
      </button>
    </SideDrawer>
  ),
} as const;

/** A page whose button opens a panel, after `opensAfter` ms where what it shows has to be read first. */
function openPage(kind: keyof typeof panels, opensAfter = 0) {
  const onTaken = vi.fn();
  const Panel = panels[kind];
  function Page() {
    const [isOpen, setOpen] = useState(false);
    const open = () => void window.setTimeout(() => setOpen(true), opensAfter);
    return (
      <>
        <button type="button" onClick={opensAfter === 0 ? () => setOpen(true) : open}>
          Open
        </button>
        {isOpen ? <Panel onTaken={onTaken} onClose={() => setOpen(false)} /> : null}
      </>
    );
  }
  render(
    <MantineProvider env="test">
      <MeantPressesProvider>
        <Page />
      </MeantPressesProvider>
    </MantineProvider>,
  );
  const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));
  /** As a finger does it: a touch never says that it is the second of two. */
  const tap = (element: Element, x: number, y: number) =>
    fireEvent.click(element, { detail: 1, clientX: x, clientY: y });
  return {
    onTaken,
    pass,
    tap,
    tapOpen: () => tap(screen.getByRole("button", { name: "Open" }), 190, 400),
    take: () => screen.getByRole("button", { name: "Take" }),
  };
}

const kinds = ["a confirmation", "a form", "a drawer"] as const;

describe.each(kinds)("%s that opens beneath a finger", (kind) => {
  it.each([60, 150, 380])(
    "takes nothing of a second tap there %i ms later, and what is meant after it",
    (gap) => {
      const { onTaken, pass, tap, tapOpen, take } = openPage(kind);
      tapOpen();
      pass(gap);
      tap(take(), 205, 420);
      expect(onTaken).not.toHaveBeenCalled();
      expect(take().matches(":disabled, [aria-disabled=true]")).toBe(false);
      pass(500);
      tap(take(), 205, 420);
      expect(onTaken).toHaveBeenCalledOnce();
    },
  );

  it("takes a tap elsewhere at once", () => {
    const { onTaken, tap, tapOpen, take } = openPage(kind);
    tapOpen();
    tap(take(), 190, 460);
    expect(onTaken).toHaveBeenCalledOnce();
  });

  it("takes a person's key at once", () => {
    const { onTaken, tapOpen, take } = openPage(kind);
    tapOpen();
    fireEvent.keyDown(take(), { key: "Enter" });
    fireEvent.click(take(), { detail: 0 });
    expect(onTaken).toHaveBeenCalledOnce();
  });

  it("takes nothing of the second Enter that a scanner sends after its code", () => {
    const { onTaken, pass, take } = openPage(kind);
    const opener = screen.getByRole("button", { name: "Open" });
    for (const key of ["A", "1", "Enter"]) {
      fireEvent.keyDown(opener, { key });
      pass(10);
    }
    fireEvent.click(opener, { detail: 0 });
    pass(10);
    fireEvent.keyDown(take(), { key: "Enter" });
    fireEvent.click(take(), { detail: 0 });
    expect(onTaken).not.toHaveBeenCalled();
  });
});

it("takes a person's Enter, which never comes so soon upon the key that opened it", () => {
  const { onTaken, pass, take } = openPage("a form");
  const opener = screen.getByRole("button", { name: "Open" });
  fireEvent.keyDown(opener, { key: "Enter" });
  fireEvent.click(opener, { detail: 0 });
  pass(60);
  fireEvent.keyDown(take(), { key: "Enter" });
  fireEvent.click(take(), { detail: 0 });
  expect(onTaken).toHaveBeenCalledOnce();
});

it("takes nothing of a key that is held down, however long, and the next press of it", () => {
  const { onTaken, pass, take } = openPage("a confirmation");
  const opener = screen.getByRole("button", { name: "Open" });
  fireEvent.keyDown(opener, { key: "Enter" });
  fireEvent.click(opener, { detail: 0 });
  for (const gap of [600, 30, 30]) {
    pass(gap);
    fireEvent.keyDown(take(), { key: "Enter", repeat: true });
    fireEvent.click(take(), { detail: 0 });
  }
  expect(onTaken).not.toHaveBeenCalled();
  pass(100);
  fireEvent.keyDown(take(), { key: "Enter" });
  fireEvent.click(take(), { detail: 0 });
  expect(onTaken).toHaveBeenCalledOnce();
});

it("takes a tap at once where a scan opened it, be it at the place of an earlier tap", () => {
  const { onTaken, pass, tap, take } = openPage("a confirmation");
  tap(document.body, 190, 400);
  const opener = screen.getByRole("button", { name: "Open" });
  fireEvent.keyDown(opener, { key: "Enter" });
  fireEvent.click(opener, { detail: 0 });
  pass(100);
  tap(take(), 190, 400);
  expect(onTaken).toHaveBeenCalledOnce();
});

it("counts from when it opened, where what it shows had to be read first", () => {
  const { onTaken, pass, tap, tapOpen, take } = openPage("a confirmation", 2_000);
  tapOpen();
  pass(2_000);
  pass(300);
  tap(take(), 190, 400);
  expect(onTaken).not.toHaveBeenCalled();
});

it("takes nothing of somebody who taps on and on", () => {
  const { onTaken, pass, tap, tapOpen, take } = openPage("a confirmation");
  tapOpen();
  for (let taps = 0; taps < 6; taps += 1) {
    pass(200);
    tap(take(), 190, 400);
  }
  expect(onTaken).not.toHaveBeenCalled();
});

it("is not closed by a second tap that falls beside it, and is by a later one", () => {
  const { pass, tap, tapOpen } = openPage("a confirmation");
  const tapBeside = () => {
    const overlay = document.querySelector(".mantine-Modal-overlay");
    if (overlay === null) throw new Error("Nothing lies around the dialog.");
    tap(overlay, 190, 400);
  };
  tapOpen();
  pass(150);
  tapBeside();
  screen.getByRole("dialog");
  pass(500);
  tapBeside();
  expect(screen.queryByRole("dialog")).toBeNull();
});
