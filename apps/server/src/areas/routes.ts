import * as contract from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { sessionInSight, storeInSight } from "../auth/auth.ts";
import { route, succeeded } from "../kernel/route.ts";
import { createAreas } from "./create-areas.ts";
import { deleteArea, deleteLocation } from "./delete-areas.ts";
import { createLocation, listLocations, renameLocation } from "./locations.ts";
import { readAreas } from "./present.ts";
import { findLocation } from "./queries.ts";
import { reopenArea } from "./reopen-area.ts";
import type { AreaServices } from "./services.ts";

/** Locations of stores and their areas. */
export function areaRoutes(app: FastifyInstance, context: AreaServices): void {
  locationRoutes(app, context);
  listingRoutes(app, context);
  changingRoutes(app, context);
}

function locationRoutes(app: FastifyInstance, { database, events }: AreaServices): void {
  route(app, contract.listLocations, async ({ caller, query }) => ({
    locations: await listLocations(database, caller, query.storeId),
  }));

  route(app, contract.createLocation, async ({ caller, body }) => {
    const location = await createLocation(database, caller, body);
    events.publish({ type: "store", storeId: location.storeId._id });
    return { location };
  });

  route(app, contract.updateLocation, async ({ caller, params, body }) => {
    const location = await renameLocation(database, caller, params.id, body.name);
    events.publish({ type: "store", storeId: location.storeId._id });
    return { location };
  });

  route(app, contract.deleteLocation, async ({ caller, params }) => {
    const location = await deleteLocation(database, caller, params.id);
    events.publish({ type: "store", storeId: location.store_id });
    return succeeded;
  });
}

function listingRoutes(app: FastifyInstance, { database }: AreaServices): void {
  route(app, contract.listAreas, async ({ caller }) => ({
    areas: await readAreas(
      database,
      storeInSight(caller, sql.ref("store.id")),
      sessionInSight(caller, "running"),
    ),
  }));

  route(app, contract.listAreasOfLocation, async ({ caller, params }) => {
    const location = await findLocation(database, caller, params.locationId);
    const ofLocation = sql<boolean>`location.id = ${location.id}`;
    return { areas: await readAreas(database, ofLocation, sessionInSight(caller, "running")) };
  });
}

function changingRoutes(app: FastifyInstance, { database, events }: AreaServices): void {
  route(app, contract.createAreas, async ({ caller, params, body }) => {
    const { areas, storeId } = await createAreas(database, caller, params.id, body.areas);
    events.publish({ type: "area", storeId });
    return { areas };
  });

  route(app, contract.deleteArea, async ({ caller, params }) => {
    const { id, storeId } = await deleteArea(database, caller, params.id);
    events.publish({ type: "area", storeId, areaId: id });
    return succeeded;
  });

  route(app, contract.reopenArea, async ({ caller, body }) => {
    const { area, storeId, sessionId } = await reopenArea(database, caller, body.areaId);
    events.publish({ type: "area", sessionId, storeId, areaId: area._id, pass: area.pass });
    return { area };
  });
}
