import { countText, namesText, quantityText } from "../../ui/formats.ts";

/** "1 location and 2 areas", without what there is none of. */
function addedText(locations: number, areas: number): string {
  return [
    ...(locations === 0 ? [] : [countText(locations, "location", "locations")]),
    ...(areas === 0 ? [] : [countText(areas, "area", "areas")]),
  ].join(" and ");
}

/** Messages of the locations page (specification, sections 2, 4, 5 and 8). */
export const messages = {
  title: "Locations",
  subtitle: "The locations of each store and their counting areas",
  addHeading: "Add New Location",
  storeLabel: "Store",
  chooseStore: "Select a store",
  nameLabel: "Location Name",
  add: "Add Location",
  adding: "Adding Location...",
  storeRequired: "Store is required",
  nameRequired: "Location name is required",
  addAreas: "ADD AREAS",
  startSession: "Start a Session",
  edit: "EDIT",
  remove: "DELETE",
  reopen: "REOPEN",
  editHeading: "Edit Location",
  save: "Save Changes",
  saving: "Saving...",
  noStoresText: "Add a store first, then its locations.",
  noLocationsHere: "This store has no locations yet.",
  noAreas: "No areas yet. Add them with ADD AREAS.",
  fetchFailed: "Failed to fetch data",
  createFailed: "Failed to create location",
  updateFailed: "Failed to update location",
  areasFailed: "Failed to create areas",
  deleteLocationFailed: "Failed to delete location",
  deleteAreaFailed: "Failed to delete area",
  reopenFailed: "Failed to reopen area",
  status: { not_started: "Not Started", in_progress: "In Progress", closed: "Completed" },
  recountNeeded: "Recount needed",
  recountRequested: "Recount requested",
  created: (name: string) => `${name} was added.`,
  updated: (name: string) => `${name} was saved.`,
  deleted: (name: string) => `${name} was deleted.`,
  areasCreated: (count: number) => `${countText(count, "area was", "areas were")} added.`,
  reopened: (code: string) => `Area ${code} was reopened.`,
  editArea: {
    heading: (code: string) => `Edit Area ${code}`,
    name: "Area Name",
    nameRequired: "Area name is required",
    note: "The code stays: labels and phones know the area by it. For another code, delete the area and add a new one.",
    sameName:
      "Another area of this location has this name too. The report shows areas by name, so nobody can tell the two apart there.",
    failed: "Failed to update area",
  },
  deleteLocation: {
    title: "Delete location?",
    question: (name: string) => `Are you sure you want to delete ${name} and all its areas?`,
    confirm: "Delete Location",
    consequences: (areas: number) => [
      areas === 1 ? "Its area is deleted too." : `Its ${quantityText(areas)} areas are deleted too.`,
      "Reports of past sessions stay as they are.",
    ],
  },
  deleteArea: {
    title: "Delete area?",
    question: (code: string) => `Are you sure you want to delete area ${code}?`,
    confirm: "Delete Area",
    consequences: ["It can no longer be counted.", "Reports of past sessions stay as they are."],
  },
  reopenArea: {
    title: "Reopen area?",
    question: (code: string) => `Are you sure you want to reopen area ${code}? This erases its scans.`,
    confirm: "Reopen Area",
    consequences: [
      "Everything scanned there in this session is removed from the count, and the area must be recounted from zero.",
      "Everyone who counts in this session is told at once.",
      "The scans stay on record: until the session ends, they can be restored under Previous counts in Sessions.",
    ],
  },
  sessionOver: {
    title: (code: string) => `Area ${code} is completed`,
    ended: (time: string) =>
      `The session that counted it ended ${time}, so there is nothing to reopen. Its count is in the report and stays as it is.`,
    report: "To correct a single product, adjust its count in the report.",
    again: "To count the area again, start a session: every area then begins as not started.",
    toReport: "View Report",
    toSessions: "Go to Sessions",
  },
  merge: {
    button: "MERGE",
    title: (code: string) => `Merge Area ${code}`,
    into: "Into",
    choose: "Choose an area",
    option: (code: string, name: string) => (code === name ? code : `${code} – ${name}`),
    consequences: (code: string) => [
      `The two become one area, with the code and name of the one you choose. ${code} is no longer an area of its own, and its printed label opens the other.`,
      "While a session runs this can be done only before anybody has counted in either. If only one of the two is void there, the whole is to be counted. Scans that a phone without a network made in it are kept for you to decide about. Reports of past sessions stay as they are. It can't be undone.",
    ],
    confirm: "Merge Areas",
    busy: "Merging...",
    failed: "Failed to merge the areas",
    done: (code: string, into: string) => `${code} is now a part of ${into}.`,
  },
  copy: {
    button: "COPY FROM A STORE",
    buttonOf: (store: string) => `COPY FROM A STORE to ${store}`,
    title: (store: string) => `Copy Locations and Areas to ${store}`,
    from: "From",
    choose: "Choose a store",
    note: "You see what is added before anything is. What is there already stays as it is.",
    preview: "What is added",
    adds: (locations: number, areas: number) =>
      locations + areas === 0
        ? "Everything of that store is there already."
        : `${addedText(locations, areas)} will be added.`,
    newLocation: (name: string) => `${name} (new)`,
    added: (codes: readonly string[]) =>
      codes.length === 0 ? "No areas to add" : `Added: ${codes.join(", ")}`,
    stay: (codes: readonly string[]) => `There already, stays as it is: ${codes.join(", ")}`,
    confirm: "Copy",
    busy: "Copying...",
    failed: "Failed to copy the areas",
    fetchFailed: "Failed to fetch data",
    done: (locations: number, areas: number, store: string) =>
      `Added to ${store}: ${addedText(locations, areas)}.`,
  },
  labelsLink: "LABELS",
  labels: {
    title: "Area Labels",
    subtitle: (location: string) => `Cut out and put up in ${location}. Scanning a label opens its area.`,
    print: "Print Labels",
    back: "Back to Locations",
    barcode: (code: string) => `Barcode that opens area ${code}`,
    withCode: "With the session code",
    codeHeading: (store: string) => `Count ${store}`,
    codePicture: "QR code of the session",
    codeText: "Open the camera of your phone and point it at the code.",
    codeOf: (day: string) => `For the count that began on ${day}`,
    none: "No Areas Yet",
    gone: "Location Not Found",
    goneText: "It may have been deleted.",
  },
  bulk: {
    title: (name: string) => `Add areas to ${name}`,
    label: "Areas",
    hint: "One per line as CODE,NAME. The name is optional; blank lines are ignored.",
    placeholder: "A1,Front window\nA2,Checkout\nB1",
    preview: "Preview",
    busy: "Adding Areas...",
    submit: (count: number) => `Add ${countText(count, "Area", "Areas")}`,
    correct: (count: number) => `Correct ${countText(count, "line", "lines")} first`,
    separator: {
      tab: "This line has a tab but no comma, so all of it is read as the code. Did you mean CODE,NAME?",
      semicolon:
        "This line has a semicolon but no comma, so all of it is read as the code. Did you mean CODE,NAME?",
    },
    sameNames: (names: readonly string[], more: number) =>
      `Several areas of this location share a name: ${namesText(more === 0 ? names : [...names, `${quantityText(more)} more`])}. The report shows areas by name, so nobody can tell them apart there.`,
    tooMany: (most: number) => `At most ${quantityText(most)} areas can be added at a time.`,
  },
} as const;
