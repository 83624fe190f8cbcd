import { GeneratedPasswordNotice } from "./generated-password-notice.tsx";
import { ProofQuestion } from "./proof/proof-dialog.tsx";

/** What every page of an administrator has: a notice as long as the first password is in use, and the question for a proof. */
export function AccountGuards() {
  return (
    <>
      <GeneratedPasswordNotice />
      <ProofQuestion />
    </>
  );
}
