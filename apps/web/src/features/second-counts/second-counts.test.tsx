import {
  askSecondCount,
  type ControlSample,
  type CountDifference,
  cancelSecondCount,
  controlSamples,
  countDifferences,
  drawSample,
  listSessions,
  type SecondCount,
  secondCounts,
  sessionProgress,
  settleDifference,
  voidSample,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { admin, session } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

const window1 = { _id: "area-1", code: "A1", name: "Window", locationName: "Sales Floor" };

const closed = {
  ...window1,
  ...{ locationId: "location-1", status: "closed" as const, pass: 2, scans: 13, usernames: ["Mia"] },
  ...{ lastScanAt: null, recountNeeded: false },
};

function secondCount(changes: Partial<SecondCount> = {}): SecondCount {
  return {
    ...{ area: window1, pass: 3, ofPass: 2, round: 2, status: "in_progress", units: 4, usernames: ["Tom"] },
    ...{ askedAt: "2026-03-01T09:00:00.000Z", askedBy: { username: "admin" }, endedAs: null, endedAt: null },
    ...changes,
  };
}

function difference(changes: Partial<CountDifference> = {}): CountDifference {
  return {
    ...{ area: window1, ofPass: 2, sku: "LIN-S", productTitle: "Linen Shirt", size: "S" },
    ...{ first: 8, second: 7, third: 6, settledAs: null, settledAt: null, settledBy: null, reason: null },
    thirdCountOpen: false,
    ...changes,
  };
}

function controlSample(changes: Partial<ControlSample> = {}): ControlSample {
  const area = { area: window1, pass: 2, units: 13, state: "counted" as const, differs: false };
  return {
    ...{ number: 1, drawnAt: "2026-03-01T10:00:00.000Z", drawnBy: { username: "admin" }, reason: null },
    ...{
      seed: "5eed",
      commitment: { hash: "c0ffee", committedAt: "2026-03-01T08:00:00.000Z", closedAreas: 0 },
    },
    ...{ status: "finished", voidedAt: null, voidedBy: null, voidReason: null, areas: 80, units: 8_300 },
    ...{ drawn: [area], drawnUnits: 13, counted: 1, differing: 0, differingUnits: 0 },
    ...{ atMost: { areas: 76, units: 8_100 }, excluded: [], notClosed: 2, countedTwice: 1 },
    ...changes,
  };
}

interface Given {
  readonly samples?: readonly ControlSample[];
  readonly counts?: readonly SecondCount[];
  readonly differences?: readonly CountDifference[];
  readonly hasEnded?: boolean;
}

/** The page of a running session of which one area is closed. */
function openWithClient({ counts = [], differences = [], samples = [], hasEnded = false }: Given = {}) {
  const server = new FakeServer(admin);
  const running = hasEnded ? session() : session({ status: "active", endedAt: null });
  server.answer(listSessions, { sessions: [running] });
  server.answer(sessionProgress, { areas: [closed], devices: [], exceptions: { unresolved: 0, late: 0 } });
  server.answer(secondCounts, { secondCounts: [...counts] });
  server.answer(controlSamples, { commitment: null, available: 80, samples: [...samples] });
  server.answer(countDifferences, { differences: [...differences], open: differences.length });
  const { client } = openPage(`/admin/sessions/${running._id}/second-counts`);
  return { server, client };
}

const open = (given: Given = {}): FakeServer => openWithClient(given).server;

it("a closed area is counted a second time once that is confirmed", async () => {
  const server = open();
  const sent = server.answer(askSecondCount, { secondCount: secondCount() });
  await userEvent.click(await screen.findByRole("button", { name: "Count a second time: A1" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Count A1 a second time?" }));
  dialog.getByText("The first count stays in the report meanwhile.");
  await userEvent.click(dialog.getByRole("button", { name: "Count a Second Time" }));
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ areaId: "area-1" }]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("an open second count says who counts, and can be cancelled", async () => {
  const server = open({ counts: [secondCount()] });
  const sent = server.answer(cancelSecondCount, { success: true });
  await screen.findByText("Second count: Being counted by Tom");
  await userEvent.click(screen.getByRole("button", { name: "Cancel the open count of A1" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Cancel the open count of A1?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Cancel the Count" }));
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ areaId: "area-1" }]));
});

it.each([
  [{ only: ["LIN-S", "LIN-M"] }, "Second count of 2 SKUs, beyond tolerance: Waiting for somebody"],
  [{}, "Second count, beyond tolerance: Waiting for somebody"],
])(
  "an open second count that the server asked for says so, and of how many SKUs it is (%o)",
  async (of, text) => {
    open({ counts: [secondCount({ ...of, origin: "tolerance", askedBy: null, usernames: [] })] });
    await screen.findByText(text);
  },
);

it("of three counts that differ one is chosen with a reason, all of them in sight", async () => {
  const counts = [2, 3].map((round) => secondCount({ round, pass: round + 1, endedAs: "closed" }));
  const server = open({ counts, differences: [difference()] });
  const sent = server.answer(settleDifference, { success: true });
  await userEvent.click(await screen.findByRole("button", { name: "Choose a count: LIN-S in A1" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Which count is right?" }));
  const options = dialog.getAllByRole<HTMLInputElement>("radio");
  expect(options.map(({ labels }) => labels?.[0]?.textContent)).toEqual([
    "First count: 8",
    "Second count: 7",
    "Third count: 6",
  ]);
  const save = dialog.getByRole("button", { name: "Use This Count" });
  expect(save).toHaveProperty("disabled", true);
  await userEvent.click(dialog.getByRole("radio", { name: "Third count: 6" }));
  await userEvent.type(dialog.getByRole("textbox", { name: /Reason/ }), "Two were behind the rail");
  await userEvent.click(save);
  const body = {
    areaId: "area-1",
    ofPass: 2,
    sku: "LIN-S",
    choice: "third",
    reason: "Two were behind the rail",
  };
  await waitFor(() => expect(sent.map((call) => call.body)).toEqual([body]));
});

it("what is written of a choice stays where nothing can be read again, and that is said", async () => {
  const { server, client } = openWithClient({ counts: [secondCount()], differences: [difference()] });
  await userEvent.click(await screen.findByRole("button", { name: "Choose a count: LIN-S in A1" }));
  const reason = within(await screen.findByRole("dialog")).getByRole("textbox", { name: /Reason/ });
  await userEvent.type(reason, "Two were behind the rail");
  const calls = [sessionProgress, secondCounts, controlSamples, countDifferences];
  const asked = calls.map((call) => server.loseNetwork(call));
  await client.invalidateQueries();
  await screen.findByText("Failed to fetch data");
  expect(reason).toHaveProperty("isConnected", true);
  expect(reason).toHaveProperty("value", "Two were behind the rail");
  const before = asked.map(({ length }) => length);
  await userEvent.click(screen.getByText("Try Again"));
  await expect.poll(() => asked.map(({ length }) => length)).toEqual(before.map((times) => times + 1));
});

it("what counts now is not offered as the first count where another took its place", async () => {
  const chosen = { settledAs: "first", settledBy: { username: "admin" }, reason: "Looked myself" } as const;
  const counts = [2, 3].map((round) => secondCount({ round, pass: round + 1, endedAs: "closed" }));
  const first = { firstReplaced: true };
  const differences = [difference(first), difference({ sku: "LIN-M", size: "M", ...first, ...chosen })];
  open({ counts, differences });
  await userEvent.click(await screen.findByRole("button", { name: "Choose a count: LIN-S in A1" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Which count is right?" }));
  dialog.getByRole("radio", { name: "What counts now: 8" });
  dialog.getByText(
    "Not the first count: a later one took its place, and somebody went on in the area since.",
  );
  expect(dialog.queryByRole("radio", { name: /First count/ })).toBeNull();
  expect(screen.getAllByText("What counts now")).toHaveLength(2);
  screen.getByText(/What counts now is right, chosen by admin/);
});

it("what a third person is still to count waits, what is settled is folded away with its reason", async () => {
  const settled = { settledAs: "third", settledBy: { username: "admin" }, reason: "Looked myself" } as const;
  open({
    counts: [secondCount({ endedAs: "closed" }), secondCount({ round: 3, pass: 4, usernames: [] })],
    differences: [
      difference({ third: null, thirdCountOpen: true }),
      difference({ sku: "LIN-M", size: "M", ...settled }),
    ],
  });
  await screen.findByText("A third person is asked first");
  screen.getByText("Third count: Waiting for somebody");
  await userEvent.click(screen.getByText("1 settled difference"));
  screen.getByText(/The third count is right, chosen by admin/);
  screen.getByText("Looked myself");
});

it("of an ended session it leads back to that session's report", async () => {
  open({ hasEnded: true });
  const back = await screen.findByRole("link", { name: "Go to the Report" });
  expect(back.getAttribute("href")).toBe(`/admin/reports?session=${session()._id}`);
});

it("without a closed area nothing can be asked for yet", async () => {
  const server = new FakeServer(admin);
  const running = session({ status: "active", endedAt: null });
  server.answer(listSessions, { sessions: [running] });
  server.answer(sessionProgress, { areas: [], devices: [], exceptions: { unresolved: 0, late: 0 } });
  server.answer(secondCounts, { secondCounts: [] });
  server.answer(controlSamples, { commitment: null, available: 0, samples: [] });
  server.refuse(countDifferences, "INTERNAL", "It did not work.");
  openPage(`/admin/sessions/${running._id}/second-counts`);
  await screen.findByText("It did not work.");
  server.answer(countDifferences, { differences: [], open: 0 });
  await userEvent.click(screen.getByRole("button", { name: /Retry|Try Again/ }));
  await screen.findByText("No Areas Closed Yet");
  screen.getByText("Nothing to Choose");
});

it("a sample is drawn of as many areas as is chosen, and says beforehand what it can promise", async () => {
  const server = open();
  const sent = server.answer(drawSample, { sample: controlSample() });
  await userEvent.click(await screen.findByRole("button", { name: "Draw a Sample" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Draw a control sample?" }));
  const count = dialog.getByRole("textbox", { name: /Number of Areas/ });
  await userEvent.clear(count);
  await userEvent.type(count, "12");
  dialog.getByText("If none of them differs: with 95% confidence at most 16 of 80 differ.");
  await userEvent.click(dialog.getByRole("button", { name: "Draw a Sample" }));
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ areas: 12 }]));
});

it("a number of areas that can't be drawn is said in its field, also where there are fewer by now", async () => {
  const { server, client } = openWithClient();
  await userEvent.click(await screen.findByRole("button", { name: "Draw a Sample" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Draw a control sample?" }));
  const count = dialog.getByRole("textbox", { name: /Number of Areas/ });
  const draw = dialog.getByRole("button", { name: "Draw a Sample" });
  for (const wrong of ["0", "81", "1.5"]) {
    await userEvent.clear(count);
    await userEvent.type(count, wrong);
    dialog.getByText("Enter a whole number from 1 to 80.");
    expect(draw).toHaveProperty("disabled", true);
  }
  await userEvent.clear(count);
  await userEvent.type(count, "80");
  expect(draw).toHaveProperty("disabled", false);
  server.answer(controlSamples, { commitment: null, available: 79, samples: [] });
  void client.invalidateQueries();
  await dialog.findByText("Enter a whole number from 1 to 79.");
  expect(draw).toHaveProperty("disabled", true);
});

it("a finished sample says what it found, and another one needs a reason", async () => {
  const excluded = [{ sku: "LIN-S", productTitle: "Linen Shirt", size: "S", areaCode: "A1" }];
  const server = open({ samples: [controlSample({ excluded })] });
  const sent = server.answer(drawSample, { sample: controlSample() });
  await screen.findByText("1 of 80 areas drawn, 0 differed: with 95% confidence at most 76 of 80 differ.");
  screen.getByText("Linen Shirt · S (LIN-S) in A1");
  screen.getByText(/It says nothing of 2 areas not closed by then and 1 area counted a second time anyway\./);
  await userEvent.click(screen.getByRole("button", { name: "Draw Another Sample" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Draw a control sample?" }));
  const draw = dialog.getByRole("button", { name: "Draw a Sample" });
  expect(draw).toHaveProperty("disabled", true);
  await userEvent.type(dialog.getByRole("textbox", { name: /Reason/ }), "A shelf fell over");
  await userEvent.click(draw);
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ reason: "A shelf fell over" }));
});

it("an unfinished sample can be declared void, and none of its counts cancelled alone", async () => {
  const counting = { status: "counting", counted: 0, atMost: null } as const;
  const server = open({
    samples: [controlSample(counting)],
    counts: [secondCount({ origin: "sample" })],
  });
  const sent = server.answer(voidSample, { success: true });
  await screen.findByText("Control count: Being counted by Tom");
  expect(screen.queryByRole("button", { name: /Cancel the open count/ })).toBeNull();
  expect(screen.queryByRole("button", { name: /Draw/ })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Declare Void: control sample 1" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Declare control sample 1 void?" }));
  await userEvent.type(dialog.getByRole("textbox", { name: /Reason/ }), "Nobody is left");
  await userEvent.click(dialog.getByRole("button", { name: "Declare Void" }));
  await waitFor(() =>
    expect(sent.map(({ body }) => body)).toEqual([{ number: 1, reason: "Nobody is left" }]),
  );
});

it("a void sample remains with its reason and what it had found", async () => {
  const isVoid = {
    status: "void",
    voidReason: "The session ended.",
    counted: 1,
    differing: 1,
    atMost: null,
  } as const;
  open({ samples: [controlSample(isVoid)] });
  await screen.findByText(/Void: The session ended. Until then 1 area was counted again, 1 differed./);
  screen.getByRole("heading", { name: "Control Sample 1: Void" });
});
