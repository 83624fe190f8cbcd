/**
 * Changes since the previous landing that a server of it could not live with, but for the reason that stands beside each: which release
 * stopped reading or writing what is gone, or why no server of before meets what is new. `npm run landing` begins anew without them.
 */
export const contractSteps: Readonly<Record<string, string>> = {
  "added: foreign key of opened_devices: FOREIGN KEY (session_id) REFERENCES sessions(id)":
    "No server deletes a session.",
  "added: foreign key of opened_devices: FOREIGN KEY (user_id) REFERENCES users(id)":
    "No server deletes a user: they are marked as deleted.",
  "added: foreign key of session_archives: FOREIGN KEY (session_id) REFERENCES sessions(id)":
    "No server deletes a session.",
};
