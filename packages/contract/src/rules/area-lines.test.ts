import { describe, expect, it } from "vitest";
import { readAreaLines } from "./area-lines.ts";
import { naturalOrder } from "./natural-order.ts";

describe("bulk entry of areas", () => {
  it("reads CODE,NAME, defaults the name to the code and ignores blank lines", () => {
    expect(readAreaLines("A1,Front, left\n\r\n  A2  \n")).toEqual([
      { line: 1, typed: "A1,Front, left", code: "A1", name: "Front, left", problem: null },
      { line: 3, typed: "  A2  ", code: "A2", name: "A2", problem: null },
    ]);
  });

  it("marks codes that are listed twice or taken, without regard to case", () => {
    const problems = readAreaLines("A1\na1\nB2", ["b2"]).map((line) => line.problem);
    expect(problems).toEqual([null, "This code is listed twice.", "This location already has this code."]);
  });

  it("takes codes and names as they are seen, and refuses codes that an address can't hold", () => {
    const lines = readAreaLines("\ufeffA\u200b1,Front\u200e\n\u200b\nA1\n..");
    expect(lines).toEqual([
      { line: 1, typed: "\ufeffA\u200b1,Front\u200e", code: "A1", name: "Front", problem: null },
      { line: 3, typed: "A1", code: "A1", name: "A1", problem: "This code is listed twice." },
      { line: 4, typed: "..", code: "..", name: "..", problem: "The code can't be . or .. alone." },
    ]);
  });

  it("keeps the name of a line whose code is missing", () => {
    expect(readAreaLines(",Name")).toMatchObject([{ code: "", name: "Name" }]);
  });

  it("names an area without a name as its code is read", () => {
    expect(readAreaLines("A  1")).toMatchObject([{ code: "A 1", name: "A 1" }]);
  });

  it("marks a missing code and what is too long", () => {
    const problems = readAreaLines(`,Name\n${"C".repeat(33)}\nD,${"n".repeat(101)}`).map(
      (line) => line.problem,
    );
    expect(problems).toEqual([
      "The code is missing.",
      "The code can have at most 32 characters.",
      "The name can have at most 100 characters.",
    ]);
  });
});

describe("natural order", () => {
  it("puts A2 before A10", () => {
    expect(["A10", "b1", "A2", "a1"].toSorted(naturalOrder())).toEqual(["a1", "A2", "A10", "b1"]);
  });
});
