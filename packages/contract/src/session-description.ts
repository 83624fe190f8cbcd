import * as z from "zod/mini";
import { limits } from "./limits.ts";
import { optionalName, optionalParagraphs } from "./text.ts";

/** What people call a count, and what they note about it. */
export const sessionDescription = {
  name: optionalName("Session name"),
  note: optionalParagraphs("Note", limits.reason),
};

/** What an edit of them began with: where they are others by now, and not those given, it is CHANGED_MEANWHILE and changes nothing. */
export const SeenDescription = z.object({ name: z.nullable(z.string()), note: z.nullable(z.string()) });
