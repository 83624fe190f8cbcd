import type { Notice } from "./notices.ts";

/** What must be read and was not tapped away yet: it stays in sight whatever the banner shows. */
export interface Unread {
  /** What happened to the area itself: its count began again. */
  readonly unread: Notice | null;
  /** What is asked for elsewhere, the oldest first: none of it is lost to what is asked later. */
  readonly requests: readonly Notice[];
}

export const nothingUnread: Unread = { unread: null, requests: [] };

/** What happened to the area comes before what is asked for elsewhere; what the banner says need not be said twice. */
function shown({ unread, requests, notice }: Unread & { readonly notice: Notice | null }): Notice | null {
  return [unread, ...requests].find((each) => each !== null && each !== notice) ?? null;
}

/** What is shown beside the area's name, as the banner shows something else by now. */
export function unreadText(state: Unread & { readonly notice: Notice | null }): string | null {
  return shown(state)?.stays ?? null;
}

/** The shown one was tapped away: the next one takes its place. */
export function withoutShown(state: Unread & { readonly notice: Notice | null }): Unread {
  const tapped = shown(state);
  return {
    unread: state.unread === tapped ? null : state.unread,
    requests: state.requests.filter((each) => each !== tapped),
  };
}
