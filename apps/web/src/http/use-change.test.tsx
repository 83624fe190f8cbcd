import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { useChange } from "./use-change.ts";

/** A query client of each test's own, kept while what is under test is drawn again and again. */
function withClient() {
  const client = new QueryClient();
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
}

interface Call {
  readonly answer: (text: string) => void;
  readonly refuse: (error: Error) => void;
}

/** A change whose calls are answered by hand. */
function openChange() {
  const calls: Call[] = [];
  const change = (_: string) =>
    new Promise<string>((answer, refuse) => {
      calls.push({ answer, refuse });
    });
  const { result } = renderHook(() => useChange(change, []), { wrapper: withClient() });
  return { calls, result };
}

it("sends a change once when it is asked for twice before the page has drawn that it is under way", async () => {
  const { calls, result } = openChange();
  const done = vi.fn();
  const { send } = result.current;
  act(() => {
    send("first", done);
    send("second", done);
  });
  await waitFor(() => expect(result.current.isPending).toBe(true));
  expect(calls).toHaveLength(1);
  calls[0]?.answer("saved");
  await waitFor(() => expect(done).toHaveBeenCalledExactlyOnceWith("saved"));
});

it("can be sent again once it is answered, and once it is refused", async () => {
  const { calls, result } = openChange();
  const sendAgain = async (count: number) => {
    act(() => result.current.send("again"));
    await waitFor(() => expect(calls).toHaveLength(count));
    await waitFor(() => expect(result.current.isPending).toBe(true));
  };
  await sendAgain(1);
  calls[0]?.answer("saved");
  await waitFor(() => expect(result.current.isSuccess).toBe(true));
  await sendAgain(2);
  calls[1]?.refuse(new Error("Refused."));
  await waitFor(() => expect(result.current.isError).toBe(true));
  await sendAgain(3);
});
