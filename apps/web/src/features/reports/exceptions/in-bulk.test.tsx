import { decideExceptions, exceptionGroups } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { pressOnceEnabled, secondPasses } from "../../../testing/press.ts";
import {
  group,
  lateGroup,
  openWaiting as open,
  sentIds,
  tenCodes,
  tenProducts,
} from "./testing/waiting-scans.ts";

/** Counts the clicks that reach the page. */
function countClicks() {
  let clicks = 0;
  const onClick = () => {
    clicks += 1;
  };
  document.addEventListener("click", onClick, true);
  return { stop: () => document.removeEventListener("click", onClick, true), clicks: () => clicks };
}

it("S42: a read of a tag that counts in another area can be dismissed alone; one that counts nowhere by now can be accepted", async () => {
  const read = { sku: "LIN-M", productTitle: "Linen Shirt", size: "M", scans: 1, units: 1 } as const;
  const counting = { input: "counting", tagCountedIn: { _id: "area-2", code: "B7", name: "Wall" } };
  open([
    group({ ...read, ...counting, reasons: ["TAG_ELSEWHERE"], scanIds: ["31"], lastScanId: "31" }),
    group({
      ...read,
      input: "free",
      reasons: ["TAG_ELSEWHERE"],
      acceptable: true,
      tagCountedIn: null,
      scanIds: ["32"],
      lastScanId: "32",
    }),
  ]);
  await screen.findByText(/counts in area B7/);
  expect(screen.getByRole("button", { name: "Dismiss: counting" })).toBeDefined();
  expect(screen.queryByRole("button", { name: /^(Accept|Resolve to Product): counting/ })).toBeNull();
  expect(screen.getByRole("button", { name: "Accept: free" })).toBeDefined();
});

