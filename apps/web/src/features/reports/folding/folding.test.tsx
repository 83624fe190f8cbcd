import { listCountedAreas, listMoveEvents } from "@stocktake/contract";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { adjustment, reportItem, session } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { group, serveWaiting } from "../exceptions/testing/waiting-scans.ts";
import { address, reportServer } from "../testing/report-server.ts";

/** A phone that can be turned: whatever asks for a width up to a tablet's is told whether it is held upright. */
class Phone {
  #isUpright = true;
  readonly #asked: { readonly query: string; readonly list: MediaQueryList }[] = [];

  readonly matchMedia = (query: string): MediaQueryList => {
    const list = Object.assign(new EventTarget(), {
      matches: this.#matches(query),
      media: query,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    });
    this.#asked.push({ query, list });
    return list;
  };

  turn(): void {
    this.#isUpright = !this.#isUpright;
    act(() => {
      for (const { query, list } of this.#asked) {
        list.dispatchEvent(Object.assign(new Event("change"), { matches: this.#matches(query) }));
      }
    });
  }

  #matches(query: string): boolean {
    return query.startsWith("(max-width") && this.#isUpright;
  }
}

let phone = new Phone();

beforeEach(() => {
  phone = new Phone();
  vi.stubGlobal("matchMedia", phone.matchMedia);
});

const items = [reportItem({ sku: "LIN-S", variance: 3 })];

it("on a phone the parts of the report are lines with what is in them, and unfold one by one", async () => {
  const server = reportServer({ items }, [adjustment()]);
  serveWaiting(server, [group()]);
  server.answer(listCountedAreas, {
    areas: [{ _id: "1", code: "W", name: "Window", locationName: "Floor", skus: 1, fast: null }],
  });
  openPage(address);
  await screen.findByRole("heading", { name: "Adjustment History 1" });
  await screen.findByRole("heading", { name: "Variance breakdown 1 area" });
  await screen.findByRole("heading", { name: "Scans That Need a Decision 3" });
  const main = within(screen.getByRole("main"));
  const heads = main.getAllByRole("button", { expanded: false });
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    "Select Session1 session",
    "More",
    "Comparison, Auto-SaveAt the end",
    "Variance breakdown1 area",
    "Variance Report1 item",
    "Scans That Need a Decision3",
    "Adjustment History1",
  ]);
  expect(screen.queryByRole("table", { name: "Variance Report" })).toBeNull();
  const rows = screen.getByRole("button", { name: "Variance Report 1 item" });
  await userEvent.click(rows);
  screen.getByRole("table", { name: "Variance Report" });
  await userEvent.click(rows);
  expect(screen.queryByRole("table", { name: "Variance Report" })).toBeNull();
});

it("what leads to a part unfolds it", async () => {
  const server = reportServer({ items });
  serveWaiting(server, [group()]);
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Go to These Scans" }));
  await screen.findByRole("button", { name: "Resolve to Product: 4006381" });
  const split = within(screen.getByRole("list", { name: "What the totals are made of" }));
  await userEvent.click(split.getByRole("button", { name: /^Counted, with a variance/ }));
  screen.getByRole("button", { name: "LIN-S" });
});

it("the notice of areas that nobody closed unfolds the rows that nobody counted", async () => {
  const openAreas = [{ _id: "a", code: "A1", name: "A1", status: "not_started" as const }];
  reportServer({
    session: session({ openAreas }),
    items: [reportItem({ sku: "TEE", areas: [], counted: 0 })],
  });
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Show What Was Not Counted" }));
  await screen.findByRole("button", { name: "TEE" });
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: /^Variance Report/ })),
  );
});

it("a link to rows shows them at once", async () => {
  reportServer({ items });
  openPage(`${address}&show=counted`);
  await screen.findByRole("button", { name: "LIN-S" });
});

it("the next step is in reach, and the other actions beside it", async () => {
  reportServer({ items });
  openPage(address);
  const actions = within(await screen.findByRole("region", { name: "Report Actions" }));
  actions.getByRole("button", { name: "Deploy to Shopify" });
  expect(actions.queryByRole("button", { name: "Print Report" })).toBeNull();
  await userEvent.click(actions.getByRole("button", { name: "More" }));
  for (const name of ["Export CSV", "Export Scans", "Print Report"]) actions.getByRole("button", { name });
});

