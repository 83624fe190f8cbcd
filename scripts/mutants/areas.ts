import type { PureTarget } from "./stryker.ts";

/** A file and the tests that may kill its mutants; from the root. */
interface Target {
  readonly file: string;
  readonly tests: readonly string[];
}

/**
 * What is changed in each area, and by which tests. `pure` is StrykerJS's; what survives there is tried against `further`
 * as well. `database` is for statements, transactions and code whose tests need a database. Tests are named from the root.
 */
export interface Area {
  readonly pure?: PureTarget;
  /** Tests with a database that may kill what survives of `pure`. */
  readonly further?: readonly string[];
  readonly database?: readonly Target[];
}

const contract = "packages/contract";
const server = "apps/server";
const web = "apps/web";

function inFolder(folder: string, names: string): string[] {
  return names.split(" ").map((name) => `${folder}/${name}`);
}

const rules = `${contract}/src/rules`;
const reports = `${server}/src/reports`;
const scanning = `${server}/src/scanning`;
const passes = `${server}/src/passes`;
const planning = `${server}/src/adjustments/planning`;
const moving = `${server}/src/adjustments/moving`;
const auth = `${server}/src/auth`;
const offline = `${web}/src/offline`;
const scanner = `${web}/src/scanner`;

const secondCounts = inFolder(`${scanning}/second-counts`, "circumstances.test.ts second-counts.test.ts");

// Short files first: what breaks everything is seen by them.
const endings = inFolder(
  scanning,
  "voided-before.test.ts endings/voided-by.test.ts endings/finish-of-session.test.ts endings/reopen.test.ts endings/restore.test.ts endings/own-totals.test.ts endings/audit.test.ts endings/recounts.test.ts undo.test.ts undo-waiting.test.ts endings/finish.test.ts",
);
const storing = inFolder(
  `${scanning}/storing`,
  "area-meant.test.ts interpret.test.ts counting-times.test.ts numbers.test.ts store-scans.test.ts batch.test.ts storing.test.ts repeats.test.ts duplicated-product.test.ts packs.test.ts limits.test.ts",
);
const decisions = inFolder(
  scanning,
  "exceptions/counted-otherwise.test.ts exceptions/locks.test.ts exceptions/decisions.test.ts exceptions/in-bulk.test.ts exceptions/take-back.test.ts exceptions/exceptions.test.ts",
);
function target(file: string, ...tests: readonly string[]): Target {
  return { file, tests };
}

