import { describe, expect, it } from "vitest";
import { areaLabelOf, areaOfLabel, isAreaLabel } from "./area-label.ts";

const window = { _id: "0b7f8f0e-1f62-4c43-9d7e-3fa85f64afa6" };
const stockroom = { _id: "6a1d5b6c-92b5-4a59-8a0f-2c963f66afa7" };

describe("an area's label", () => {
  it("is letters and digits that name the area itself, not its code", () => {
    expect(areaLabelOf(window._id)).toBe("AREA3FA85F64AFA6");
  });

  it("opens the area it was written for, whatever case the scanner sends and whatever surrounds it", () => {
    for (const code of [areaLabelOf(stockroom._id), ` ${areaLabelOf(stockroom._id).toLowerCase()}\t`]) {
      expect(areaOfLabel(code, [window, stockroom])).toBe(stockroom);
    }
  });

  it("opens the area that its own was merged into", () => {
    const merged = { ...stockroom, mergedIds: [window._id] };
    expect(areaOfLabel(areaLabelOf(window._id), [merged])).toBe(merged);
    expect(areaOfLabel(areaLabelOf(stockroom._id), [merged])).toBe(merged);
  });

  it("opens nothing where no area, or more than one, has it", () => {
    const label = areaLabelOf(window._id);
    expect(areaOfLabel(label, [stockroom])).toBeNull();
    const twin = { _id: `ffffffff-ffff-ffff-ffff-${window._id.slice(-12)}` };
    expect(areaOfLabel(label, [window, twin])).toBeNull();
  });

  it("is not confused with a product's code", () => {
    for (const code of [
      "",
      "AREA",
      "A1",
      "AREA-51-SHIRT",
      "4006381333931",
      "AREA3FA85F64AFA",
      "AREA3FA85F64AFA61",
    ]) {
      expect(isAreaLabel(code)).toBe(false);
      expect(areaOfLabel(code, [window])).toBeNull();
    }
  });
});
