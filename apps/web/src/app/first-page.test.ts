import { varianceReport, whoAmI } from "@stocktake/contract";
import { waitFor } from "@testing-library/react";
import { createMemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { address, report, reportServer } from "../features/reports/testing/report-server.ts";
import { createQueryClient } from "../http/query-client.ts";
import { admin } from "../testing/examples.ts";
import { firstPage } from "./first-page.ts";
import { routes } from "./routes.tsx";

function begin(path: string) {
  return firstPage(() => createMemoryRouter(routes, { initialEntries: [path] }), createQueryClient());
}

describe("the first page", () => {
  it.each([address, "/admin/reports"])(
    "%s asks for its report while who is signed in is still asked",
    async (path) => {
      const server = reportServer();
      const identity = server.answerLater(whoAmI, { user: admin, invitationData: null });
      const sent = server.answer(varianceReport, report());
      const began = begin(path);
      await waitFor(() =>
        expect(sent.map((call) => call.path)).toEqual([`/api/report/variance/${report().session._id}`]),
      );
      identity.release();
      await began;
    },
  );

  it("does not wait for what it asks ahead, nor fails with it", async () => {
    const server = reportServer();
    server.loseNetwork(varianceReport);
    await begin(address);
  });
});
