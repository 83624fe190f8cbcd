/** The words of the settings page (specification, sections 5, 8 and 9). */
export const texts = {
  title: "Settings",
  subtitle: "Administrator password and the health of the system",
  passwordHeading: "Change Password",
  current: "Current Password",
  next: "New Password",
  confirmation: "Confirm New Password",
  submit: "Change Password",
  busy: "Changing Password...",
  required: "All fields are required",
  mismatch: "New passwords do not match",
  tooShort: "New password must be at least 6 characters long",
  changed: "Admin password changed successfully!",
  failed: "Failed to change password",
  healthHeading: "System Health",
  healthFailed: "Failed to fetch data",
} as const;
