/** Texts of forms that somebody else has changed while they were open. */
export const meanwhileMessages = {
  title: "Changed Meanwhile",
  taken: (labels: readonly string[]) =>
    `Since you opened this, it was changed elsewhere: ${labels.join(", ")}. The form shows it as it is now. What you typed is still here.`,
  clash: (label: string, text: string) =>
    `${label} was changed elsewhere too, and is now ${text === "" ? "empty" : `“${text}”`}. Saving replaces it with what is in the form.`,
  useTheirs: "Use What Is There Now",
  useTheirsOf: (label: string) => `Use What Is There Now: ${label}`,
  useMine: "Use What I Typed",
  useMineOf: (label: string) => `Use What I Typed: ${label}`,
} as const;
