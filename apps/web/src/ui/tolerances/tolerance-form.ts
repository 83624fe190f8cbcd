import { type Tolerance, ToleranceLimits } from "@stocktake/contract";
import { toleranceMessages as texts } from "./tolerance-messages.ts";

export const sides = ["over", "short"] as const;
export const limitNames = ["units", "money", "stockPercent", "moneyPercent"] as const;

export type Side = (typeof sides)[number];
export type LimitName = (typeof limitNames)[number];
export type Typed = Readonly<Record<Side, Readonly<Record<LimitName, string>>>>;

const nothing = { units: "", money: "", stockPercent: "", moneyPercent: "" };

function typedLimits(limits: ToleranceLimits): Record<LimitName, string> {
  const text = (value: number | null) => (value === null ? "" : String(value));
  return {
    units: text(limits.units),
    money: text(limits.money),
    stockPercent: text(limits.stockPercent),
    moneyPercent: text(limits.moneyPercent),
  };
}

/** A tolerance as it is in the form; no limit is an empty field. */
export function typedOf(tolerance: Tolerance | null): Typed {
  if (tolerance === null) return { over: nothing, short: nothing };
  return { over: typedLimits(tolerance.over), short: typedLimits(tolerance.short) };
}

const numberOf = (text: string) => (text.trim() === "" ? null : Number(text));

/** The limit in a field, which can be written in several ways; what was typed where that is no number. */
export function limitIn(text: string): number | string | null {
  const value = numberOf(text);
  return value === null || Number.isFinite(value) ? value : text;
}

/** What is wrong with a field; null where nothing is. */
export function problemOf(name: LimitName, text: string): string | null {
  const value = numberOf(text);
  if (Number.isNaN(value)) return texts.wrong;
  const { error } = ToleranceLimits.shape[name].safeParse(value);
  return error?.issues[0]?.message ?? null;
}

export function isRight(typed: Typed): boolean {
  return sides.every((side) => limitNames.every((name) => problemOf(name, typed[side][name]) === null));
}

function limitsOf(typed: Typed[Side]): ToleranceLimits {
  return {
    units: numberOf(typed.units),
    money: numberOf(typed.money),
    stockPercent: numberOf(typed.stockPercent),
    moneyPercent: numberOf(typed.moneyPercent),
  };
}

export function toleranceOf(typed: Typed): Tolerance {
  return { over: limitsOf(typed.over), short: limitsOf(typed.short) };
}

export function isEmpty(typed: Typed): boolean {
  return sides.every((side) => limitNames.every((name) => typed[side][name].trim() === ""));
}
