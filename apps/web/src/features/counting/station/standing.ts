import type { Notice } from "./notices.ts";

/** What must be read and was not tapped away yet: it stays in sight whatever the banner shows. */
export interface Standing {
  /** What happened to the area itself: its count began again. */
  readonly standing: Notice | null;
  /** What is asked for elsewhere, the oldest first: none of it is lost to what is asked later. */
  readonly requests: readonly Notice[];
}

export const nothingStanding: Standing = { standing: null, requests: [] };

/** What happened to the area comes before what is asked for elsewhere; what the banner says need not be said twice. */
function shown({ standing, requests, notice }: Standing & { readonly notice: Notice | null }): Notice | null {
  return [standing, ...requests].find((each) => each !== null && each !== notice) ?? null;
}

/** What is shown beside the area's name, as the banner shows something else by now. */
export function standingText(state: Standing & { readonly notice: Notice | null }): string | null {
  return shown(state)?.stays ?? null;
}

/** The shown one was tapped away: the next one takes its place. */
export function withoutShown(state: Standing & { readonly notice: Notice | null }): Standing {
  const tapped = shown(state);
  return {
    standing: state.standing === tapped ? null : state.standing,
    requests: state.requests.filter((each) => each !== tapped),
  };
}
