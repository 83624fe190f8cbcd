/**
 * Changes since the previous landing that a server of it could not live with, but for the reason that stands beside each: which release
 * stopped reading or writing what is gone, or why no server of before meets what is new. `npm run landing` begins anew without them.
 */
export const contractSteps: Readonly<Record<string, string>> = {
  "function has_taken_part(person uuid, of_session uuid, of_area uuid, counted_pass integer, before_round integer) does something else":
    "It compares the names that people asked for, where they were given others, which a server of before gives nobody.",
  "added: foreign key of device_statements: FOREIGN KEY (session_id) REFERENCES sessions(id)":
    "No release deletes a session.",
  "added: foreign key of device_statements: FOREIGN KEY (stated_by) REFERENCES users(id)":
    "No release deletes a person: an account that is deleted keeps its row.",
  "added: check of failed_logins: CHECK ((kind = ANY (ARRAY['admin'::text, 'counter'::text, 'password_change'::text, 'second_factor'::text])))":
    "It takes all that the one before took.",
  "gone: check of failed_logins: CHECK ((kind = ANY (ARRAY['admin'::text, 'counter'::text, 'password_change'::text])))":
    "A server of before looks for wrong passwords of one kind at a time, and has no use for those of another.",
  "added: check of notices: CHECK ((kind = ANY (ARRAY['guessing'::text, 'new_browser'::text, 'password_changed'::text, 'counter_created'::text, 'factor_not_shown'::text])))":
    "It takes all that the one before took.",
  "gone: check of notices: CHECK ((kind = ANY (ARRAY['guessing'::text, 'new_browser'::text, 'password_changed'::text, 'counter_created'::text])))":
    "A server of before that takes a notice that it does not know for a mail logs that it could not be sent; it is due again a minute later.",
  "added: trigger of users: CREATE TRIGGER users_password_changed BEFORE UPDATE OF password_hash FOR EACH ROW WHEN ((old.password_hash IS DISTINCT FROM new.password_hash)) EXECUTE FUNCTION count_password()":
    "It counts in a column that a server of before neither reads nor writes.",
};