it("what unfolds the other actions folds them again once one of them is chosen", async () => {
  const print = vi.fn();
  vi.stubGlobal("print", print);
  reportServer({ items });
  openPage(address);
  const actions = within(await screen.findByRole("region", { name: "Report Actions" }));
  await userEvent.click(actions.getByRole("button", { name: "More" }));
  await userEvent.click(actions.getByRole("button", { name: "Print Report" }));
  expect(print).toHaveBeenCalledOnce();
  expect(actions.queryByRole("button", { name: "Print Report" })).toBeNull();
  expect(document.activeElement).toBe(actions.getByRole("button", { name: "More", expanded: false }));
});

it("a press unfolds a part for good where the browser gives the focus to the heading and not to its button", async () => {
  reportServer({ items });
  openPage(address);
  const button = await screen.findByRole("button", { name: "Variance Report 1 item" });
  const press = () => {
    fireEvent.mouseDown(button);
    act(() => screen.getByRole("heading", { name: "Variance Report 1 item" }).focus());
    fireEvent.mouseUp(button);
    fireEvent.click(button);
    act(() => screen.getByRole("heading", { name: "Variance Report 1 item" }).blur());
  };
  press();
  expect(button.getAttribute("aria-expanded")).toBe("true");
  press();
  expect(button.getAttribute("aria-expanded")).toBe("false");
  await userEvent.click(screen.getByRole("button", { name: "Variances (1)" }));
  expect(button.getAttribute("aria-expanded")).toBe("true");
});

it("what was chosen in a part is still chosen when the phone is turned, and when it is folded and unfolded", async () => {
  const server = reportServer({ items });
  serveWaiting(server, [group()]);
  openPage(address);
  const heading = await screen.findByRole("button", { name: "Scans That Need a Decision 3" });
  await userEvent.click(heading);
  const box = screen.getByRole("checkbox", { name: /4006381/ });
  await userEvent.click(box);
  phone.turn();
  expect(screen.getByRole("checkbox", { name: /4006381/ })).toBe(box);
  phone.turn();
  await userEvent.click(screen.getByRole("button", { name: "Scans That Need a Decision 3" }));
  expect(screen.queryByRole("checkbox", { name: /4006381/ })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Scans That Need a Decision 3" }));
  expect(screen.getByRole("checkbox", { name: /4006381/ })).toBe(box);
  expect(box).toHaveProperty("checked", true);
});

it("a phone that is turned upright folds what was seen, and keeps it", async () => {
  const server = reportServer({ items });
  serveWaiting(server, [group()]);
  phone.turn();
  openPage(address);
  const box = await screen.findByRole("checkbox", { name: /4006381/ });
  await userEvent.click(box);
  phone.turn();
  expect(screen.queryByRole("checkbox", { name: /4006381/ })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Scans That Need a Decision 3" }));
  expect(screen.getByRole("checkbox", { name: /4006381/ })).toBe(box);
  expect(box).toHaveProperty("checked", true);
});

it("on paper everything is there at once that is folded on the phone: every row, and what happened to its deploys", async () => {
  const rows = Array.from({ length: 60 }, (_none, index) =>
    reportItem({ sku: `LIN-${index}`, variance: 3, productTitle: `Shirt ${index}` }),
  );
  const server = reportServer({ items: rows }, [adjustment()]);
  const asked = server.answer(listMoveEvents, {
    events: [
      {
        ...{ _id: "1", at: "2026-03-02T08:00:00.000Z", action: "deploy.requested", by: null, settled: null },
        ...{ items: 12, units: -30, moved: 0, movedUnits: 0, unclear: 0, notMoved: 0, note: null },
      },
    ],
  });
  const page = openPage(address);
  await screen.findByRole("button", { name: "Adjustment History 1" });
  await waitFor(() => expect(asked).toHaveLength(1));
  await waitFor(() => expect(page.client.isFetching()).toBe(0));
  act(() => window.dispatchEvent(new Event("beforeprint")));
  expect(screen.queryByText("Loading")).toBeNull();
  screen.getByRole("button", { name: "LIN-59" });
  screen.getByText("Deploy started: 12 SKUs, a net change of -30 units");
  act(() => window.dispatchEvent(new Event("afterprint")));
  screen.getByRole("button", { name: "Adjustment History 1", expanded: false });
});
