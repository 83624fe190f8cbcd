import { explainRow, type MoveByOther, type RowDeploy, SkipReason } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { adjustment } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { messages } from "../messages.ts";
import { explanation } from "../testing/explanation-example.ts";
import { address, reportServer } from "../testing/report-server.ts";

interface Shown {
  readonly deploy?: Partial<RowDeploy>;
  readonly item?: Partial<ReturnType<typeof explanation>["item"]>;
  readonly deployed?: boolean;
}

async function openDrawer({ deploy = {}, item = {}, deployed = false }: Shown) {
  const example = explanation();
  reportServer({ deployed }, deployed ? [adjustment()] : []).answer(explainRow, {
    ...example,
    item: { ...example.item, ...item },
    deploy: { ...example.deploy, ...deploy },
  });
  openPage(`${address}&row=LIN-S`);
  const drawer = within(await screen.findByRole("dialog", { name: "Why 3?" }));
  return async (name: string) => within(await drawer.findByRole("region", { name }));
}

const part = async (shown: Shown) => (await openDrawer(shown))("What a deploy does");

function move(changes: Partial<MoveByOther> = {}): MoveByOther {
  const session = {
    ...({ _id: "other", storeName: "Harbour", status: "closed" } as const),
    ...{ startedAt: "2026-02-28T08:00:00.000Z", endedAt: "2026-02-28T18:00:00.000Z" },
  };
  return { session, direction: "deploy", at: "2026-03-01T16:00:00.000Z", delta: -4, ...changes };
}

const three = { low: 3, high: 3 };

const known = {
  ...({ adjustmentId: adjustment()._id, direction: "deploy", delta: 3 } as const),
  ...{ appliedAt: "2026-03-02T08:00:00.000Z" },
} as const;

describe("what other counts have moved", () => {
  it("is told move by move under the sum, and on the timeline, also where no other session counted it", async () => {
    const deploy = { variance: three, movedByOthers: -4, movesByOthers: [move()], wouldMove: 7 };
    const region = await openDrawer({ deploy });
    const opened = await region("What a deploy does");
    opened.getByText("Variance +3, less 0 already moved by this report and -4 moved by other counts.");
    const [only] = within(opened.getByRole("list", { name: "Moved by other counts" })).getAllByRole(
      "listitem",
    );
    expect(only?.textContent).toMatch(/^Harbour, ended .+Deploy -4, /);
    (await region("Counted in other sessions")).getByText(/^No other session/);
    const timeline = (await region("Scans and Shopify's stock")).getAllByRole("listitem");
    const texts = timeline.map(({ textContent }) => textContent ?? "");
    expect(texts.findIndex((text) => text.includes("Deploy of another session (Harbour): -4"))).toBe(
      texts.findIndex((text) => text.includes("when the session ended")) - 1,
    );
  });

  it("says of what came before the moves that are listed how many moves and units that is", async () => {
    const movesByOthers = [move({ direction: "rollback", delta: 4 }), move({ delta: null })];
    const opened = await part({
      deploy: {
        variance: three,
        movedByOthers: null,
        movesByOthers,
        earlierByOthers: { moves: 3, delta: -2 },
      },
    });
    const list = within(opened.getByRole("list", { name: "Moved by other counts" }));
    list.getByText(/^Rollback \+4, /);
    list.getByText(/^Deploy, outcome unknown, /);
    list.getByText("and 3 moves before those, -2 together");
  });

  it("is listed where its moves come to nothing together", async () => {
    const movesByOthers = [move({ direction: "rollback", delta: 4 }), move()];
    const opened = await part({ deploy: { movedByOthers: 0, movesByOthers } });
    expect(
      within(opened.getByRole("list", { name: "Moved by other counts" })).getAllByRole("listitem"),
    ).toHaveLength(2);
  });
});

describe("once the report is deployed", () => {
  it("says what other counts had moved of a row that it has not moved", async () => {
    const opened = await part({
      deployed: true,
      deploy: { variance: three, movedByOthers: 3, movesByOthers: [move({ delta: 3 })], wouldMove: null },
    });
    opened.getByText("The report is deployed. Nothing was moved for this row.");
    opened.getByText("Variance +3, less +3 moved by other counts before the deploy.");
    opened.getByText(/^Deploy \+3, /);
  });

  it("says nothing of others where it has moved just its variance", async () => {
    const opened = await part({
      deployed: true,
      deploy: { variance: three, moved: 3, movedByOthers: 1, wouldMove: null },
    });
    opened.getByText("The report is deployed: Shopify's stock was moved by +3.");
    expect(opened.queryByText(/^Variance/)).toBeNull();
  });

  it("says why it has moved less than the variance where Shopify kept stock that the report does not know", async () => {
    const row = { ...known, delta: 2, state: "confirmed", note: null } as const;
    const deploy = { variance: { low: 5, high: 5 }, moved: 2, wouldMove: null };
    const opened = await part({ deployed: true, deploy: { ...deploy, rows: [{ ...row, keptUnseen: 3 }] } });
    opened.getByText("The report is deployed: Shopify's stock was moved by +2.");
    opened.getByText(
      "Shopify had kept 3 of it here unseen, which the variance leaves out: +2 was left to move.",
    );
  });

  it.each([
    [
      "not_moved",
      "The report is deployed, but Shopify's stock was not moved for this row. The reason is below.",
    ],
    [
      "unclear",
      "The report is deployed, but nobody can tell yet whether Shopify's stock was moved for this row. The reason is below.",
    ],
  ] as const)("says of a row whose move is %s what is known of it, and why", async (state, text) => {
    const row = { ...known, state, note: "Shopify refused it: busy." };
    const opened = await part({ deployed: true, deploy: { wouldMove: null, variance: three, rows: [row] } });
    await opened.findByText(text);
    opened.getByText("Shopify refused it: busy.");
  });

  it("says of a row that a rollback has taken back, while others stay moved, that it was", async () => {
    const back = { ...known, direction: "rollback", delta: -3 } as const;
    const rows = [known, back].map((row) => ({ ...row, state: "confirmed", note: null }) as const);
    const opened = await part({ deployed: true, deploy: { wouldMove: null, variance: three, rows } });
    await opened.findByText("The report is deployed. This row was moved and taken back.");
    expect(opened.getAllByText(/^(Deploy \+3|Rollback -3)$/)).toHaveLength(2);
  });

  it("says nothing of the kind where a deploy was refused that was rolled back since", async () => {
    const earlier = { ...known, adjustmentId: "earlier", state: "not_moved", note: "Busy." } as const;
    const opened = await part({
      deployed: true,
      deploy: { wouldMove: null, variance: three, rows: [earlier] },
    });
    opened.getByText("The report is deployed. Nothing was moved for this row.");
  });

  const reasons = SkipReason.options.filter((reason) => reason !== "LEFT_ALONE");
  it.each(reasons)("says why its deploy has left the row out: %s", async (skipReason) => {
    const opened = await part({ deployed: true, deploy: { variance: three, wouldMove: null, skipReason } });
    opened.getByText(
      `The report is deployed, and the deploy left it out: ${messages.skipReasons[skipReason]}.`,
    );
  });

  it("says who had left the row alone on purpose, when and why", async () => {
    const leftAlone = { reason: "On loan", by: "admin", at: "2026-03-02T08:00:00.000Z" };
    const opened = await part({
      ...{ deployed: true, item: { leftAlone } },
      deploy: { wouldMove: null, skipReason: "LEFT_ALONE" },
    });
    opened.getByText(
      /^The report is deployed, and the deploy left it out: left alone on purpose by admin, .+: “On loan”\.$/,
    );
  });
});
