import { quantityText } from "../../ui/formats.ts";

/** Messages of the login and the access notice (specification, sections 2 and 8). */
export const messages = {
  adminHeading: "Administrator Login",
  counterHeading: "Counter Login",
  hint: "Counter staff receive invitation links by email.",
  toCounterForm: "Counter with an account? Use your username",
  toAdminForm: "Back to the administrator login",
  continueCount: "Continue the Count",
  signIn: "Sign In",
  signingIn: "Signing In...",
  loginFailed: "Login failed",
  deniedHeading: "Access Denied",
  deniedText: "You don't have permission to access this page.",
  goBack: "Go Back",
  otherAccount: "Login with Different Account",
  factorHeading: "Second Factor",
  factorText: "Your password is right. Show your second factor to sign in.",
  backToPassword: "Back to the password",
  ended: {
    invitation_revoked: "Your invitation was revoked",
    session_over: "Your counting session is over",
    signed_in_elsewhere: "You were signed out here, because you signed in elsewhere",
    expired: "Your login has expired",
    unknown: "Your login has ended",
  },
  details: {
    invitation_revoked: null,
    session_over: null,
    signed_in_elsewhere:
      "Your invitation or your account was used to sign in on more devices than it takes at a time.",
    expired: null,
    unknown: "It was ended on the server.",
  },
  logoutOwed: "The server has not heard that you logged out",
  logoutOwedText:
    "You are logged out on this device, and nobody gets back in without signing in. The server is told as soon as it responds: leave this page open until this notice is gone.",
  allSent: "Everything scanned on this device has reached the server.",
  kept: (scans: number) =>
    scans === 1
      ? "1 scan on this device has not reached the server. It is kept here."
      : `${quantityText(scans)} scans on this device have not reached the server. They are kept here.`,
  byNewInvitation:
    "Open a new invitation link to the same counting session on this device, or scan its session code again if you came by that, and it sends what is kept. Once that session has ended, let the administrator sign in on this device instead. Or save what is kept as a file for the administrator to import under Sessions.",
  bySameInvitation:
    "Open your invitation link again on this device, and it sends what is kept. Once that session has ended, let the administrator sign in on this device instead. Or save what is kept as a file for the administrator to import under Sessions.",
  byContinuing:
    "Press Continue the Count on this page, or open your invitation link again if you were sent one, and this device sends what is kept. Once that session has ended, let the administrator sign in on this device instead. Or save what is kept as a file for the administrator to import under Sessions.",
  byCode:
    "Press Continue the Count on this page, or scan the session code again, and this device sends what is kept once you have joined. If you were sent an invitation instead, open a new link to the same counting session. Once that session has ended, let the administrator sign in on this device instead. Or save what is kept as a file for the administrator to import under Sessions.",
  byAdministrator:
    "Let the administrator sign in on this device, and it sends what is kept: an invitation to another session does not. Or save what is kept as a file for the administrator to import under Sessions.",
  bySigningIn:
    "Sign in again on this device, and it sends what is kept. If your account was deactivated or deleted, let the administrator sign in on this device instead. Or save what is kept as a file for the administrator to import under Sessions.",
  save: "Save Queue as File",
} as const;
