import { Email, lengthProblem, limits, visibleName } from "@stocktake/contract";

/** One person of a pasted list, read. `problem` is a sentence for whoever pasted it, or null. */
export interface PersonLine {
  readonly line: number;
  readonly counterName: string;
  readonly email: string;
  readonly problem: string | null;
}

const problems = {
  noEmail: "The email address is missing.",
  invalidEmail: (email: string) => `${email} is not a valid email address.`,
  noName: "The name is missing.",
  twice: "This address is listed twice.",
} as const;

/** What divides the cells of a line: of a spreadsheet, a CSV file or an e-mail program's list of addresses. */
const separators = /[,;\t]/;
const addressee = /(?<name>[^<>]*)<(?<email>[^<>]*)>/g;
const headings = /^(e-?mail|mail|address|e-?mail address|name|counter|counter name|first name|last name)$/i;

function plain(text: string): string {
  return visibleName(text.replace(/^[\s,;]+|[\s,;]+$/g, "").replace(/^["'](.*)["']$/, "$1"));
}

interface Person {
  readonly counterName: string;
  readonly email: string;
}

/** "Ada Lovelace <ada@example.com>, Grace Hopper <grace@example.com>": any number of people. */
function addresseesIn(line: string): Person[] {
  return [...line.matchAll(addressee)].map(({ groups: { name = "", email = "" } = {} }) => ({
    counterName: plain(name),
    email: email.trim(),
  }));
}

const isAddress = (cell: string) => cell.includes("@");

/** A cell with a name and an address in it, or several addresses, parted where they meet. */
function partedAtAddresses(cell: string): string[] {
  if (!isAddress(cell)) return [cell];
  return cell.split(/(\S*@\S*)/).map(plain);
}

/** A name may be in several cells before the address, or in the one after it. */
function peopleInCells(cells: readonly string[]): Person[] {
  const places = cells.flatMap((cell, place) => (isAddress(cell) ? [place] : []));
  if (places.length === 0) return [{ counterName: cells.join(" "), email: "" }];
  return places.map((place, index) => {
    const before = cells.slice((places[index - 1] ?? -1) + 1, place).join(" ");
    const name = isAddress(cells[0] ?? "") ? (cells[place + 1] ?? "") : before;
    return { counterName: isAddress(name) ? "" : name, email: cells[place] ?? "" };
  });
}

function isHeading(cells: readonly string[]): boolean {
  return cells.length > 0 && cells.every((cell) => headings.test(cell));
}

function peopleIn(line: string): Person[] {
  if (line.includes("<")) return addresseesIn(line);
  const cells = line
    .split(separators)
    .map(plain)
    .flatMap(partedAtAddresses)
    .filter((cell) => cell !== "");
  if (isHeading(cells)) return [];
  return peopleInCells(cells);
}

/** Who gave no name is called by what is before the @, until somebody writes another. */
function named({ counterName, email }: Person): Person {
  return { counterName: counterName || visibleName(email.split("@")[0] ?? ""), email };
}

function problemOf({ counterName, email }: Person, seen: ReadonlySet<string>): string | null {
  if (email === "") return problems.noEmail;
  if (!Email.safeParse(email).success) return problems.invalidEmail(email);
  if (counterName === "") return problems.noName;
  if (seen.has(email.toLowerCase())) return problems.twice;
  return lengthProblem("The name", counterName, limits.name);
}

/** Reads a pasted list of people: one a line, or several as a mail program lists them; blank lines and headings are left out. */
export function readPersonLines(entry: string): PersonLine[] {
  const seen = new Set<string>();
  const lines: PersonLine[] = [];
  for (const [index, raw] of entry.split(/\r\n|\r|\n/).entries()) {
    if (plain(raw) === "") continue;
    const people = peopleIn(raw);
    // A line of "<" and ">" that hold nobody must be named too.
    const read = people.length === 0 && raw.includes("<") ? [{ counterName: plain(raw), email: "" }] : people;
    for (const person of read.map(named)) {
      lines.push({ line: index + 1, ...person, problem: problemOf(person, seen) });
      seen.add(person.email.toLowerCase());
    }
  }
  return lines;
}

/** A person as a line that is read as the same person again. */
export function lineOf({ counterName, email }: Person): string {
  return `${counterName.replaceAll(/[\s<>,;"]+/g, " ")} <${email}>`;
}

/** The entry without the lines that consist of an address alone. */
export function withoutAddress(entry: string, email: string): string {
  const isOf = (raw: string) => {
    const people = readPersonLines(raw);
    return people.length === 1 && people[0]?.email.toLowerCase() === email.toLowerCase();
  };
  return entry
    .split("\n")
    .filter((raw) => !isOf(raw))
    .join("\n");
}
