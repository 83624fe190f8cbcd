import { Section } from "../../ui/section.tsx";
import { LoginList } from "./logins/login-list.tsx";
import { messages } from "./messages.ts";
import { SecondFactorPanel } from "./second-factor/second-factor-panel.tsx";

/** What concerns the administrator's own account, for the settings. */
export function AccountSections() {
  return (
    <>
      <Section title={messages.security.heading}>
        <SecondFactorPanel />
      </Section>
      <Section title={messages.logins.heading}>
        <LoginList />
      </Section>
    </>
  );
}
