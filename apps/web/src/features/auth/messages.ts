/** Messages of the login and the access notice (specification, sections 2 and 8). */
export const messages = {
  adminHeading: "Administrator Login",
  counterHeading: "Counter Login",
  hint: "Counter staff receive invitation links by email.",
  toCounterForm: "Counter with an account? Sign in with your username",
  toAdminForm: "Back to the administrator login",
  signIn: "Sign In",
  signingIn: "Signing In...",
  loginFailed: "Login failed",
  deniedHeading: "Access Denied",
  deniedText: "You don't have permission to access this page.",
  goBack: "Go Back",
  otherAccount: "Login with Different Account",
} as const;
