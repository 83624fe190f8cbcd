import { act, renderHook } from "@testing-library/react";
import { MemoryRouter, useNavigate, useSearchParams } from "react-router";
import { afterEach, expect, it, vi } from "vitest";
import { AddressWriter } from "./address.tsx";
import { useReportChoice } from "./report-choice.ts";
import { useExplainedRow } from "./row/explained-row.tsx";
import { useSwaps } from "./swaps/swaps.ts";
import { report } from "./testing/report-server.ts";

afterEach(() => vi.useRealTimers());

it("a choice stays the same object while something else of the address changes, so that no row is put in order again", () => {
  const { result } = renderHook(() => ({ address: useSearchParams(), ...useReportChoice() }), {
    wrapper: ({ children }) => (
      <MemoryRouter initialEntries={["/?session=1&rows=stake&show=counted&q=shirt"]}>{children}</MemoryRouter>
    ),
  });
  const before = result.current.choice;
  expect(before).toMatchObject({
    filter: "counted",
    rows: { column: "stake" },
    search: "shirt",
    place: null,
  });
  const write = (entries: string) => act(() => result.current.address[1](entries));
  write("session=1&rows=stake&show=counted&q=shirt&row=LIN-S");
  expect(result.current.choice).toBe(before);
  write("session=1&rows=stake&show=counted&q=shirt&place=area:A1");
  expect(result.current.choice).toMatchObject({ place: "area:A1", rows: { column: "stake" } });
});

function useReportAddress() {
  return {
    ...{ address: useSearchParams(), navigate: useNavigate() },
    ...useReportChoice(),
    ...useExplainedRow(),
  };
}

function typing(entry: string) {
  const { result } = renderHook(useReportAddress, {
    wrapper: ({ children }) => (
      <MemoryRouter initialEntries={[entry]}>
        <AddressWriter>{children}</AddressWriter>
      </MemoryRouter>
    ),
  });
  return {
    type: (search: string) => act(() => result.current.choose({ search })),
    follow: (entries: string) => act(() => result.current.address[1](entries)),
    open: (sku: string) => act(() => result.current.explain(sku)),
    goBack: () => act(() => result.current.navigate(-1)),
    wait: () => act(() => vi.advanceTimersByTime(1_000)),
    search: () => result.current.choice.search,
    address: () => result.current.address[0].toString(),
  };
}

it("a search ends where somebody follows a link or goes back to an address without it", () => {
  vi.useFakeTimers();
  const { type, follow, wait, search, address } = typing("/?session=1");
  type("tee");
  wait();
  expect([search(), address()]).toEqual(["tee", "session=1&q=tee"]);
  follow("session=1&show=not_counted");
  expect(search()).toBe("");
  follow("session=1&q=belt");
  expect(search()).toBe("belt");
});

it("a search that is not in the address yet does not come up in the address of a link", () => {
  vi.useFakeTimers();
  const { type, follow, wait, search, address } = typing("/?session=1");
  type("tee");
  follow("session=1&show=not_counted");
  wait();
  expect([search(), address()]).toEqual(["", "session=1&show=not_counted"]);
  type("te");
  wait();
  type("tee");
  wait();
  expect([search(), address()]).toEqual(["tee", "session=1&show=not_counted&q=tee"]);
});

it("a search outlasts a row that was opened right after it was typed, and left by going back", () => {
  vi.useFakeTimers();
  const { type, open, goBack, wait, search, address } = typing("/?session=1");
  type("tee");
  open("TEE-M");
  expect([search(), address()]).toEqual(["tee", "session=1&q=tee&row=TEE-M"]);
  wait();
  goBack();
  expect([search(), address()]).toEqual(["tee", "session=1&q=tee"]);
});

it("the swaps of a report that has no order of areas are worked out once", () => {
  const loaded = report();
  const { result, rerender } = renderHook(() => useSwaps(loaded));
  const before = result.current.swaps;
  rerender();
  expect(result.current.swaps).toBe(before);
});
