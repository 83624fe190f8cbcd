import { useState } from "react";

/** A field of a form, or several that are one to the reader. */
export interface FormField<Draft> {
  readonly label: string;
  /** What is compared, as something that can be written as JSON. */
  readonly valueOf: (draft: Draft) => unknown;
  /** What is in it, in words; empty for nothing. */
  readonly textOf: (draft: Draft) => string;
  /** The first draft with this field of the second. */
  readonly take: (into: Draft, from: Draft) => Draft;
  /** Where both have changed it: the own draft with both changes, or null where they contradict each other. Absent: they always do. */
  readonly both?: (drafts: Drafts<Draft>) => Draft | null;
}

export interface Drafts<Draft> {
  readonly base: Draft;
  readonly mine: Draft;
  readonly theirs: Draft;
}

/** A field that was changed there to something else than here. */
export interface Clash<Draft> {
  readonly field: FormField<Draft>;
  readonly mine: Draft;
  readonly theirs: Draft;
}

interface State<Value, Draft> {
  /** What the draft is an edit of. */
  readonly seen: Value;
  readonly draft: Draft;
  /** The fields that the form took over, as they had been changed there alone. */
  readonly taken: readonly FormField<Draft>[];
  readonly clashes: readonly Clash<Draft>[];
}

export interface SharedForm<Value, Draft> extends State<Value, Draft> {
  readonly set: (draft: Draft) => void;
  /** Puts what is there into a field that is changed here and there; again, what was typed. */
  readonly swap: (clash: Clash<Draft>) => void;
}

/** Whether a field has the same in it in two drafts. */
export function isSame<Draft>(field: FormField<Draft>, one: Draft, other: Draft): boolean {
  return JSON.stringify(field.valueOf(one)) === JSON.stringify(field.valueOf(other));
}

interface FormOf<Value, Draft> {
  readonly opened: Value;
  /**
   * What is there by now; undefined while nothing is known, or what comes is the form's own. The same object as long as it is the same: as
   * queries give it.
   */
  readonly now: Value | undefined;
  readonly draftOf: (value: Value) => Draft;
  readonly fields: readonly FormField<Draft>[];
}

/**
 * A form of something that others may change while it is open, and that is saved as a whole. What they changed comes into the form as
 * soon as the page hears of it; what was typed here stays. `seen` goes with what is saved, so that the server refuses what began with less.
 */
export function useSharedForm<Value, Draft>(form: FormOf<Value, Draft>): SharedForm<Value, Draft> {
  const { opened, now, draftOf } = form;
  const [state, setState] = useState<State<Value, Draft>>(() => ({
    ...{ seen: opened, draft: draftOf(opened), taken: [], clashes: [] },
  }));
  const current = now === undefined || now === state.seen ? state : merge(form, state, now);
  if (current !== state) setState(current);
  return {
    ...current,
    set: (draft) => setState({ ...current, draft }),
    swap: (clash) => setState(swapped(current, clash)),
  };
}

function swapped<Value, Draft>(state: State<Value, Draft>, clash: Clash<Draft>): State<Value, Draft> {
  const { draft, clashes } = state;
  const { field, theirs } = clash;
  if (isSame(field, draft, theirs)) return { ...state, draft: field.take(draft, clash.mine) };
  const typed = clashes.map((each) => (each === clash ? { ...clash, mine: draft } : each));
  return { ...state, draft: field.take(draft, theirs), clashes: typed };
}

function merge<Value, Draft>(
  { draftOf, fields }: FormOf<Value, Draft>,
  state: State<Value, Draft>,
  now: Value,
): State<Value, Draft> {
  const [base, theirs] = [draftOf(state.seen), draftOf(now)];
  const start = { ...state, seen: now };
  return fields.reduce((merged, field) => mergeField(merged, field, { base, theirs }), start);
}

function mergeField<Value, Draft>(
  state: State<Value, Draft>,
  field: FormField<Draft>,
  { base, theirs }: Omit<Drafts<Draft>, "mine">,
): State<Value, Draft> {
  const { draft: mine, taken, clashes } = state;
  const same = (one: Draft, other: Draft) => isSame(field, one, other);
  if (same(base, theirs)) return state;
  const others = clashes.filter((clash) => clash.field.label !== field.label);
  if (same(mine, theirs)) return { ...state, clashes: others };
  const withBoth = same(mine, base)
    ? field.take(mine, theirs)
    : (field.both?.({ base, mine, theirs }) ?? null);
  if (withBoth === null) return { ...state, clashes: [...others, { field, mine, theirs }] };
  const once = taken.filter(({ label }) => label !== field.label);
  return { ...state, draft: withBoth, taken: [...once, field], clashes: others };
}
