import type { Rolldown } from "vite";

/**
 * What lies together in a file of the build. A file costs a request of about a kilobyte, so a page loads a few, each of one
 * subject; what a page does not use is in none of them (e2e/src/first-load.spec.ts holds the budgets).
 */

function isIn(...folders: readonly string[]): (id: string) => boolean {
  return (id) => folders.some((folder) => id.replaceAll("\\", "/").includes(folder));
}

const isPackage = (...names: readonly string[]) => isIn(...names.map((name) => `/node_modules/${name}/`));

const ofMantine = (...components: readonly string[]) =>
  isIn(...components.map((name) => `/@mantine/core/esm/components/${name}/`));

const isSmall = isIn(
  "/src/http/use-change",
  "/src/events/observable",
  "/src/ui/formats",
  "/src/ui/timers",
  "/src/ui/public-card",
  "/src/ui/saving/save-file",
);

/** Components of the administrator's pages alone; no page of a counter names one of them. */
const isOfAdministration = isIn(
  ...["Checkbox", "Chip", "SimpleGrid", "Textarea"].map((name) => `/@mantine/core/esm/components/${name}/`),
  ...[
    "areas",
    "certificates",
    "count-again",
    "figures",
    "names",
    "people",
    "recounts",
    "samples",
    "searches",
    "tables",
    "ticking",
    "tolerances",
  ].map((folder) => `/src/ui/${folder}/`),
  ...[
    "drawer",
    "empty-state",
    "form-dialog",
    "no-stores",
    "operation-progress",
    "saving/use-saving",
    "search/messages",
    "search/searchable-list",
    "search/session-text",
    "session-page",
    "show-more",
  ].map((file) => `/src/ui/${file}.`),
  // What only their pages ask the server, each file a few hundred bytes.
  ...[
    "assignments",
    "count-again",
    "coverage",
    "long-change",
    "proof",
    "recount",
    "report-path",
    "samples",
    "searches",
    "second-counts",
    "shared-queries",
    "sheets",
    "tolerances",
    "work-under-way",
  ].map((file) => `/src/http/${file}.`),
);

/** Dialogs, and the rest of our own components, which open them: what a page behind a login is made of. */
const isDialog = (() => {
  const made = ofMantine("Modal", "ModalBase", "Drawer", "ScrollArea", "Portal", "FocusTrap", "Overlay");
  const help = isPackage(
    "react-remove-scroll",
    "react-remove-scroll-bar",
    "react-style-singleton",
    "use-sidecar",
    "use-callback-ref",
    "get-nonce",
    "tslib",
  );
  const ours = isIn("/src/ui/");
  const rare = isIn(
    ...["qr-code", "password-strength", "contract-form", "pressing/back-closes"].map(
      (file) => `/src/ui/${file}`,
    ),
  );
  return (id: string) =>
    made(id) || help(id) || (ours(id) && !isOfAdministration(id) && !rare(id) && !isSmall(id));
})();

/** What forms are made of. */
const isControl = ofMantine("Radio", "Switch", "Progress", "List", "InlineInput");

const ofDevice = isIn("/src/offline/", "/node_modules/idb/");
const ofDeviceAtStart = isIn("/src/offline/device/device-provider", "/src/offline/device/device-context");
const ofCalls = isIn("/packages/contract/src/calls/", "/packages/contract/src/rules/");

/** What anybody may call: who signs in, and who is invited. */
const ofLogin = isIn(
  ...["auth", "invitations", "second-factor", "session-codes"].map(
    (file) => `/packages/contract/src/calls/${file}.`,
  ),
);

/** What is called, and decided by the same rules, where somebody counts. */
const ofCounting = isIn(
  ...[
    "calls/areas",
    "calls/catalogue",
    "calls/devices",
    "calls/operations",
    "calls/packs",
    "calls/scanning",
    "calls/searches/",
    "calls/second-counts/second-counts",
    "calls/second-counts/skus-to-count-again",
    "calls/sessions",
    "calls/stores",
    "rules/area-l",
    "rules/gtin",
    "rules/matching",
    "rules/packed-index",
    "rules/packs",
    "rules/tags",
  ].map((file) => `/packages/contract/src/${file}`),
);

const isOfContract = (id: string) =>
  isIn("/node_modules/zod/", "/packages/contract/src/")(id) && !ofCalls(id);

/** What the first script imports, but for what an index of re-exports alone names: each page loads of that what it uses. */
function isOfStart(id: string): boolean {
  return ofDeviceAtStart(id) || !(ofDevice(id) || ofCalls(id));
}

/** What every page of an administrator begins with. */
const isGuard = isIn(
  ...["account-guards", "generated-password-notice", "messages", "proof/"].map(
    (name) => `/src/features/account/${name}`,
  ),
);

const isPart = (() => {
  const made = isPackage(
    "@floating-ui",
    "@mantine/core",
    "@mantine/hooks",
    "@tanstack/react-query",
    "@tanstack/query-core",
  );
  return (id: string) => made(id) || isSmall(id);
})();

// No group brings along what its modules import: that belongs where it belongs.
const includeDependenciesRecursively = false;

const alone = { includeDependenciesRecursively };

export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  // What every page needs: one file that seldom changes, and one of the product's own.
  { name: "react", test: isPackage("react", "react-dom", "scheduler", "react-router"), ...alone },
  // What the calls of the contract are written in.
  { name: "contract", test: isOfContract, ...alone },
  { name: "start", tags: ["$initial"], test: isOfStart, ...alone },
  // What few people ever load, each under a name by which a phone's cache leaves it out.
  { name: "password-estimator", test: isPackage("@zxcvbn-ts", "fastest-levenshtein"), ...alone },
  { name: "passkeys", test: isPackage("@simplewebauthn"), ...alone },
  { name: "barcode-pictures", test: isPackage("bwip-js"), ...alone },
  { name: "device", test: ofDevice, ...alone },
  { name: "administration", test: isOfAdministration, ...alone },
  { name: "account-guards", test: isGuard, ...alone },
  { name: "second-factor", test: isIn("/src/identity/second-factor/"), ...alone },
  { name: "dialogs", test: isDialog, ...alone },
  {
    name: "forms",
    test: isIn("/@mantine/form/", "/klona/", "/fast-deep-equal/", "/src/ui/contract-form"),
    ...alone,
  },
  {
    name: "counting",
    test: isIn(
      ...[
        "device",
        "lists",
        "opening",
        "recounts",
        "messages",
        "mismatch",
        "restored-messages",
        "searching/queries",
        "taken-back-reason",
      ].map((part) => `/src/features/counting/${part}`),
      ...["early-keys", "feedback", "keys", "use-feedback", "use-burst-guard"].map(
        (part) => `/src/scanner/${part}`,
      ),
    ),
    ...alone,
  },
  { name: "first-calls", tags: ["$initial"], test: ofCalls, ...alone },
  // Before anybody has signed in there are no others.
  { name: "login-calls", test: ofLogin, ...alone },
  { name: "counting-calls", test: ofCounting, ...alone },
  { name: "calls", test: ofCalls, entriesAware: true, entriesAwareMergeThreshold: 34_000, ...alone },
  { name: "controls", test: isControl, ...alone },
  {
    name: "parts",
    test: isPart,
    ...alone,
  },
];
