/** What the strength of a new password means. */
export const messages = {
  label: "Strength of the new password",
  words: {
    0: "Very weak: one of the first that anybody would try.",
    1: "Weak: a program guesses it in minutes.",
    2: "Fair: it holds against guessing here, not against somebody who has a copy of the database.",
    3: "Good.",
    4: "Strong.",
  },
} as const;
