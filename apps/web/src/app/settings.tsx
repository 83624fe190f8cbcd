import { AccountSections } from "../features/account/account-sections.tsx";
import { SettingsPage } from "../features/settings/settings-page.tsx";

/** The settings with what concerns the administrator's own account. */
export function Settings() {
  return <SettingsPage account={<AccountSections />} />;
}
