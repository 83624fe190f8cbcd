import { limits } from "@stocktake/contract";

const unsent = "Scans that a device has not sent yet stay on it, and are sent after the next login there.";

/** Messages of the users page. */
export const messages = {
  title: "Users",
  subtitle: "Counters with their own account, and those invited to a session",
  addHeading: "Add Counter",
  listHeading: "Counters",
  username: "Username",
  password: "Password",
  newPassword: "New Password (Optional)",
  newPasswordHint: "Leave empty to keep the current one. A new password signs the counter out everywhere.",
  add: "Add Counter",
  adding: "Adding Counter...",
  edit: "Edit",
  editHeading: "Edit Counter",
  save: "Save Changes",
  saving: "Saving...",
  activate: "Activate",
  deactivate: "Deactivate",
  remove: "Delete",
  none: "No Counters Yet",
  noneText: "Invitations are enough for most counts. Add an account for people who count regularly.",
  usernameRequired: "Username is required",
  passwordTooShort: `The password must be at least ${limits.passwordMinimum} characters long`,
  fetchFailed: "Failed to fetch counters",
  createFailed: "Failed to create counter",
  updateFailed: "Failed to update counter",
  deleteFailed: "Failed to delete counter",
  created: (name: string) => `${name} was added.`,
  updated: (name: string) => `${name} was saved.`,
  deactivated: (name: string) => `${name} was deactivated.`,
  activated: (name: string) => `${name} was activated.`,
  deleted: (name: string) => `${name} was deleted.`,
  deactivateDialog: {
    title: "Deactivate counter?",
    question: (name: string) => `Are you sure you want to deactivate ${name}?`,
    consequences: [
      "The counter is signed out everywhere immediately.",
      "Their scans stay in the count.",
      unsent,
    ],
  },
  deleteDialog: {
    title: "Delete counter?",
    question: (name: string) => `Are you sure you want to delete ${name}?`,
    consequences: [
      "The account can't be restored, and the counter is signed out everywhere immediately.",
      "Their scans stay in the count under this name.",
      unsent,
    ],
    confirm: "Delete Counter",
  },
  temporary: {
    heading: "Temporary Counters",
    none: "No Temporary Counters",
    noneText: "People invited to active sessions appear here.",
    invited: "Invited",
    joined: "Joined",
    manage: "Manage invitations on the Sessions page",
  },
} as const;
