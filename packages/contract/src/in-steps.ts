/**
 * Work that is done a step at a time: whoever drives it may do something else between two steps. A page whose thread is busy for longer
 * than 50 ms is felt.
 */
export type Steps<Result> = Generator<void, Result, void>;

/** How many members of a list make one step. */
const stride = 256;

/** Drives steps to their end at once. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Each member of a list, in steps. */
export function* eachInSteps<Member>(members: readonly Member[], act: (member: Member) => void): Steps<void> {
  for (const [index, member] of members.entries()) {
    act(member);
    if (index % stride === stride - 1) yield;
  }
}

/** A list in the order of `compare`, equal ones as they were, in steps. */
export function* sortedInSteps<Member>(
  members: readonly Member[],
  compare: (one: Member, other: Member) => number,
): Steps<readonly Member[]> {
  let runs: (readonly Member[])[] = [];
  for (let begin = 0; begin < members.length; begin += stride) {
    runs.push(members.slice(begin, begin + stride).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly Member[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(yield* mergedInSteps(runs[index] ?? [], runs[index + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedInSteps<Member>(
  one: readonly Member[],
  other: readonly Member[],
  compare: (one: Member, other: Member) => number,
): Steps<readonly Member[]> {
  const merged: Member[] = [];
  let at = 0;
  for (const member of one) {
    for (let next = other[at]; next !== undefined && compare(next, member) < 0; next = other[at]) {
      merged.push(next);
      at += 1;
      if (merged.length % stride === 0) yield;
    }
    merged.push(member);
    if (merged.length % stride === 0) yield;
  }
  for (const rest of other.slice(at)) merged.push(rest);
  return merged;
}
