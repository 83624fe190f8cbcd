import pg from "pg";

/** SQLSTATE of unique_violation (PostgreSQL, appendix A). */
const uniqueViolation = "23505";

/**
 * Runs `work` and turns the violation of a named unique index into the error given for it. The index decides,
 * not a query beforehand, so two that come at once can't both get through; every other error stays as it is.
 */
export async function refusingDuplicates<Result>(
  refusals: Readonly<Record<string, () => Error>>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(refusals, error) ?? error;
  }
}

function refusalOf(refusals: Readonly<Record<string, () => Error>>, error: unknown): Error | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== uniqueViolation) return null;
  return refusals[error.constraint ?? ""]?.() ?? null;
}
