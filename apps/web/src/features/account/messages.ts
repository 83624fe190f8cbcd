/** Messages about one's own account: its logins, and what guards them. */
export const messages = {
  logins: {
    heading: "Logins",
    title: "My Logins",
    subtitle: "Where you are signed in",
    intro: "Every browser that is signed in as you. End what you don't know or no longer use.",
    unknownBrowser: "Unknown browser",
    thisOne: "This browser",
    browser: "Browser",
    signedIn: "Signed in",
    lastSeen: "Last seen",
    end: "End",
    endOthers: "End All Others",
    alone: "You are signed in nowhere else.",
    fetchFailed: "Failed to fetch logins",
    endFailed: "Failed to end the login",
    ended: (browser: string) => `The login of ${browser} has ended.`,
    othersEnded: (count: number) => (count === 1 ? "1 login has ended." : `${count} logins have ended.`),
    endDialog: {
      title: "End this login?",
      question: (browser: string) => `Whoever uses ${browser} has to sign in again.`,
    },
    othersDialog: {
      title: "End all other logins?",
      question: "Every browser but this one has to sign in again.",
    },
    consequence: "Scans that a device has not sent yet stay on it, and are sent after the next login there.",
    strange: "If you don't know one of them, somebody else knows your password: have it changed as well.",
  },
} as const;
