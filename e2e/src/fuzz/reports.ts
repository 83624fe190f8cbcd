interface Reports {
  /** Throws the first error that a page has reported meanwhile. */
  requireNone(): void;
}

/** Takes what pages report, which Node has no place for: save what a page says that was torn down in the middle. */
export function takeReports(): Reports {
  const reported: unknown[] = [];
  globalThis.reportError = (error: unknown) => {
    const isTornDown = error instanceof DOMException && error.name === "InvalidStateError";
    if (!isTornDown) reported.push(error);
  };
  return {
    requireNone() {
      if (reported.length > 0) throw reported[0];
    },
  };
}
