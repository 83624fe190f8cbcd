/** Messages of the page for counts from files. */
export const messages = {
  title: "Counts from Files",
  subtitle: (store: string) => `Counts of ${store} that were not scanned by a device`,
  back: "Back to Sessions",
  failed: "Failed to fetch data",
  missing: "Session Not Found",
  missingText: "It may belong to another installation. Go back to Sessions and choose one.",
  over: "This count has ended",
  overText: "Nothing can be added to it from here. Change a figure in its report instead.",
} as const;
