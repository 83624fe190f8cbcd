import * as z from "zod/mini";

// By the value's tag: an array from another realm is not an instance of this realm's classes.
function isArrayOf(kind: string): (value: unknown) => boolean {
  return (value) => ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === `[object ${kind}]`;
}

export const Bytes = z.custom<Uint8Array<ArrayBuffer>>(isArrayOf("Uint8Array"));

/** Whole numbers from 0 to 2³² − 1. */
export const WholeNumbers = z.custom<Uint32Array<ArrayBuffer>>(isArrayOf("Uint32Array"));
