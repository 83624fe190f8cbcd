interface Reports {
  /** Throws the first error that a page has reported. */
  requireNone(): void;
}

/** Collects what pages report, for which Node has no function, except errors of a page that was closed midway. */
export function collectReports(): Reports {
  const reported: unknown[] = [];
  globalThis.reportError = (error: unknown) => {
    const isFromClosedPage = error instanceof DOMException && error.name === "InvalidStateError";
    if (!isFromClosedPage) reported.push(error);
  };
  return {
    requireNone() {
      if (reported.length > 0) throw reported[0];
    },
  };
}
