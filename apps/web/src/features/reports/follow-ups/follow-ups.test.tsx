import { listSessions, varianceReport } from "@stocktake/contract";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { activeSession, session } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, report, reportServer } from "../testing/report-server.ts";

it("a report leads to the session that it follows up, and to those that follow it up", async () => {
  const of = session({ _id: "session-of", name: "Spring count" });
  const own = session({ followUpOf: of._id, only: ["LIN-S"] });
  const running = activeSession({ _id: "running", name: "Again", followUpOf: own._id, only: ["LIN-S"] });
  const server = reportServer();
  server.answer(listSessions, { sessions: [running, own, of] });
  server.answer(varianceReport, report({ session: own }));
  openPage(address);
  await screen.findByText("A follow-up of 1 SKU");
  screen.getByText(/what looked wrong in Spring count\./);
  const link = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(link("Go to Its Report")).toBe("/admin/reports?session=session-of");
  screen.getByText("1 SKU of this count chosen to be counted again");
  screen.getByText("They are being counted in Again.");
  expect(link("Go to Sessions")).toBe("/admin/sessions");
});
