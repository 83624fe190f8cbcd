/**
 * Changes since the previous landing that a server of it could not live with, but for the reason beside each: which release
 * stopped reading or writing what is gone, or why no server of before meets what is new. `npm run landing` begins anew without them.
 */
export const contractSteps: Readonly<Record<string, string>> = {};
