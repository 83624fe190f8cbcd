import { countText } from "../../../ui/formats.ts";

const noMail =
  "No mail server is configured, so nothing is sent: pass on each link yourself, from the list under Invite Counters.";

export const plannedMessages = {
  heading: "Planned Sessions",
  none: "Nothing Planned",
  noneText: "Prepare a count beforehand: its areas and the people. Nobody is told of it until you start it.",
  plan: "Plan a Session",
  planned: (count: string) => `Planned: ${count}`,
  start: "Start Now",
  startOf: (count: string) => `Start Now: the planned ${count}`,
  edit: "Edit",
  editOf: (count: string) => `Edit the planned ${count}`,
  remove: "Delete",
  removeOf: (count: string) => `Delete the planned ${count}`,
  running: "This store is being counted now. End that session first.",
  inactive: "This store is inactive. Activate it first.",
  scope: "Scope",
  areas: "Areas",
  allAreas: "All",
  someAreas: (count: number) => countText(count, "area", "areas"),
  people: "Invited at the start",
  nobody: "Nobody",
  somebody: (count: number) => countText(count, "person", "people"),
  consequences: (people: number, sendsMail: boolean) => {
    if (people === 0) return [];
    const invited = countText(people, "person gets an invitation", "people get invitations");
    return [sendsMail ? `${invited} by mail at once.` : `${invited} at once. ${noMail}`];
  },
  /** Beside that counting has started. */
  notSent: (people: number) =>
    `${countText(people, "invitation was created", "invitations were created")}. ${noMail}`,
  assigned: "Assigned",
  assignedTo: (areas: number, people: number, enforced: boolean) =>
    `${countText(areas, "area", "areas")} to ${countText(people, "person", "people")}${enforced ? " alone" : ""}`,
  assigns: (areas: number, enforced: boolean) =>
    enforced
      ? `${countText(areas, "area is", "areas are")} assigned with the invitations, and nobody else may count ${areas === 1 ? "it" : "them"} then.`
      : `${countText(areas, "area is", "areas are")} assigned with the invitations, as a suggestion.`,
  deleted: (names: readonly string[]) =>
    `Deleted since this was planned, so not counted and nobody's: ${names.join(", ")}.`,
  takesOut: (names: readonly string[]) =>
    `Deleted since this was planned: ${names.join(", ")}. Saving takes ${names.length === 1 ? "it" : "them"} out of the plan.`,
  assign: "Assign Areas to These People",
  leavesOut: (count: number) => `Only ${countText(count, "area is", "areas are")} counted.`,
  planTitle: "Plan a Session",
  editTitle: (store: string) => `Planned Session of ${store}`,
  store: "Store",
  chooseStore: "Choose a store",
  everyArea: "All areas of the store",
  everyAreaNote: "A full count is always of all areas.",
  noAreas: "This store has no areas yet. Add them under Locations.",
  peopleField: "People to Invite",
  assignedField: "Assigned areas",
  areasOf: (address: string, areas: number) => `${address}: ${countText(areas, "area", "areas")}`,
  enforcedField: "Who may count an assigned area",
  enforced: "Only whom it is assigned to",
  notEnforced: "Everybody",
  peopleLabel: "People to Invite (Optional)",
  peopleHint: (sendsMail: boolean) =>
    `One person a line: name, email. They get their invitations when you start the session.${sendsMail ? "" : ` ${noMail}`}`,
  peopleProblem: (line: number, problem: string) => `Line ${line}: ${problem}`,
  tooManyPeople: (most: number) => `A plan can invite at most ${most} people.`,
  save: "Save Plan",
  saving: "Saving...",
  saveFailed: "Failed to save the plan",
  saved: (store: string) => `The session in ${store} is planned. Nobody has been told yet.`,
  removeTitle: "Delete the planned session?",
  removeQuestion: (store: string) => `Are you sure you want to delete the planned session of ${store}?`,
  removeConsequences: ["Nobody had been told of it. Nothing else changes."],
  removeFailed: "Failed to delete the plan",
  removed: (store: string) => `The planned session of ${store} was deleted.`,
  fetchFailed: "Failed to fetch planned sessions",
};
