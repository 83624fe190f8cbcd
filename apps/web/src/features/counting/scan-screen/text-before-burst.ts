import { countingConstants } from "@stocktake/contract";
import { type KeyboardEvent, useRef } from "react";
import { isCharacter } from "../../../scanner/keys.ts";
import { stallMs } from "../../../scanner/keystrokes.ts";

/** What was in a field before the keys that are coming now. */
export function useTextBeforeBurst(text: string) {
  const before = useRef("");
  const lastKeyAt = useRef(Number.NEGATIVE_INFINITY);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.timeStamp - lastKeyAt.current > stallMs) before.current = text;
    lastKeyAt.current = event.timeStamp;
  };
  return { before, onKeyDown };
}

/** A person's keys come further apart; those of a slow scanner, or of one that writes as a keyboard app, do not. */
const machineGapMs = 150;

/** What a field has, and what of it a person had typed before a machine wrote the rest, if one did. */
interface Written {
  readonly typed: string;
  readonly rest: string;
  readonly isByMachine: boolean;
  /** A key among them writes no digit: however short it is, that is no total. */
  readonly isCode: boolean;
}

/** No shelf holds as many of one product, no area as many items, and the shortest barcode is as long. */
export const shortestBarcode = 6;

/** A scanner's code that no keys of a burst gave away. The digits of a total may be as fast, but not so many, nor behind others. */
export function isSlowScan({ typed, rest, isByMachine, isCode }: Written): boolean {
  if (isCode) return true;
  return isByMachine && rest.length >= (typed === "" ? shortestBarcode : countingConstants.shortCodeMinimum);
}

/**
 * Tells a code that a machine has written into a field from what was typed before it, by the pace of the characters themselves: not every
 * scanner comes by keys. Its suffix follows as fast.
 */
export function useWrittenRun(text: string) {
  const run = useRef({ before: "", at: Number.NEGATIVE_INFINITY, isCode: false });
  const isGoingOn = (at: number) => at - run.current.at <= machineGapMs;
  const follow = (at: number) => {
    const { before, isCode } = isGoingOn(at) ? run.current : { before: text, isCode: false };
    run.current = { before, at, isCode };
  };
  return {
    /** Before the field's text changes. */
    follow,
    /** Before what a key writes. A shift key goes before a letter. */
    onKeyDown(event: KeyboardEvent): void {
      if (event.key !== "Shift" && !isCharacter(event)) return;
      follow(event.timeStamp);
      if (isCharacter(event) && !/\d/.test(event.key)) run.current.isCode = true;
    },
    /** As the form is submitted. */
    written(at: number): Written {
      const { before } = run.current;
      const isCode = isGoingOn(at) && run.current.isCode;
      const isByMachine = isGoingOn(at) && (isCode || text.startsWith(before));
      const typed = isByMachine ? before : "";
      return { typed, rest: text.slice(typed.length), isByMachine, isCode };
    },
  };
}

/** Tells what a scanner sends behind the suffix of a code that was refused, as some send two or more, from a person's submit. */
export function useFurtherSuffixes() {
  const lastAt = useRef(Number.NEGATIVE_INFINITY);
  return {
    begin(at: number): void {
      lastAt.current = at;
    },
    includes(at: number): boolean {
      if (at - lastAt.current > stallMs) return false;
      lastAt.current = at;
      return true;
    },
  };
}
