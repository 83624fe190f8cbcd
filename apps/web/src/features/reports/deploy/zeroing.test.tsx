import { deployReport, previewDeploy } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { reportSummary } from "../../../testing/examples.ts";
import { openDeploy } from "../testing/open-deploy.ts";
import { deployPreview, reportServer, uncountedStock } from "../testing/report-server.ts";
import { isConfirmed, uncountedText } from "./zeroing.tsx";

const largest = [{ sku: "LIN-L", productTitle: "Linen Shirt", size: "L", units: 90, cost: 3600 }];
const much = uncountedStock({ items: 60, units: 120, cost: 4000, confirmUnits: 120, largest });
const answer = { totalAdjustments: 61, status: "applied" as const, skipped: [] };

type Asked = Awaited<ReturnType<typeof openDeploy>>;

async function typeUnits(dialog: Asked, units: string): Promise<void> {
  const entry = dialog.getByRole("textbox", { name: "Type the number of units to confirm" });
  await userEvent.clear(entry);
  await userEvent.type(entry, units);
}

async function expectConfirmation(dialog: Asked): Promise<void> {
  dialog.getByText(
    "60 SKUs with 120 units on hand, worth $4,000.00, will be set to zero in Shopify because nobody counted them.",
  );
  const row = dialog.getByText("LIN-L").closest("tr")?.textContent;
  expect(row).toMatch(/Linen Shirt, L.*90.*\$3,600\.00/);
  const confirm = dialog.getByRole("button", { name: "Set to Zero and Deploy" });
  expect(confirm).toHaveProperty("disabled", true);
  await typeUnits(dialog, "12");
  dialog.getByText("This is not the number of units above.");
  expect(confirm).toHaveProperty("disabled", true);
  await typeUnits(dialog, "120");
  await userEvent.click(confirm);
}

it("the units are confirmed as they are shown, with separators or without", () => {
  expect(["2503", " 2,503 ", "2.503", "2503.0"].map((typed) => isConfirmed(2503, typed))).toEqual([
    ...[true, true, true, false],
  ]);
});

it.each([
  [{ items: 2, units: 5 }, "2 SKUs with 5 units on hand, worth $9.00"],
  [
    { items: 3, units: 5, belowZero: { items: 1, units: 2 } },
    "2 SKUs with 5 units on hand, worth $9.00, and 1 SKU below zero in Shopify, raised by 2 units",
  ],
  [
    { items: 1, units: 0, belowZero: { items: 1, units: 1 } },
    "1 SKU below zero in Shopify, raised by 1 unit",
  ],
])("of %o it is said which are on hand and which are below zero", (stock, text) => {
  expect(uncountedText({ cost: 9, withoutCost: 0, ...stock }, "USD")).toBe(text);
});

describe("a deploy that zeroes much that nobody counted", () => {
  it("is confirmed by typing the units where every area was closed", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ zeroed: "always", uncounted: much }));
    const sent = server.answer(deployReport, answer);
    await expectConfirmation(await openDeploy());
    await waitFor(() => expect(sent[0]?.body).toEqual({ confirmUnits: 120 }));
  });

  it("is confirmed by typing them in the second dialog where it was chosen", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ uncounted: much }));
    const sent = server.answer(deployReport, answer);
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("checkbox", { name: /Also set uncounted products to zero/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    const second = within(await screen.findByRole("dialog", { name: /Set uncounted products to zero/ }));
    await expectConfirmation(second);
    await waitFor(() => expect(sent[0]?.body).toEqual({ zeroUncounted: true, confirmUnits: 120 }));
  });

  it("comes after what will change and what to heed before it", async () => {
    const moved = { items: 1, units: 2, isCertain: true, firstSkus: ["LIN-S"] };
    const server = reportServer({ summary: reportSummary({ movedAfterCount: moved }) });
    server.answer(previewDeploy, deployPreview({ zeroed: "always", uncounted: much }));
    const dialog = await openDeploy();
    const inOrder = [
      dialog.getByText("2 SKUs will change in Shopify."),
      dialog.getByText("1 SKU moved in Shopify after being counted"),
      dialog.getByRole("textbox"),
    ];
    for (const [index, part] of inOrder.slice(1).entries()) {
      const before = inOrder[index]?.compareDocumentPosition(part) ?? 0;
      expect(before & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
    }
  });

  it("looks again where the figures have changed meanwhile, and asks for the new ones", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ zeroed: "always", uncounted: much }));
    server.refuse(deployReport, "CONFIRM_ZEROING", "This deploy would set 61 SKUs to zero.");
    const dialog = await openDeploy();
    const uncounted = { ...much, items: 61, units: 130, confirmUnits: 130 };
    server.answer(previewDeploy, deployPreview({ zeroed: "always", uncounted }));
    await expectConfirmation(dialog);
    await dialog.findByText(/61 SKUs with 130 units/);
    dialog.getByText(/This deploy would set 61 SKUs to zero/);
    expect(dialog.getByRole("button", { name: "Set to Zero and Deploy" })).toHaveProperty("disabled", true);
  });
});

