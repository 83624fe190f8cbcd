import { describe, expect, it } from "vitest";
import { lineOf, readPersonLines, withoutAddress } from "./person-lines.ts";

const read = (entry: string) =>
  readPersonLines(entry).map(({ counterName, email }) => `${counterName} | ${email}`);
const problems = (entry: string) => readPersonLines(entry).map(({ line, problem }) => [line, problem]);

describe("a pasted list of people", () => {
  it.each([
    ["Ada, ada@example.com"],
    ["Ada;ada@example.com"],
    ["Ada\tada@example.com"],
    ["ada@example.com,Ada"],
    ["Ada <ada@example.com>"],
    ['"Ada" <ada@example.com>;'],
    ['"Ada","ada@example.com"'],
    ["Ada ada@example.com"],
    ["ada@example.com Ada"],
    ['"Ada"  ada@example.com;'],
    ["ada@example.com;Ada;+44 20 7946 0000"],
    ["\n  Ada , ada@example.com  \r\n\n"],
    ["Name,Email\nAda,ada@example.com"],
    ["Name;E-Mail\r\nAda;ada@example.com"],
  ])("takes %j", (entry) => expect(read(entry)).toEqual(["Ada | ada@example.com"]));

  it("takes several people of a line as a mail program lists them", () => {
    const both = ["Ada Lovelace | ada@example.com", "Grace Hopper | grace@example.com"];
    expect(read("Ada Lovelace <ada@example.com>, Grace Hopper <grace@example.com>")).toEqual(both);
    expect(read('"Ada Lovelace" <ada@example.com>; "Grace Hopper" <grace@example.com>;')).toEqual(both);
    expect(read("ada@example.com; grace@example.com")).toEqual([
      "ada | ada@example.com",
      "grace | grace@example.com",
    ]);
  });

  it("takes a name of several words and a space before the address, and addresses with spaces between them", () => {
    expect(read("Ola Berg ola@example.com\nKari Anne Moe\tkari@example.com")).toEqual([
      "Ola Berg | ola@example.com",
      "Kari Anne Moe | kari@example.com",
    ]);
    expect(read("ada@example.com grace@example.com")).toEqual([
      "ada | ada@example.com",
      "grace | grace@example.com",
    ]);
  });

  it("loses nobody of a line that names several with their addresses", () => {
    const both = ["Ola Berg | ola@example.com", "Kari | kari@example.com"];
    expect(read("Ola Berg ola@example.com, Kari kari@example.com")).toEqual(both);
    expect(read("Ola Berg;ola@example.com;Kari;kari@example.com")).toEqual(both);
    expect(read("ola@example.com Ola Berg; kari@example.com Kari")).toEqual(both);
  });

  it("joins a name that is in two cells, and keeps a comma that is in quotes", () => {
    expect(read("Ada,Lovelace,ada@example.com")).toEqual(["Ada Lovelace | ada@example.com"]);
    expect(read('"Lovelace, Ada" <ada@example.com>')).toEqual(["Lovelace, Ada | ada@example.com"]);
  });

  it("names a person without a name by the address", () => {
    expect(read("ada.lovelace@example.com")).toEqual(["ada.lovelace | ada.lovelace@example.com"]);
  });

  it("names the lines that nobody can be invited by", () => {
    const entry = `Ada\nGrace, grace@example\nTom, tom@example.com\n${"x".repeat(101)}, x@example.com\nTom again, TOM@example.com\n<>`;
    expect(problems(entry)).toEqual([
      [1, "The email address is missing."],
      [2, "grace@example is not a valid email address."],
      [3, null],
      [4, "The name can have at most 100 characters."],
      [5, "This address is listed twice."],
      [6, "The email address is missing."],
    ]);
  });

  it("reads a person that it wrote as the same person, and takes one out again", () => {
    const person = { counterName: "Lovelace, Ada", email: "ada@example.com" };
    const entry = `Tom, tom@example.com\n${lineOf(person)}`;
    expect(read(entry)).toEqual(["Tom | tom@example.com", "Lovelace Ada | ada@example.com"]);
    expect(withoutAddress(entry, "ADA@example.com")).toBe("Tom, tom@example.com");
  });
});
