import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ConfirmDialog } from "./confirm-dialog.tsx";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("says beside its button why it was refused, in sight wherever a long dialog is scrolled to", () => {
  render(
    <MantineProvider env="test">
      <ConfirmDialog
        title="Deploy?"
        message="This updates the inventory levels."
        confirmLabel="Deploy"
        change={{ isPending: false, error: new Error("refused") }}
        onConfirm={() => undefined}
        onCancel={() => undefined}
      />
    </MantineProvider>,
  );
  const foot = screen.getByRole("alert").parentElement;
  expect(foot?.contains(screen.getByRole("button", { name: "Deploy" }))).toBe(true);
  expect(foot?.contains(screen.getByText("This updates the inventory levels."))).toBe(false);
});

function openQuestion() {
  const onConfirm = vi.fn();
  const question = (busy: boolean) => (
    <MantineProvider env="test">
      <ConfirmDialog
        title="End session?"
        message="This finalizes the counts."
        confirmLabel="End Session"
        busyLabel="Ending..."
        change={{ isPending: busy, error: null }}
        onConfirm={onConfirm}
        onCancel={() => undefined}
      />
    </MantineProvider>
  );
  const { rerender } = render(question(false));
  const press = (detail = 1) =>
    fireEvent.click(screen.getByRole("button", { name: "End Session" }), { detail });
  return { onConfirm, press, setBusy: (busy: boolean) => rerender(question(busy)) };
}

it("confirms once when its button is pressed twice before it is busy", () => {
  const { onConfirm, press } = openQuestion();
  press();
  press();
  press(0);
  expect(onConfirm).toHaveBeenCalledOnce();
});

it("ignores the second click of a double click, which may be meant for the button that opened it", () => {
  const { onConfirm, press } = openQuestion();
  press(2);
  expect(onConfirm).not.toHaveBeenCalled();
  press();
  expect(onConfirm).toHaveBeenCalledOnce();
});

it("can be confirmed again at once after a refusal, and later where nothing came of it", () => {
  const { onConfirm, press, setBusy } = openQuestion();
  press();
  setBusy(true);
  setBusy(false);
  press();
  expect(onConfirm).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(500);
  press();
  expect(onConfirm).toHaveBeenCalledTimes(3);
});
