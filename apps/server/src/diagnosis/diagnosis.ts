/** Looks at everything that an installation depends on, and says what to do about what it finds. */

export { runDoctor } from "./doctor-command.ts";
export { diagnosisRoutes } from "./routes.ts";
