import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { openCounter } from "../testing/counter-harness.tsx";
import { ScriptedShop } from "../testing/scripted-shop.ts";

const to = (name: string, enforced = false) => ({ names: [name], mine: name === "Mia", enforced });

function assignedShop(): ScriptedShop {
  const shop = new ScriptedShop();
  const [free, begun, closed] = shop.areas;
  if (free === undefined || begun === undefined || closed === undefined) throw new Error("No areas.");
  const area = (code: string, assigned: ReturnType<typeof to>) => ({
    ...{ ...free, _id: `area-${code}`, code, name: `Area ${code}`, assigned },
  });
  shop.areas = [
    { ...begun, locationId: "location-1" },
    closed,
    area("A4", to("Ana", true)),
    area("A5", to("Tom")),
    free,
    area("A6", to("Mia", true)),
    { ...area("B1", to("Mia")), locationId: "location-2" },
  ];
  return shop;
}

it("S40: areas assigned to me come first, then those not started; those of others alone can't be chosen", async () => {
  await openCounter({ path: "/counter", shop: assignedShop() });
  const places = await screen.findByRole("radiogroup", { name: "Select Location" });
  // What is whose comes with a list of its own.
  await within(places).findAllByText("1 area for you");
  const labels = within(places)
    .getAllByRole("radio")
    .map((radio) => radio.closest("label")?.textContent);
  expect(labels).toEqual(["Sales Floor1 area for you", "Stockroom1 area for you", "Annexe"]);
  await userEvent.click(screen.getByRole("radio", { name: /Sales Floor/ }));
  const list = await screen.findByRole("radiogroup", { name: "Select Area" });
  const radios = within(list).getAllByRole<HTMLInputElement>("radio");
  const shown = radios.map((radio) => [radio.closest("label")?.textContent, radio.disabled]);
  expect(shown).toEqual([
    ["A6Area A6Assigned to youNot Started", false],
    ["A1Area A1Not Started", false],
    ["A5Area A5Not StartedAssigned to Tom.", false],
    ["A2Area A2In Progress", false],
    ["A4Area A4Not StartedAssigned to Ana alone. Choose another area, or ask the administrator.", true],
    ["A3Area A3Completed", true],
  ]);
});
