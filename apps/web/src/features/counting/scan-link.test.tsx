import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Outlet } from "react-router";
import { describe, expect, it } from "vitest";
import { createQueryClient } from "../../http/query-client.ts";
import { clearDevice } from "../../offline/testing/fresh-database.ts";
import { counterSessionsQuery } from "./lists/counter-queries.ts";
import { storeActiveArea } from "./opening/last-area.ts";
import { ScanLink } from "./scan-link.tsx";
import { renderWithDevice } from "./testing/render-with-device.tsx";
import { areaOne, mia, openScriptedDevice } from "./testing/scripted-device.ts";
import { ScriptedShop } from "./testing/scripted-shop.ts";

async function openMenu({ isCounting, isOver = false }: { isCounting: boolean; isOver?: boolean }) {
  clearDevice();
  const device = await openScriptedDevice(new ScriptedShop());
  if (isCounting) await storeActiveArea(device.database, mia._id, { ...areaOne, pass: 3 });
  const client = createQueryClient();
  const { queryKey } = counterSessionsQuery(device, mia._id);
  if (isOver) client.setQueryData(queryKey, { value: [], from: "server" });
  const menu = (
    <>
      <ScanLink className="" onFollow={() => undefined}>
        Scan
      </ScanLink>
      <Outlet />
    </>
  );
  const router = renderWithDevice({ device, client, element: menu, path: "/counter/logins" });
  await userEvent.click(screen.getByRole("link", { name: "Scan" }));
  await waitFor(() => expect(router.state.location.pathname).not.toBe("/counter/logins"));
  return router.state.location;
}

describe("Scan in the menu", () => {
  it("leads back into the area that is being counted", async () => {
    const place = await openMenu({ isCounting: true });
    expect(place).toMatchObject({ pathname: "/counter/scan", state: { areaId: "area-1", pass: 3 } });
  });

  it("leads to the choice of an area where none is being counted, or its session is over", async () => {
    const choice = { pathname: "/counter", state: { choose: true } };
    expect(await openMenu({ isCounting: false })).toMatchObject(choice);
    document.body.innerHTML = "";
    expect(await openMenu({ isCounting: true, isOver: true })).toMatchObject(choice);
  });
});
