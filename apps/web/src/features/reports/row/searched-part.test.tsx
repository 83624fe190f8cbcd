import { decideSearch, explainRow, type SearchHistory } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { dateTimeText } from "../../../ui/formats.ts";
import { explanation } from "../testing/explanation-example.ts";
import { address, reportServer } from "../testing/report-server.ts";

const given = { answeredAt: "2026-03-01T10:00:00.000Z", deviceId: "device-abc123", list: 2 };
const mia = { ...given, username: "Mia", answer: "not_there" as const };
const ben = { ...given, username: "Ben", answer: "found" as const };

function open(searched: Partial<SearchHistory>, isDeployed = false) {
  const item = reportItem({ sku: "LIN-S", size: "S", variance: -3, areas: [], counted: 0, endOnHand: 3 });
  const server = reportServer({ items: [{ ...item, search: "contradicted" }], deployed: isDeployed });
  const history: SearchHistory = {
    ...{
      state: "contradicted",
      answers: [ben, mia],
      decision: null,
      lateScanWaits: false,
      movedSince: false,
    },
    ...searched,
  };
  server.answer(explainRow, explanation({ searched: history }));
  openPage(`${address}&show=all&row=LIN-S`);
  return server;
}

const part = async () => within(await screen.findByRole("region", { name: "Looked For" }));

it("a row says who looked for it, and is decided where people say different things", async () => {
  const server = open({});
  const sent = server.answer(decideSearch, { success: true });
  const looked = await part();
  looked.getByText(/^Mia: looked, not there, .*, list 2, device …abc123$/);
  looked.getByText("People say different things. Until you decide it counts as not searched for.");
  await userEvent.click(looked.getByRole("button", { name: "It Is Not There" }));
  await waitFor(() =>
    expect(sent.map(({ body }) => body)).toMatchObject([
      {
        sku: "LIN-S",
        answer: "not_there",
        seen: {
          answers: [ben, mia].map(({ username, answer, answeredAt }) => ({ username, answer, answeredAt })),
        },
      },
    ]),
  );
});

it("says when somebody looked, where the answer arrived later", async () => {
  const lookedAt = "2026-03-01T08:40:00.000Z";
  open({ answers: [{ ...mia, lookedAt }] });
  (await part()).getByText(`Mia: looked, not there, ${dateTimeText(lookedAt)}, list 2, device …abc123`);
});

it("what somebody scanned in a second count that settles nothing of it is to be decided", async () => {
  open({ answers: [mia], scannedAgain: true });
  const looked = await part();
  looked.getByText(/^Somebody scanned it in a second count that settles nothing of it\./);
  looked.getByRole("button", { name: "It Is Not There" });
});

it("what somebody scanned since in a count that was voided is to be decided, and the choice names that it was seen", async () => {
  const server = open({ answers: [mia], voidedSince: true });
  const decided = server.answer(decideSearch, { success: true });
  const looked = await part();
  looked.getByText(/^Somebody scanned it after somebody had looked, in a count that was voided/);
  await userEvent.click(looked.getByRole("button", { name: "It Is Not There" }));
  await waitFor(() => expect(decided[0]?.body).toMatchObject({ seen: { voidedSince: true } }));
});

it("where the clock was set it says that nobody knows what was first, and when a decision holds", async () => {
  open({ answers: [mia], movedSince: true, clockWasSet: true });
  const looked = await part();
  looked.getByText(
    /the server's clock was set during the session: .* Until you decide once the session has ended/,
  );
  looked.getByRole("button", { name: "It Is Not There" });
});

it("what was decided otherwise than everybody says can be decided once more", async () => {
  const decision = { answer: "found" as const, decidedBy: "admin", decidedAt: "2026-03-01T11:00:00.000Z" };
  open({ state: "found", answers: [mia], decision });
  (await part()).getByRole("button", { name: "It Is Not There" });
});

it("what was counted all the same says that the count holds, and asks nothing", async () => {
  open({ state: "overruled", answers: [mia] });
  const looked = await part();
  looked.getByText(/counted all the same: the count holds\.$/);
  expect(looked.queryAllByRole("button")).toEqual([]);
});

it("nothing is decided once the report is deployed", async () => {
  open({}, true);
  expect((await part()).queryAllByRole("button")).toEqual([]);
});

it("the table says how far a row was searched for", async () => {
  open({});
  await part();
  screen.getByText(/^Contradicted: it was looked for/);
});
