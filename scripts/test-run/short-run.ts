/** Some test files, by a pattern as Vitest reads it from a package's folder, and why the short run does without them. */
export interface LeftOut {
  readonly files: string;
  readonly because: string;
}

/** The unit and server tests that take longest beside what they hold: `npm test -- --whole` runs them too. */
export const leftOutUnits: readonly LeftOut[] = [
  {
    files: "src/{backup,embedded-postgres,diagnosis,operations,database}/**/*.test.ts",
    because: "real servers, backups and databases that start, die and come back; no rule of counting",
  },
  {
    files: "src/{main,first-start}.test.ts",
    because: "the built program as a process",
  },
  {
    files: "src/assembly/http/**/*.test.ts",
    because:
      "every call against every person, bad input and address; the other tests make the calls that they use",
  },
  {
    files: "src/adjustments/release/*.test.ts",
    because: "a backup, a restore and a second server for each test",
  },
  {
    files: "src/adjustments/moving/{faults-251,stock-here}.test.ts",
    because: "faults-1.test.ts goes through each fault of a deploy and a rollback, with one row to a call",
  },
  {
    files: "src/reports/replica/*.test.ts",
    because: "a second PostgreSQL that follows the first",
  },
  {
    files: "src/reports/{export,report-sums,explanation/adds-up,auditors-file/*}.test.ts",
    because: "whole reports, their files and their sums, row by row; the other tests read single rows",
  },
  {
    files: "src/{paper,certificates,count-again,notices,audit,searches}/**/*.test.ts",
    because: "slices at the rim, which read what the others keep",
  },
  {
    files: "src/{scanning/samples/*,sessions/bulk-end,catalogue/clocks}.test.ts",
    because: "drawn samples, many sessions at once and clocks, each with scenes that take long to set",
  },
  {
    files: "src/{app/fallback-messages,features/reports/report-page-order}.test.tsx",
    because: "every page without its server, and the order of everything on the longest page",
  },
  {
    files: "src/features/reports/{deploy,exceptions,history,row}/*.test.tsx",
    because:
      "the dialogs of a report and a row's drawer, text by text; the rules are the server's, and the stocktake in the browser deploys by them",
  },
  {
    files:
      "src/features/{account,areas,audit,certificates,invitations,paper,settings,stores,users}/**/*.test.{ts,tsx}",
    because: "the administrator's other pages and forms, beside those of sessions and reports",
  },
  {
    files: "src/{features/sessions,sessions}/planned/**/*.test.{ts,tsx}",
    because: "plans of sessions, which become a session as any other once they are started",
  },
  {
    files: "src/**/{random-*,ledger,shelf,many-tags}.test.ts",
    because: "random histories and floods of tags, beside tests of each rule by name",
  },
];

/** The browser tests of the short run, by their file names: a whole stocktake, and counting without a network. */
export const shortBrowserTests: readonly string[] = ["stocktake.spec.ts", "counting-offline.spec.ts"];
