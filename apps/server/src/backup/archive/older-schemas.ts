/**
 * What each migration since the first release with archives (0052) does to the rows of an archive that was written before it. Whoever
 * adds one says so here: `asTheyAre` where rows of before need nothing, because it adds tables, or columns that may stay empty or have a
 * default that is right for them; `changed` where it fills, renames or retypes a column of `archivedTables`. An archive is not brought
 * back over one that has changed its tables.
 */
const sinceArchives: ReadonlyMap<number, "asTheyAre" | "changed"> = new Map([
  [53, "asTheyAre"],
  [54, "asTheyAre"],
  [55, "asTheyAre"],
  [56, "asTheyAre"],
  [57, "asTheyAre"],
  [58, "asTheyAre"],
  [59, "asTheyAre"],
  [60, "asTheyAre"],
  [61, "asTheyAre"],
  [62, "asTheyAre"],
  [63, "asTheyAre"],
  [64, "asTheyAre"],
  [65, "asTheyAre"],
  [66, "asTheyAre"],
]);

/** The migration that archives came with: none is of an earlier schema. */
const firstWithArchives = 52;

export function leavesArchivesAsTheyAre(version: number): boolean {
  return sinceArchives.get(version) === "asTheyAre";
}

/** Whether somebody has said what the migration does to archives. */
export function isClassified(version: number): boolean {
  return version <= firstWithArchives || sinceArchives.has(version);
}
