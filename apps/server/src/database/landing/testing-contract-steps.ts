/**
 * Changes since the previous landing that a server of it could not live with, but for the reason beside each: which release
 * stopped reading or writing what is gone, or why no server of before meets what is new. `npm run landing` begins anew without them.
 */
export const contractSteps: Readonly<Record<string, string>> = {
  "added: foreign key of tolerance_statements: FOREIGN KEY (session_id) REFERENCES sessions(id)":
    "No release deletes a session.",
  "added: foreign key of tolerance_statements: FOREIGN KEY (stated_by) REFERENCES users(id)":
    "No release deletes a person: an account that is deleted keeps its row.",
};
