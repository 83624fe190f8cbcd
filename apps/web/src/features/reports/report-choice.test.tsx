import { act, renderHook } from "@testing-library/react";
import { MemoryRouter, useSearchParams } from "react-router";
import { expect, it } from "vitest";
import { useReportChoice } from "./report-choice.ts";
import { useSwaps } from "./swaps/swaps.ts";
import { report } from "./testing/report-server.ts";

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

it("the swaps of a report that has no order of areas are worked out once", () => {
  const loaded = report();
  const { result, rerender } = renderHook(() => useSwaps(loaded));
  const before = result.current.swaps;
  rerender();
  expect(result.current.swaps).toBe(before);
});