describe("what was searched for and is not there", () => {
  const people = [
    { username: "Ada", items: 3 },
    { username: "Ben", items: 1 },
  ];
  const searched = { items: 3, units: 24, cost: 297.6, withoutCost: 0, people, onOneWord: null };
  const ofBen = {
    items: 2,
    units: 20,
    cost: 240,
    withoutCost: 0,
    people: [{ username: "Ben", items: 2, units: 20 }],
  };
  const unsure = { ...searched, onOneWord: ofBen };

  it("names who has looked, and of how many SKUs each says so", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ zeroed: "always", searched }));
    (await openDeploy()).getByText(/Who looked: Ada: 3 SKUs, Ben: 1 SKU\.$/);
  });

  it("says how much stays as it is although every area was closed, as it may be there", async () => {
    const skipped = ["SHIRT-M", "SHIRT-L"].map((sku) => ({ sku, reason: "NOT_COUNTED" as const }));
    reportServer().answer(previewDeploy, deployPreview({ zeroed: "always", skipped }));
    (await openDeploy()).getByText(
      /^2 SKUs that nobody counted stay as they are, although every area was closed/,
    );
  });

  const word = { name: /^Ben alone looked for these 2 SKUs, 20 units\. Set them to zero on their word\.$/ };

  it("wants no number where one temporary counter alone says so of much: that it is so is agreed to first", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ searched: unsure }));
    const sent = server.answer(deployReport, answer);
    const dialog = await openDeploy();
    const confirm = dialog.getByRole("button", { name: "Deploy to Shopify" });
    expect([confirm, dialog.queryByRole("checkbox", word)]).toMatchObject([{ disabled: false }, null]);
    await userEvent.click(dialog.getByRole("checkbox", { name: /Set to zero what was looked for/ }));
    expect(confirm).toHaveProperty("disabled", true);
    await userEvent.click(dialog.getByRole("checkbox", word));
    expect(dialog.queryByRole("textbox")).toBeNull();
    await userEvent.click(confirm);
    await waitFor(() => expect(sent[0]?.body).toEqual({ zeroSearched: true }));
  });

  it("is agreed to beside the number of what nobody looked for, and anew where the figures have changed", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ zeroed: "always", uncounted: much, searched: unsure }));
    const sent = server.refuse(deployReport, "CONFIRM_ZEROING", "This deploy would set 61 SKUs to zero.");
    const dialog = await openDeploy();
    await typeUnits(dialog, "120");
    const confirm = dialog.getByRole("button", { name: "Set to Zero and Deploy" });
    expect(confirm).toHaveProperty("disabled", true);
    await userEvent.click(dialog.getByRole("checkbox", word));
    const people = [{ username: "Ben", items: 3, units: 24 }];
    const more = { ...searched, onOneWord: { items: 3, units: 24, cost: 297.6, withoutCost: 0, people } };
    server.answer(previewDeploy, deployPreview({ zeroed: "always", uncounted: much, searched: more }));
    await userEvent.click(confirm);
    const anew = await dialog.findByRole("checkbox", {
      name: /^Ben alone looked for these 3 SKUs, 24 units/,
    });
    expect([anew, confirm]).toMatchObject([{ checked: false }, { disabled: true }]);
    expect(sent[0]?.body).toEqual({ confirmUnits: 120 });
  });

  it("is asked about anew before the second dialog goes on where somebody's word has become another meanwhile", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ uncounted: much, searched: unsure }));
    const sent = server.refuse(deployReport, "CONFIRM_ZEROING", "This deploy would set 61 SKUs to zero.");
    const first = await openDeploy();
    await userEvent.click(first.getByRole("checkbox", { name: /Also set uncounted products to zero/ }));
    await userEvent.click(first.getByRole("checkbox", word));
    await userEvent.click(first.getByRole("button", { name: "Deploy to Shopify" }));
    const people = [{ username: "Ben", items: 3, units: 24 }];
    const more = { ...searched, onOneWord: { items: 3, units: 24, cost: 297.6, withoutCost: 0, people } };
    server.answer(previewDeploy, deployPreview({ uncounted: much, searched: more }));
    const second = within(await screen.findByRole("dialog", { name: /Set uncounted products to zero/ }));
    await expectConfirmation(second);
    const again = within(await screen.findByRole("dialog", { name: "Deploy to Shopify?" }));
    const anew = again.getByRole("checkbox", { name: /^Ben alone looked for these 3 SKUs, 24 units/ });
    const confirm = again.getByRole("button", { name: "Deploy to Shopify" });
    expect([anew, confirm]).toMatchObject([{ checked: false }, { disabled: true }]);
    again.getByText(/This deploy would set 61 SKUs to zero/);
    await userEvent.click(anew);
    expect(confirm).toHaveProperty("disabled", false);
    expect(sent).toHaveLength(1);
  });

  it.each([
    ["its units", uncountedStock(), 20],
    ["its units and those of what nobody looked for", much, 140],
  ])(
    "names nobody where a server of an earlier release does not say whose word it is, which wants %s",
    async (_what, uncounted, confirmUnits) => {
      const server = reportServer();
      const onOneWord = { items: 1, units: 20, cost: 240, withoutCost: 0 };
      const before = { ...searched, onOneWord };
      server.answer(previewDeploy, deployPreview({ zeroed: "always", uncounted, searched: before }));
      const sent = server.answer(deployReport, answer);
      const dialog = await openDeploy();
      await userEvent.click(
        dialog.getByRole("checkbox", {
          name: "One temporary counter alone looked for these 1 SKU, 20 units. Set them to zero on their word.",
        }),
      );
      if (uncounted === much) await typeUnits(dialog, "120");
      await userEvent.click(dialog.getByRole("button", { name: /Deploy/ }));
      await waitFor(() => expect(sent[0]?.body).toEqual({ confirmUnits }));
    },
  );

  it("goes to zero by choice alone, without a number", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ uncounted: much, searched }));
    const sent = server.answer(deployReport, { ...answer, totalAdjustments: 5 });
    const dialog = await openDeploy();
    dialog.getByText(/63 SKUs will stay as they are: 63 never counted/);
    await userEvent.click(dialog.getByRole("checkbox", { name: /Set to zero what was looked for/ }));
    dialog.getByText("5 SKUs will change in Shopify.");
    dialog.getByText(/60 SKUs will stay as they are: 60 never counted/);
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ zeroSearched: true }));
  });

  it("goes with the rest where every area was closed, and is not among the units to be typed", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ zeroed: "always", uncounted: much, searched }));
    const sent = server.answer(deployReport, answer);
    const dialog = await openDeploy();
    dialog.getByText(
      /3 SKUs with 24 units on hand, worth \$297\.60\. They will be set to zero, and want no number/,
    );
    await expectConfirmation(dialog);
    await waitFor(() => expect(sent[0]?.body).toEqual({ confirmUnits: 120 }));
  });

  it("is chosen with everything that nobody counted", async () => {
    const server = reportServer();
    server.answer(previewDeploy, deployPreview({ uncounted: much, searched }));
    const sent = server.answer(deployReport, answer);
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("checkbox", { name: /Also set uncounted products to zero/ }));
    const choice = dialog.getByRole("checkbox", { name: /Set to zero what was looked for/ });
    expect([choice.hasAttribute("disabled"), choice]).toMatchObject([true, { checked: true }]);
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    await expectConfirmation(
      within(await screen.findByRole("dialog", { name: /Set uncounted products to zero/ })),
    );
    await waitFor(() => expect(sent[0]?.body).toEqual({ zeroUncounted: true, confirmUnits: 120 }));
  });
});