describe("many scans", () => {
  it("30 unknown ones of ten codes take 10 searches and fewer than 40 clicks", async () => {
    const { decisions } = open(tenCodes, tenProducts);
    const first = await screen.findByRole("button", { name: "Resolve to Product: code-0" });
    const counted = countClicks();
    await userEvent.click(first);
    let searches = 0;
    for (const [index, { input }] of tenCodes.entries()) {
      const dialog = within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
      await dialog.findByText(input);
      const field = await dialog.findByRole("textbox", { name: "Product" });
      await waitFor(() => expect(document.activeElement).toBe(field));
      await userEvent.keyboard(`SKU-${index}{Enter}`);
      searches += 1;
      await waitFor(() => expect(decisions).toHaveLength(index + 1));
    }
    await screen.findByText("No scans need a decision");
    counted.stop();
    expect(decisions.map(({ body }) => Object(body).sku)).toEqual(tenProducts.map(({ sku }) => sku));
    expect(decisions.flatMap(({ body }) => sentIds(body))).toHaveLength(30);
    expect([counted.clicks() <= 40, searches]).toEqual([true, 10]);
  });

  it("of known products whose area was deleted are counted in one area that is chosen once", async () => {
    const lost = Array.from({ length: 30 }, (_none, index) => {
      const scanIds = [String(100 + index)];
      const known = { sku: `SKU-${index}`, input: `lost-${index}`, scanIds, lastScanId: scanIds[0] ?? "" };
      return lateGroup({ ...known, reasons: ["AREA_DELETED"], acceptable: false });
    });
    const { decisions } = open([...lost, group()]);
    await userEvent.click(await screen.findByRole("checkbox", { name: "Select all" }));
    screen.getByRole("button", { name: "Resolve 3 to Product" });
    await userEvent.click(screen.getByRole("button", { name: "Choose an Area for 30" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Choose an area for 30 scans" }));
    dialog.getByText(/lost-5 and 24 more/);
    dialog.getByText(/^Accept into the area where the item lies now/);
    expect(dialog.queryByRole("textbox", { name: "Product" })).toBeNull();
    await dialog.findByRole("option", { name: /A1/ });
    await userEvent.selectOptions(dialog.getByRole("combobox", { name: "Area" }), "area-1");
    await userEvent.click(dialog.getByRole("button", { name: "Accept" }));
    await screen.findByText("30 scans were accepted and are now in the count.");
    const ids = lost.flatMap(({ scanIds }) => scanIds);
    expect(decisions.map(({ body }) => body)).toEqual([{ action: "accept", areaId: "area-1", scanIds: ids }]);
  });

  it("whose area was deleted wait until one is chosen, and where others are among them it says what becomes of those", async () => {
    const lost = { ...{ scans: 2, units: 2, scanIds: ["41", "42"], lastScanId: "42" }, acceptable: false };
    open([
      lateGroup({ ...lost, input: "lost", reasons: ["AREA_DELETED"] }),
      lateGroup({ ...lost, input: "mixed", reasons: ["AREA_CLOSED", "AREA_DELETED"] }),
    ]);
    const moved = "The others count in the area you choose too, not where they were scanned.";
    await userEvent.click(await screen.findByRole("button", { name: "Resolve to Product: lost" }));
    const first = within(await screen.findByRole("dialog", { name: "Choose an area for 2 scans" }));
    const area = await first.findByRole("combobox", { name: "Area" });
    await first.findByRole("option", { name: /A1/ });
    expect(first.queryByRole("option", { name: "Where each was scanned" })).toBeNull();
    expect(first.getByRole("button", { name: "Accept" })).toHaveProperty("disabled", true);
    expect(first.queryByText(moved, { exact: false })).toBeNull();
    await userEvent.selectOptions(area, "area-1");
    expect(first.getByRole("button", { name: "Accept" })).toHaveProperty("disabled", false);
    await userEvent.click(first.getByRole("button", { name: "Skip" }));
    const second = within(await screen.findByRole("dialog", { name: "Choose an area for 2 scans" }));
    await second.findByText(moved, { exact: false });
    expect(second.getByRole("button", { name: "Accept" })).toHaveProperty("disabled", true);
  });

  it("that came late from one device are accepted all together, however many pages they are on", async () => {
    const { server, decisions } = open([group()]);
    const numbered = (from: number) =>
      Array.from({ length: 3 }, (_none, index) => {
        const id = String(from + index);
        const isLost = from + index === 9;
        const late = { input: `tag-${id}`, scanIds: [id], lastScanId: id, acceptable: !isLost };
        return lateGroup({ ...late, reasons: [isLost ? "AREA_DELETED" : "SESSION_CLOSED"] });
      });
    const pages = new Map([
      ["", { groups: numbered(1), next: "two" }],
      ["two", { groups: numbered(4), next: "three" }],
      ["three", { groups: numbered(7), next: null }],
    ]);
    const devices = [{ deviceId: "phone-1234", username: "Mia", late: 9 }];
    server.answer(exceptionGroups, ({ query }) => ({
      ...(pages.get(query.lateOf === undefined ? "" : (query.cursor ?? "")) ?? { groups: [], next: null }),
      ...{ devices, waiting: 9, total: 9 },
    }));
    await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Show" }), "phone-1234");
    await userEvent.click(await screen.findByRole("button", { name: "Accept All 8" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Accept 8 scans?" }));
    await userEvent.click(dialog.getByRole("button", { name: "Accept" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sentIds(decisions[0]?.body)).toHaveLength(8);
    await userEvent.click(screen.getByRole("button", { name: "Choose an Area for All 1" }));
    await screen.findByRole("dialog", { name: "Choose an area for 1 scan" });
  });

  it("that are selected are accepted, given a product or dismissed together", async () => {
    const { decisions } = open([group(), lateGroup(), lateGroup({ input: "888", scanIds: ["31"] })]);
    await userEvent.click(await screen.findByRole("checkbox", { name: "Select all" }));
    screen.getByText("3 codes selected, 5 scans");
    screen.getByRole("button", { name: "Resolve 3 to Product" });
    screen.getByRole("button", { name: "Dismiss 5" });
    await userEvent.click(screen.getByRole("button", { name: "Accept 2" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Accept 2 scans?" }));
    dialog.getByText("Are you sure you want to accept 2 scans of 2 codes?");
    await userEvent.click(dialog.getByRole("button", { name: "Accept" }));
    await screen.findByText("2 scans were accepted and are now in the count.");
    expect(decisions[0]?.body).toEqual({ action: "accept", scanIds: ["21", "31"] });
    screen.getByText("1 code selected, 3 scans");
  });

  it("more than one call takes are sent in several, and those that the list had not named yet are asked for", async () => {
    const ids = Array.from({ length: 700 }, (_none, index) => String(index + 1));
    const late = lateGroup({ scans: 700, scanIds: ids, lastScanId: "700" });
    const { server, decisions } = open([late]);
    let left = ids;
    server.answer(exceptionGroups, () => {
      left = ids.slice(decisions.flatMap(({ body }) => sentIds(body)).length);
      const groups = left.length === 0 ? [] : [{ ...late, scans: left.length, scanIds: left.slice(0, 500) }];
      return { groups, devices: [], waiting: left.length, next: null, total: groups.length };
    });
    await userEvent.click(await screen.findByRole("button", { name: "Accept: 777" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Accept 700 scans?" }));
    await userEvent.click(dialog.getByRole("button", { name: "Accept" }));
    await screen.findByText("700 scans were accepted and are now in the count.");
    expect(decisions.map(({ body }) => sentIds(body).length)).toEqual([500, 200]);
  });

  it.each([
    ["Accept", 1, 700],
    ["Cancel", 1, 500],
    ["Cancel", 2, 500],
  ])(
    "that were decided on before a call failed are told and taken back after %s, failures: %i",
    async (next, failures, undone) => {
      const ids = Array.from({ length: 700 }, (_none, index) => String(index + 1));
      const { server, takenBack } = open([lateGroup({ scans: 700, scanIds: ids, lastScanId: "700" })]);
      const settled = new Set<string>();
      const state = { status: "counted", reason: null, sku: "LIN-M", areaId: "area-1", pass: 1 };
      let calls = 0;
      server.answerWith(decideExceptions, ({ body }) => {
        calls += 1;
        if (calls % 2 === 0 && calls <= failures * 2)
          return Response.json({ error: "It broke.", code: "INTERNAL" }, { status: 500 });
        const outcomeOf = (id: string) => (settled.has(id) ? "settled_meanwhile" : "done");
        const scans = sentIds(body).map((_id) => ({ _id, ...state, outcome: outcomeOf(_id) }));
        for (const { _id } of scans) settled.add(_id);
        return Response.json({ scans });
      });
      await userEvent.click(await screen.findByRole("button", { name: "Accept: 777" }));
      const dialog = within(await screen.findByRole("dialog", { name: "Accept 700 scans?" }));
      for (let failure = 1; failure <= failures; failure += 1) {
        await pressOnceEnabled(dialog.getByRole("button", { name: "Accept" }));
        await waitFor(() => expect(calls).toBe(failure * 2));
        await dialog.findByRole("alert");
        secondPasses();
      }
      await pressOnceEnabled(dialog.getByRole("button", { name: next }));
      await screen.findByText(`${undone} scans were accepted and are now in the count.`);
      await userEvent.click(screen.getByRole("button", { name: "Undo" }));
      await screen.findByText(`${undone} scans wait for a decision again.`);
      expect(new Set(takenBack.flatMap(({ body }) => sentIds(body)))).toEqual(new Set(ids.slice(0, undone)));
    },
  );

  it("that came late from one device are listed by themselves and accepted with one press and an answer", async () => {
    const { server, decisions } = open([group()]);
    const lists = server.answer(exceptionGroups, ({ query }) => ({
      groups: query.lateOf === "phone-1234" ? [lateGroup()] : [group(), lateGroup()],
      devices: [{ deviceId: "phone-1234", username: "Mia", late: 1 }],
      ...{ waiting: 4, next: null, total: 2 },
    }));
    const filter = await screen.findByRole("combobox", { name: "Show" });
    await userEvent.selectOptions(filter, "Mia · device …e-1234 · 1 late");
    await userEvent.click(await screen.findByRole("button", { name: "Accept All 1" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Accept scan?" }));
    await userEvent.click(dialog.getByRole("button", { name: "Accept" }));
    await waitFor(() => expect(decisions[0]?.body).toEqual({ action: "accept", scanIds: ["21"] }));
    expect(lists.some(({ query }) => query.lateOf === "phone-1234")).toBe(true);
  });

  it("of more devices than are listed say how many there are", async () => {
    const { server } = open([lateGroup()]);
    const devices = [{ deviceId: "phone-1234", username: "Mia", late: 2 }];
    const rest = { waiting: 1_203, next: null, total: 1 };
    server.answer(exceptionGroups, { groups: [lateGroup()], devices, deviceCount: 1_001, ...rest });
    const filter = await screen.findByRole("combobox", { name: "Show" });
    expect(document.getElementById(filter.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      "The 1 devices with the most late scans, of 1,001",
    );
  });

  it("are reached and decided on by the keyboard alone", async () => {
    open([group(), lateGroup()]);
    const first = await screen.findByRole("checkbox", { name: "Select 4006381" });
    first.focus();
    await userEvent.keyboard(" {ArrowDown}");
    expect(document.activeElement).toBe(screen.getByRole("checkbox", { name: "Select 777" }));
    screen.getByText("1 code selected, 3 scans");
    await userEvent.keyboard("{Home}{Enter}");
    const dialog = within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
    await userEvent.type(await dialog.findByRole("textbox", { name: "Product" }), "a{ArrowDown}");
    dialog.getByText("Chosen: Hat · HAT-1");
  });
});

it("where nothing waits, the session's page says so", async () => {
  open([]);
  await screen.findByText("No scans need a decision");
});
