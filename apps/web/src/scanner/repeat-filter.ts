/** Distinguishes a code that comes into view from one that is held there. */
export interface RepeatFilter {
  /** The codes of one frame; returns those that were not in view just before. `at` is any clock in milliseconds. */
  filter(codes: readonly string[], at: number): readonly string[];
}

// A hand trembles and a picture blurs: a frame without a code takes it out of view only when none has shown it for this long.
const goneAfterMs = 700;

/** A camera sees the same label many times a second; an item counts once, until its label has left the picture. */
export function createRepeatFilter(): RepeatFilter {
  const lastSeen = new Map<string, number>();
  // What two frames show one after the other was held there, however long a slow phone took to read them.
  let frameBefore: readonly string[] = [];
  return {
    filter(codes, at) {
      for (const [code, seen] of lastSeen)
        if (at - seen > goneAfterMs && !frameBefore.includes(code)) lastSeen.delete(code);
      const fresh = [...new Set(codes)].filter((code) => !lastSeen.has(code));
      for (const code of codes) lastSeen.set(code, at);
      frameBefore = codes;
      return fresh;
    },
  };
}
