import type { AuditEntry } from "@stocktake/contract";
import { dateTimeText, quantityText } from "../../ui/formats.ts";
import { messages } from "./messages.ts";

export type Facts = AuditEntry["before"];

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Words that the server uses among themselves, as people read them. */
const plainWord = /^[a-z]+(?:_[a-z]+)*$/;
const spelledOut = new Set(["status", "state", "scope", "direction", "delivery"]);

function objectText(value: object): string {
  if (Array.isArray(value)) return value.length === 0 ? messages.nothing : value.map(factText).join(", ");
  const parts = Object.entries(value).map(([name, part]) => `${name}: ${factText(part)}`);
  return parts.length === 0 ? messages.nothing : parts.join(", ");
}

/** A fact of an entry as text; a list's parts are joined. */
function factText(value: unknown): string {
  if (value === null || value === undefined || value === "") return messages.nothing;
  if (typeof value === "boolean") return value ? messages.yes : messages.no;
  if (typeof value === "number") return quantityText(value);
  if (typeof value === "object") return objectText(value);
  const text = String(value);
  return isoTime.test(text) ? dateTimeText(text) : text;
}

interface NamedFact {
  readonly name: string;
  readonly text: string;
}

/** The facts as people read them, in the order of their names. */
export function namedFacts(facts: Facts): NamedFact[] {
  return Object.entries(facts ?? {})
    .map(([name, value]) => {
      const text = factText(value);
      const spelled = spelledOut.has(name) && plainWord.test(text) ? text.replaceAll("_", " ") : text;
      return { name: messages.facts[name] ?? name, text: spelled };
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** One fact as text. */
export function textOf(facts: Facts, name: string): string {
  return factText(facts?.[name]);
}

/** One fact as a number; 0 for what is none. */
export function numberOf(facts: Facts, name: string): number {
  const value = facts?.[name];
  return typeof value === "number" ? value : 0;
}

/** The parts of a list; none for what is none. */
export function listOf(facts: Facts, name: string): readonly string[] {
  const value = facts?.[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export const after = (entry: AuditEntry, name: string) => textOf(entry.after, name);
export const before = (entry: AuditEntry, name: string) => textOf(entry.before, name);
export const name = (entry: AuditEntry) => entry.subject.name;

/** The subject, and who made what the actor's login only sent. */
export function nameAndMaker(entry: AuditEntry): string {
  return entry.after?.madeBy === undefined
    ? name(entry)
    : `${name(entry)} on behalf of ${after(entry, "madeBy")}`;
}
