/** Live events: what changed, sent to every page that may see it. */

export type { EventBus } from "./event-bus.ts";
export { createEventBus } from "./notifying-bus.ts";
export { eventRoutes } from "./routes.ts";
