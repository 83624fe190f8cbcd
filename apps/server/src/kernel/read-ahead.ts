/**
 * What reading each of the items comes to, in their order: the next is being read while one is used. It is over only once whatever was
 * begun has ended, also for a reader that leaves early, so that what the readings need can be given back then.
 */
export async function* readAhead<Item, Result>(
  items: Iterable<Item>,
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const left = items[Symbol.iterator]();
  const beginNext = (): Promise<Result> | null => {
    const next = left.next();
    if (next.done === true) return null;
    const reading = read(next.value);
    // It may fail while the one before is still used: then it is told when it is its turn, and until then it is no accident.
    reading.catch(() => undefined);
    return reading;
  };
  let underWay = beginNext();
  try {
    while (underWay !== null) {
      const result = await underWay;
      underWay = beginNext();
      yield result;
    }
  } finally {
    await underWay?.catch(() => undefined);
  }
}
