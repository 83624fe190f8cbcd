import { MantineProvider } from "@mantine/core";
import type { Area, SearchTask } from "@stocktake/contract";
import { activeSession } from "@stocktake/contract/examples";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { openCounter } from "../testing/counter-harness.tsx";
import { mia } from "../testing/scripted-device.ts";
import {
  openList,
  press,
  SearchedShop,
  searchesPath,
  searchItem,
  searchTask,
} from "../testing/searched-shop.ts";
import { SearchTasks } from "./search-tasks.tsx";

describe("a search list on a counter's phone", () => {
  it("is asked for on the dashboard, with where to look and how many products", async () => {
    const harness = await openCounter({ path: "/counter", shop: new SearchedShop() });
    await screen.findByText("Please find these 2 products");
    screen.getByText(/This list is for you\. Look in area A2 - Window, Sales Floor\. 0 of 2 done\./);
    await userEvent.click(screen.getByRole("link", { name: "Open the List" }));
    await waitFor(() => expect(harness.path()).toBe("/counter/search/session-1/3"));
  });

  it("is not asked for where another store is chosen, whose session is not there", async () => {
    const { device, client } = await openCounter({ path: "/counter", shop: new SearchedShop() });
    await screen.findByText("Please find these 2 products");
    cleanup();
    const sessions = [activeSession()];
    const tasks = (storeId: string | null) => (
      <MantineProvider>
        <QueryClientProvider client={client}>
          <MemoryRouter>
            <SearchTasks device={device} userId={mia._id} sessions={sessions} storeId={storeId} />
          </MemoryRouter>
        </QueryClientProvider>
      </MantineProvider>
    );
    const { rerender } = render(tasks(null));
    await screen.findByText("Please find these 2 products");
    rerender(tasks("store-2"));
    expect(screen.queryByText("Please find these 2 products")).toBeNull();
  });

  it("is one of the counter's own, or of three others that are not finished, until all are asked for", async () => {
    const shop = new SearchedShop();
    const others = [4, 5, 6, 7, 8, 9].map((number) => ({ ...searchTask, number, mine: false, area: null }));
    const [finished, ...open] = others.map((each) => ({ ...each, done: each.number === 4 ? 2 : 0 }));
    const own = { ...searchTask, number: 2, done: 2 };
    shop.further.set(`GET ${searchesPath}`, () => ({
      status: 200,
      body: { tasks: [own, searchTask, finished, ...open] },
    }));
    await openCounter({ path: "/counter", shop });
    await screen.findByText("3 more search lists.");
    const shown = () =>
      screen
        .getAllByRole("link", { name: "Open the List" })
        .map((link) => Number(link.getAttribute("href")?.split("/").at(-1)));
    expect(shown()).toEqual([2, 3, 5, 6, 7]);
    await press("Show All Lists");
    expect(shown()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    screen.getByText("All 8 search lists.");
    await press("Show Fewer Lists");
    expect(shown()).toEqual([2, 3, 5, 6, 7]);
  });

  describe("says where to scan what is found", () => {
    const openIn = async (changes: {
      area?: SearchTask["area"];
      openAreas?: readonly string[];
      areas?: Partial<Area>[];
    }) => {
      const { area = searchTask.area, openAreas, areas = [] } = changes;
      const shop = new SearchedShop();
      shop.task = { ...searchTask, area, ...(openAreas === undefined ? {} : { openAreas: [...openAreas] }) };
      shop.areas = shop.areas.map((each, index) => ({ ...each, ...areas[index] }));
      await openList(shop);
      await press("Found Linen Shirt M");
    };
    const free = { status: "not_started", activity: null } as const;

    it("in its area, while that takes scans", async () => {
      await openIn({ openAreas: ["area-1", "area-2"] });
      await screen.findByText("Now scan it in its area.");
    });

    it("elsewhere, where its area was closed since the phone has read its list of areas", async () => {
      await openIn({ openAreas: ["area-1"], areas: [{}, free] });
      await screen.findByText("Scan it in area A1.");
    });

    it("names the location too where several have an area of that code", async () => {
      const shop = new SearchedShop();
      shop.task = { ...searchTask, openAreas: ["area-1", "area-9"] };
      const [first] = shop.areas;
      if (first === undefined) throw new Error("The shop has no areas.");
      const [place] = shop.locations;
      if (place === undefined) throw new Error("The shop has no locations.");
      shop.locations = [place, { ...place, _id: "location-9", name: "Stockroom" }];
      shop.areas = [...shop.areas, { ...first, ...free, _id: "area-9", locationId: "location-9" }];
      await openList(shop);
      await press("Found Linen Shirt M");
      await screen.findByText(/^Scan it in area A1 \(Sales Floor\) or A1 \(Stockroom\)\.$/);
    });

    it("not in an area that somebody else is counting, whose total would not match any more", async () => {
      await openIn({
        area: { _id: "area-3", code: "A3", name: "Wall", locationName: "Sales Floor" },
        openAreas: ["area-2"],
      });
      await screen.findByText("Tell the administrator to add an area for what is found.");
    });

    it("not at all where its area is assigned to others alone, who will scan it there", async () => {
      const assigned = { names: ["Tom"], mine: false, enforced: true };
      await openIn({ openAreas: ["area-1", "area-2"], areas: [{}, { ...free, assigned }] });
      await screen.findByText(
        "Leave it where it lies: its area is assigned to somebody else, who counts it there.",
      );
    });

    it("in no area of another store, also by a server that does not name the areas", async () => {
      await openIn({ areas: [{ locationId: "location-9" }, { ...free, status: "closed" }] });
      await screen.findByText("Tell the administrator to add an area for what is found.");
    });

    it("where it lies, of what is looked for anywhere: scanned elsewhere it would be counted there once more", async () => {
      await openIn({ area: null, openAreas: ["area-1"] });
      await screen.findByText(
        "Now scan it in the area where it lies. If that one is closed: scan it in area A1.",
      );
    });
  });

  it("takes two answers, which can be changed, and says what comes next", async () => {
    const { shop, harness } = await openList();
    screen.getByText("SKU SHIRT-M");
    await press("Found Linen Shirt M");
    await screen.findByText("Now scan it in its area.");
    await press("Not There Linen Shirt M");
    await screen.findByText("You looked, and it isn't there.");
    const { deviceId } = harness.device;
    const numbers = { answerOrder: expect.any(Number), saidAgoMs: expect.any(Number) };
    expect(shop.said).toEqual([
      { sku: "SHIRT-M", answer: "found", deviceId, ...numbers },
      { sku: "SHIRT-M", answer: "not_there", deviceId, ...numbers },
    ]);
    const [first, second] = shop.said.map(({ answerOrder }) => answerOrder);
    expect(second ?? 0).toBeGreaterThan(first ?? 0);
    expect(screen.getByRole("button", { name: "Not There Linen Shirt M", pressed: true })).toBeDefined();
    screen.getByText(/1 product to go\./);
  });

  it("ticks off what is scanned, wherever, and shows what others said", async () => {
    const { shop, harness } = await openList();
    shop.items = [
      searchItem({ counted: true }),
      searchItem({ sku: "SHIRT-L", others: [{ username: "Tom", answer: "not_there" }] }),
    ];
    await harness.client.invalidateQueries({ queryKey: [queryRoots.searches] });
    const [first] = await screen.findAllByRole("listitem");
    await within(first ?? document.body).findByText("Scanned. Nothing left to do.");
    expect(within(first ?? document.body).queryAllByRole("button")).toEqual([]);
    screen.getByText("Tom: Not There");
    screen.getByText(/All done, thank you\./);
  });

  it("says in the server's words that the session has ended, and that the answer was not kept", async () => {
    const { shop } = await openList();
    shop.refusal = { code: "SESSION_CLOSED", error: "This counting session has ended." };
    await press("Not There Linen Shirt L");
    await screen.findByText("This counting session has ended.");
    screen.getByText("Not kept: Not There.");
  });

  it("can be read without the server, and tells that answers have to wait", async () => {
    const { shop, harness } = await openList();
    shop.isAway = true;
    await harness.client.invalidateQueries({ queryKey: [queryRoots.searches] });
    await press("Found Linen Shirt L");
    await screen.findByText(/Not sent: Found/);
    screen.getByText("SKU SHIRT-L");
  });

  it("that was taken back says so, and which answer did not reach it", async () => {
    const { shop, harness } = await openList();
    shop.refusal = { code: "SEARCH_WITHDRAWN", error: "The administrator has taken this list back." };
    await press("Found Linen Shirt M");
    await screen.findByText("Not kept: Found.");
    shop.further.set(`GET ${searchesPath}/3`, () => ({
      status: 404,
      body: { error: "Gone.", code: "NOT_FOUND" },
    }));
    await harness.client.invalidateQueries({ queryKey: [queryRoots.searches] });
    await screen.findByText("This list is not there any more");
    screen.getByText("Not kept: SHIRT-M Found. Tell the administrator.");
  });

  it("shows no figure but of how far it has come", async () => {
    await openList();
    const list = screen.getByRole("list", { name: "Products to look for" });
    expect(list.textContent).not.toMatch(/\d/);
  });
});
