import { Button, MantineProvider, Radio, TextInput } from "@mantine/core";
import { act, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { Dialog } from "../dialog.tsx";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const inApp = (content: ReactNode) => <MantineProvider env="test">{content}</MantineProvider>;

function dialogOf(content: ReactNode) {
  return inApp(
    <Dialog title="Edit Store" onClose={() => undefined}>
      {content}
    </Dialog>,
  );
}

/** Opens it, and lets everything pass that is done once it is open. */
function open(dialog: ReactNode) {
  const view = render(dialog);
  act(() => void vi.runAllTimers());
  return view;
}

/** What is changed, with everything that follows from it at once. */
async function change(work: () => void): Promise<void> {
  await act(async () => work());
}

const focused = () => document.activeElement;
const field = (name = "Name") => screen.getByLabelText(name);

describe("when a dialog opens", () => {
  it("the first field has the focus, not the ✕", () => {
    open(
      dialogOf(
        <>
          <Button>Earlier names</Button>
          <TextInput label="Name" />
          <TextInput label="Note" />
        </>,
      ),
    );
    expect(focused()).toBe(field());
  });

  it("no field that nobody can fill in has it", () => {
    open(
      dialogOf(
        <>
          <input type="hidden" />
          <input type="file" style={{ display: "none" }} />
          <TextInput label="Shopify Location" disabled />
          <TextInput label="Address" readOnly value="https://" />
          <textarea aria-label="Name" />
        </>,
      ),
    );
    expect(focused()).toBe(field());
  });

  it("of a choice the one that is chosen has it, as the Tab key would find it", () => {
    open(
      dialogOf(
        <Radio.Group value="all" label="Which">
          <Radio value="some" label="Some" />
          <Radio value="all" label="All" />
        </Radio.Group>,
      ),
    );
    expect(focused()).toBe(field("All"));
  });

  it("what the dialog names for it has it", () => {
    open(
      dialogOf(
        <>
          <TextInput label="Name" />
          <TextInput label="Note" data-autofocus />
        </>,
      ),
    );
    expect(focused()).toBe(field("Note"));
  });

  it("the ✕ has it where there is nothing else", () => {
    open(dialogOf("A store is a shop of your brand."));
    expect(focused()).toBe(screen.getByRole("button", { name: "Close" }));
  });
});

describe("when a question opens", () => {
  function questionOf(content: ReactNode) {
    return inApp(
      <ConfirmDialog
        title="Deploy?"
        message="This changes the stock."
        confirmLabel="Deploy"
        onConfirm={() => undefined}
        onCancel={() => undefined}
      >
        {content}
      </ConfirmDialog>,
    );
  }

  it("Cancel has the focus where there is nothing to fill in", () => {
    open(questionOf(null));
    expect(focused()).toBe(screen.getByRole("button", { name: "Cancel" }));
  });

  it("its first field has it where there is one", () => {
    open(questionOf(<TextInput label="Name" />));
    expect(focused()).toBe(field());
  });

  it("its first field has it that comes once it is loaded", async () => {
    const { rerender } = open(questionOf("Loading…"));
    await change(() => rerender(questionOf(<TextInput label="Name" />)));
    expect(focused()).toBe(field());
  });
});

describe("when the content of a dialog comes later", () => {
  it("its first field takes the focus then", async () => {
    const { rerender } = open(dialogOf("Loading…"));
    await change(() => rerender(dialogOf(<TextInput label="Name" disabled />)));
    expect(focused()).toBe(screen.getByRole("button", { name: "Close" }));
    await change(() => rerender(dialogOf(<TextInput label="Name" />)));
    expect(focused()).toBe(field());
  });

  it("and only once: a field that comes after it takes nothing", async () => {
    const { rerender } = open(dialogOf("Loading…"));
    await change(() => rerender(dialogOf(<TextInput label="Name" />)));
    const both = dialogOf(
      <>
        <TextInput key="code" label="Code" />
        <TextInput label="Name" />
      </>,
    );
    await change(() => rerender(both));
    expect(focused()).not.toBe(field("Code"));
  });

  it.each([
    ["a key", () => fireEvent.keyDown(document.body, { key: "Tab" })],
    ["a press", () => fireEvent.pointerDown(document.body)],
  ])("nobody is taken away from what they do by it: after %s the focus stays", async (_, begin) => {
    const { rerender } = open(dialogOf("Loading…"));
    begin();
    await change(() => rerender(dialogOf(<TextInput label="Name" />)));
    expect(focused()).toBe(screen.getByRole("button", { name: "Close" }));
  });

  it("a dialog that has opened above it keeps the focus", async () => {
    const upper = (
      <Dialog title="Confirm that it is you" onClose={() => undefined}>
        <TextInput label="Password" />
      </Dialog>
    );
    const both = (content: ReactNode) =>
      inApp(
        <>
          <Dialog title="Settings" onClose={() => undefined}>
            {content}
          </Dialog>
          {upper}
        </>,
      );
    const { rerender } = open(both("Loading…"));
    expect(focused()).toBe(field("Password"));
    await change(() => rerender(both(<TextInput label="Name" />)));
    expect(focused()).toBe(field("Password"));
  });
});
