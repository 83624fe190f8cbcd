import { areaLabelOf, listAreas, listLocations, listSessions, readSessionCode } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { activeSession, admin, area, location, session } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

const window1 = area({ _id: "0b7f8f0e-1f62-4c43-9d7e-3fa85f64afa6" });
const elsewhere = area({ _id: "area-2", code: "Z9", locationId: "location-2" });

function labelServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listLocations, { locations: [location()] });
  server.answer(listAreas, { areas: [window1, elsewhere] });
  server.answer(listSessions, { sessions: [session()] });
  return server;
}

afterEach(() => vi.restoreAllMocks());

describe("the sheet of area labels", () => {
  it("has a label for each area of the location, with its code, name, place and barcode", async () => {
    labelServer();
    openPage("/admin/locations/location-1/labels");
    const sheet = within(await screen.findByRole("list", { name: "Area Labels" }));
    const [label, ...others] = sheet.getAllByRole("listitem");
    expect(others).toEqual([]);
    expect(label?.textContent).toBe(`Harbour Street · Sales FloorA1Window${areaLabelOf(window1._id)}`);
    const barcode = sheet.getByRole("img", { name: "Barcode that opens area A1" });
    expect(barcode.getAttribute("src")).toMatch(/^data:image\/svg\+xml,/);
  });

  it("is printed by its button", async () => {
    labelServer();
    const print = vi.fn();
    vi.stubGlobal("print", print);
    openPage("/admin/locations/location-1/labels");
    await screen.findByRole("list", { name: "Area Labels" });
    await userEvent.click(screen.getByRole("button", { name: "Print Labels" }));
    expect(print).toHaveBeenCalledOnce();
  });

  describe("while the store is counted", () => {
    const link = "https://count.brand.example/counter/join/0123456789";
    const code = { _id: "code-1", link, createdAt: "2026-03-01T08:05:00.000Z", admitUntil: null };
    const withCode = { name: "With the session code" };

    function countingServer(open: typeof code | null): FakeServer {
      const server = labelServer();
      const elsewhere = activeSession({ _id: "session-2", storeId: { _id: "store-2", name: "Old Mill" } });
      server.answer(listSessions, { sessions: [elsewhere, activeSession()] });
      server.answer(readSessionCode, { code: open, requests: [] });
      return server;
    }

    it("has one with the session's code on request, where one is open", async () => {
      const server = countingServer(code);
      const asked = server.answer(readSessionCode, { code, requests: [] });
      openPage("/admin/locations/location-1/labels");
      await userEvent.click(await screen.findByRole("switch", withCode));
      const sheet = within(screen.getByRole("list", { name: "Area Labels" }));
      const [label, ...others] = sheet.getAllByRole("listitem");
      expect(others).toHaveLength(1);
      expect(label?.textContent).toBe(
        `Count Harbour StreetOpen the camera of your phone and point it at the code.For the count that began on Mar 1, 2026${link}`,
      );
      const picture = sheet.getByRole("img", { name: "QR code of the session" });
      expect(picture.getAttribute("src")).toMatch(/^data:image\/svg\+xml,/);
      expect(asked[0]?.path).toBe("/api/session-code/session-1");
      await userEvent.click(screen.getByRole("switch", withCode));
      expect(sheet.getAllByRole("listitem")).toHaveLength(1);
    });

    it("offers none where no code is open", async () => {
      const asked = countingServer(null).answer(readSessionCode, { code: null, requests: [] });
      openPage("/admin/locations/location-1/labels");
      await screen.findByRole("list", { name: "Area Labels" });
      await waitFor(() => expect(asked).toHaveLength(1));
      expect(screen.queryByRole("switch", withCode)).toBeNull();
    });
  });

  it("reports a location that is gone", async () => {
    labelServer();
    openPage("/admin/locations/no-such/labels");
    await screen.findByText("Location Not Found");
  });

  it("reports a location without areas", async () => {
    labelServer().answer(listAreas, { areas: [] });
    openPage("/admin/locations/location-1/labels");
    await screen.findByText("No Areas Yet");
  });
});
