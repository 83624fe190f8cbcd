import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { ErrorBox } from "./error-box.tsx";
import { floatingMs, SuccessMessage } from "./success-message.tsx";

function Page({ error }: { error: Error | null }) {
  const [message, setMessage] = useState<string | null>("Old Mill was added.");
  return (
    <main>
      <SuccessMessage message={message} onClose={() => setMessage(null)} />
      <ErrorBox error={error} fallback="Failed to fetch data" />
      <p>Words</p>
      <button type="button">Next</button>
      <input aria-label="Search" />
      <select aria-label="Kind">
        <option>one</option>
        <option>two</option>
      </select>
    </main>
  );
}

function page(error: Error | null = null) {
  return (
    <MantineProvider env="test">
      <Page error={error} />
    </MantineProvider>
  );
}

function open() {
  const { rerender } = render(page());
  return { message: screen.getByText("Old Mill was added."), fail: () => rerender(page(new Error("gone"))) };
}

function Floating({ action = null }: { readonly action?: ReactNode }) {
  const [message, setMessage] = useState<string | null>("Old Mill was added.");
  return (
    <MantineProvider env="test">
      <SuccessMessage floats message={message} onClose={() => setMessage(null)} action={action} />
    </MantineProvider>
  );
}

describe("a success message that covers a heading", () => {
  const staysAfterAWhile = (action: ReactNode, during: () => void = () => {}) => {
    vi.useFakeTimers();
    try {
      render(<Floating action={action} />);
      during();
      act(() => vi.advanceTimersByTime(floatingMs + 1));
      return screen.queryByText("Old Mill was added.") !== null;
    } finally {
      vi.useRealTimers();
    }
  };

  it("leaves by itself after a while", () => {
    expect(staysAfterAWhile(null)).toBe(false);
  });

  it("stays where something can be done about it, and while its × has the focus", () => {
    expect(staysAfterAWhile(<a href="/report">View Report</a>)).toBe(true);
    document.body.innerHTML = "";
    const onClose = () => screen.getByRole("button", { name: "Dismiss message" }).focus();
    expect(staysAfterAWhile(null, onClose)).toBe(true);
  });
});

describe("a success message", () => {
  it("can be closed", async () => {
    open();
    await userEvent.click(screen.getByRole("button", { name: "Dismiss message" }));
    expect(screen.queryByText("Old Mill was added.")).toBeNull();
  });

  it("leaves when a button is pressed", async () => {
    open();
    await userEvent.click(screen.getByRole("button", { name: "Next" }));
    expect(screen.queryByText("Old Mill was added.")).toBeNull();
  });

  it("leaves when something else is chosen", async () => {
    open();
    await userEvent.selectOptions(screen.getByRole("combobox"), "two");
    expect(screen.queryByText("Old Mill was added.")).toBeNull();
  });

  it("leaves with the first key, not when the field is left: nothing moves under a press", async () => {
    open();
    const field = screen.getByLabelText("Search");
    await userEvent.type(field, "s");
    expect(screen.queryByText("Old Mill was added.")).toBeNull();
  });

  it("stays where a field is left as it was", async () => {
    const { message } = open();
    fireEvent.change(screen.getByLabelText("Search"));
    expect(message.isConnected).toBe(true);
  });

  it("stays while the person only reads on", async () => {
    const { message } = open();
    await userEvent.click(screen.getByText("Words"));
    expect(message.isConnected).toBe(true);
  });

  it("takes the focus where what had it is gone or disabled, or nothing has it", async () => {
    render(page());
    const next = screen.getByRole("button", { name: "Next" });
    const field = screen.getByLabelText("Search");
    // When it appeared nothing had the focus.
    expect(document.activeElement).toBe(screen.getByRole("status"));
    next.focus();
    next.setAttribute("disabled", "");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("status")));
    field.focus();
    field.blur();
    const isObserved = new Promise<void>((resolve) => {
      new MutationObserver(() => resolve()).observe(next, { attributes: true });
    });
    next.removeAttribute("disabled");
    await isObserved;
    // Put aside by the person: what had it is there still.
    expect(document.activeElement).toBe(document.body);
  });

  it("never appears beside a newer error", () => {
    open().fail();
    screen.getByText("Failed to fetch data");
    expect(screen.queryByText("Old Mill was added.")).toBeNull();
  });
});