describe("what was found where it is not stocked", () => {
  it("is stocked by choice alone, and the figures follow", async () => {
    const server = reportServer();
    const skipped = [{ sku: "HAT-1", reason: "NOT_STOCKED" } as const];
    const found = { items: 1, units: 3, skus: ["HAT-1"] };
    server.answer(previewDeploy, deployPreview({ skipped, found }));
    const sent = server.answer(deployReport, { ...answer, totalAdjustments: 3 });
    const dialog = await openDeploy();
    dialog.getByText("1 SKU, 3 units. Otherwise they are not deployed.");
    dialog.getByText("1 SKU won't be deployed");
    await userEvent.click(dialog.getByRole("checkbox", { name: /Also stock products that were counted/ }));
    dialog.getByText("3 SKUs will change in Shopify.");
    dialog.getByText(/Products stocked this way stay stocked/);
    expect(dialog.queryByText("1 SKU won't be deployed")).toBeNull();
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ stockFound: true }));
  });

  it("adds to the units that go up and takes from those that go down, with its money", async () => {
    const server = reportServer();
    const moving = { above: 12, below: -3, cost: 90, withoutCost: 0 };
    const found = {
      items: 2,
      units: -4,
      skus: ["HAT-1", "HAT-2"],
      moving: { above: 1, below: -5, cost: -40, withoutCost: 1 },
      keptUnseen: { items: 1, units: 6 },
    };
    server.answer(previewDeploy, deployPreview({ moving, found }));
    const dialog = await openDeploy();
    dialog.getByText(
      "2 SKUs, +1 and -5 units. Otherwise they are not deployed. Of 1 SKU Shopify has kept 6 units here unseen, which the variance leaves out: only the rest is moved.",
    );
    dialog.getByText(/^That is \+12 and -3 units/);
    await userEvent.click(dialog.getByRole("checkbox", { name: /Also stock products that were counted/ }));
    dialog.getByText(/^That is \+13 and -8 units, \+\$50\.00 at cost, plus 1 SKU without a cost/);
  });
});
