import { areaLabelOf, listAreas, listLocations } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { admin, area, location } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

const window1 = area({ _id: "0b7f8f0e-1f62-4c43-9d7e-3fa85f64afa6" });
const elsewhere = area({ _id: "area-2", code: "Z9", locationId: "location-2" });

function labelServer(): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listLocations, { locations: [location()] });
  server.answer(listAreas, { areas: [window1, elsewhere] });
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
