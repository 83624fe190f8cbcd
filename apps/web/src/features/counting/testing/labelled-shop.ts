import { areaLabelOf } from "@stocktake/contract";
import { ScriptedShop } from "./scripted-shop.ts";

export const areaIds = {
  open: "0b7f8f0e-1f62-4c43-9d7e-3fa85f64afa6",
  fresh: "6a1d5b6c-92b5-4a59-8a0f-2c963f66afa7",
  begun: "7c2e6b1d-83c4-4b68-9b10-aa0000000002",
  closed: "8d3f7c2e-94d5-4c79-8c21-aa0000000003",
  stockroom: "9e407d3f-a5e6-4d8a-9d32-aa0000000004",
  elsewhere: "af518e40-b6f7-4e9b-8e43-aa0000000005",
};
/** The code on the printed label of an area. */
export const label = (area: keyof typeof areaIds) => areaLabelOf(areaIds[area]);
export const unknownLabel = "AREAFFFFFFFFFFFF";

/** The scripted shop with areas whose ids have labels: four here, one at another location, one in another store. */
export function labelledShop(): ScriptedShop {
  const shop = new ScriptedShop();
  const [first, begun, closed] = shop.areas;
  if (first === undefined || begun === undefined || closed === undefined) throw new Error("No areas.");
  shop.areas = [
    { ...first, _id: areaIds.open },
    { ...first, _id: areaIds.fresh, code: "A4" },
    { ...begun, _id: areaIds.begun },
    { ...closed, _id: areaIds.closed },
    { ...first, _id: areaIds.stockroom, code: "S1", locationId: "location-2" },
    { ...first, _id: areaIds.elsewhere, code: "X1", locationId: "location-9" },
  ];
  return shop;
}