export const areas: Readonly<Record<string, Area>> = {
  matching: {
    pure: {
      folder: contract,
      files: inFolder(
        rules,
        "matching.ts gtin.ts area-label.ts area-lines.ts natural-order.ts size-order.ts product-order.ts",
      ),
      tests: inFolder(
        rules,
        "matching.test.ts matching-reference.test.ts gtin.test.ts area-label.test.ts area-lines.test.ts size-order.test.ts product-order.test.ts",
      ),
    },
  },
  variance: {
    pure: {
      folder: server,
      files: inFolder(reports, "variance.ts report-rules.ts uncertain.ts counting-time.ts report-order.ts"),
      tests: inFolder(
        reports,
        "variance.test.ts report-rules.test.ts uncertain-reasons.test.ts report-order.test.ts",
      ),
    },
    further: inFolder(reports, "counting-time.test.ts uncertain.test.ts"),
    database: [
      target(
        `${reports}/counted-stock-queries.ts`,
        `${reports}/counted-stock-queries.test.ts`,
        `${reports}/rows/report-row-queries.test.ts`,
        ...inFolder(reports, "report-sums.test.ts routes.test.ts"),
      ),
      target(
        `${reports}/rows/report-row-queries.ts`,
        ...inFolder(reports, "rows/report-row-queries.test.ts report-sums.test.ts routes.test.ts"),
      ),
      target(
        `${reports}/other-sessions/counted-later-queries.ts`,
        ...inFolder(reports, "counted-later.test.ts routes.test.ts"),
      ),
    ],
  },
  classification: {
    database: [
      ...inFolder(scanning, "storing/interpret.ts storing/insert-round.ts storing/queries.ts").map((file) =>
        target(file, ...storing),
      ),
      target(`${scanning}/storing/incoming-scan.ts`, ...storing),
      target(
        `${scanning}/storing/store-scans.ts`,
        ...storing,
        ...inFolder(scanning, "storing/unresolved-room.test.ts events.test.ts"),
      ),
      target(`${scanning}/exceptions/settle.ts`, ...decisions, `${scanning}/tags/second-counts.test.ts`),
      ...inFolder(
        scanning,
        "exceptions/accept-or-dismiss.ts exceptions/locked-area-queries.ts exceptions/take-back.ts",
      ).map((file) => target(file, ...decisions)),
    ],
  },
  passes: {
    database: [
      ...inFolder(passes, "passes.ts endings.ts queries.ts").map((file) =>
        target(
          file,
          ...inFolder(
            passes,
            "in-progress.test.ts passes.test.ts pass-records.test.ts open-attempts.test.ts restored-tags.test.ts",
          ),
          ...inFolder(
            scanning,
            "area-scans.test.ts undo.test.ts what-is-kept.test.ts endings/restore.test.ts endings/finish.test.ts tags/tags.test.ts",
          ),
          ...secondCounts,
        ),
      ),
      target(
        `${scanning}/endings/same-count.ts`,
        ...inFolder(scanning, "endings/finish.test.ts endings/own-totals.test.ts tags/unheard-tags.test.ts"),
        `${server}/src/paper/count-rows/finish-beside-a-file.test.ts`,
        ...secondCounts,
      ),
      target(
        `${scanning}/undo.ts`,
        ...inFolder(
          scanning,
          "undo.test.ts undo-waiting.test.ts undo-refused.test.ts undo-locks.test.ts endings/voided-by.test.ts tags/tags.test.ts what-is-kept.test.ts events.test.ts second-counts/doubtful-figures.test.ts",
        ),
        ...secondCounts,
      ),
      ...inFolder(
        scanning,
        "endings/finish.ts endings/own-total.ts endings/reopen.ts endings/reset.ts endings/restore.ts",
      ).map((file) =>
        target(
          file,
          ...endings,
          ...inFolder(
            scanning,
            "endings/makers.test.ts what-is-kept.test.ts events.test.ts tags/unheard-tags.test.ts",
          ),
          ...secondCounts,
          `${server}/src/sessions/assignments/assignments.test.ts`,
        ),
      ),
    ],
  },
  planning: {
    database: [
      ...inFolder(planning, "plan-deploy.ts plan-rollback.ts").map((file) =>
        target(
          file,
          ...inFolder(
            planning,
            "plan-rollback.test.ts rollback-refused.test.ts plan-deploy.test.ts shared-location.test.ts",
          ),
        ),
      ),
      target(`${reports}/moved-by-others.ts`, `${reports}/moved-by-others.test.ts`),
      target(`${planning}/zeroing.ts`, ...inFolder(planning, "uncounted-stock.test.ts zeroing.test.ts")),
      target(`${planning}/stocking.ts`, `${planning}/stocking.test.ts`, `${moving}/stock-here.test.ts`),
      target(`${planning}/shop-check.ts`, `${planning}/shop-check.test.ts`),
      target(
        `${planning}/preview-rollback.ts`,
        ...inFolder(planning, "rollback-rows.test.ts preview-on-record.test.ts preview-rollback.test.ts"),
      ),
    ],
  },
  answers: {
    pure: {
      folder: server,
      files: inFolder(moving, "interpret-answer.ts stock-readings.ts regroup.ts"),
      tests: inFolder(
        moving,
        "answers-said.test.ts interpret-answer.test.ts stock-readings.test.ts regroup.test.ts",
      ),
    },
    further: [`${moving}/certainty.test.ts`],
    database: [
      target(
        `${moving}/nothing-moved.ts`,
        `${moving}/ended-without-effect.test.ts`,
        `${moving}/nothing-moved.test.ts`,
      ),
      target(
        `${moving}/conclude.ts`,
        ...inFolder(moving, "concluded.test.ts note-of-conclusion.test.ts nothing-moved.test.ts"),
      ),
    ],
  },
  policies: {
    database: [
      // The walk over every call of the product takes half a minute for each mutant; what these leave wants a test here.
      target(`${auth}/access-queries.ts`, `${auth}/access-queries.test.ts`),
      target(`${server}/src/kernel/route.ts`, `${server}/src/kernel/route.test.ts`),
    ],
  },
  limits: {
    pure: {
      folder: server,
      files: [
        `${server}/src/kernel/visitor-address.ts`,
        ...inFolder(auth, "passwords.ts sign-in-queue.ts guess-pace.ts"),
        `${scanning}/devices/call-rate.ts`,
      ],
      tests: [
        `${server}/src/kernel/visitor-address.test.ts`,
        ...inFolder(auth, "sign-in-queue.test.ts passwords.test.ts guess-pace.test.ts"),
        `${scanning}/devices/call-rate.test.ts`,
      ],
    },
    // Where a constant's mutant keeps a file from being loaded, StrykerJS takes it for a survivor.
    further: [`${auth}/passwords.test.ts`],
    database: inFolder(auth, "guess-limit.ts guess-queries.ts").map((file) =>
      target(
        file,
        ...inFolder(
          auth,
          "guess-queries.test.ts guess-turns.test.ts guess-line.test.ts guess-limit.test.ts guessing.test.ts",
        ),
      ),
    ),
  },
  queue: {
    pure: {
      folder: web,
      files: inFolder(
        offline,
        "outbox/append.ts outbox/settle.ts outbox/read.ts outbox/maintenance.ts outbox/queue-reports.ts sync/next-step.ts sync/reply.ts sync/send-scans.ts",
      ),
      // Those that run the whole engine take long, and one that waits for ever longest.
      tests: inFolder(
        offline,
        "outbox/*.test.ts sync/next-step.test.ts sync/reply.test.ts sync/send-scans.test.ts",
      ),
    },
  },
  debounce: {
    pure: {
      folder: web,
      files: inFolder(
        scanner,
        "debounce.ts repeat-filter.ts keystrokes.ts scanner-input.ts interpret.ts upc-e.ts",
      ),
      tests: inFolder(scanner, "scanner.test.ts scanner-input.test.ts camera.test.ts"),
    },
  },
};
