import * as contract from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route, succeeded } from "../kernel/route.ts";
import { copyAreas, previewCopy } from "./copy-areas.ts";
import { createAreas } from "./create-areas.ts";
import { deleteArea, deleteLocation } from "./delete-areas.ts";
import { listAreas, listAreasOfLocation } from "./list-areas.ts";
import { createLocation, listLocations, renameLocation } from "./locations.ts";
import { mergeAreas } from "./merge-areas.ts";
import { renameArea } from "./rename-area.ts";
import type { AreaServices } from "./services.ts";

/** Locations of stores and their areas. */
export function areaRoutes(app: FastifyInstance, services: AreaServices): void {
  locationRoutes(app, services);
  listingRoutes(app, services);
  changingRoutes(app, services);
}

function locationRoutes(app: FastifyInstance, services: AreaServices): void {
  route(app, contract.listLocations, async ({ caller, query }) => {
    const { database } = services;
    const { items: locations, ...page } = await listLocations(database, caller, query.storeId, query);
    return { locations, ...page };
  });

  route(app, contract.createLocation, async ({ caller, body }) => ({
    location: await createLocation(services, caller, body),
  }));

  route(app, contract.updateLocation, async ({ caller, params, body }) => ({
    location: await renameLocation(services, caller, params.id, body.name),
  }));

  route(app, contract.deleteLocation, async ({ caller, params }) => {
    await deleteLocation(services, caller, params.id);
    return succeeded;
  });
}

function listingRoutes(app: FastifyInstance, { database }: AreaServices): void {
  route(app, contract.listAreas, async ({ caller, query }) => {
    const { items: areas, ...page } = await listAreas(database, caller, query);
    return { areas, ...page };
  });

  route(app, contract.listAreasOfLocation, async ({ caller, params, query }) => {
    const { items: areas, ...page } = await listAreasOfLocation(database, caller, params.locationId, query);
    return { areas, ...page };
  });
}

function changingRoutes(app: FastifyInstance, services: AreaServices): void {
  route(app, contract.createAreas, async ({ caller, params, body }) => ({
    areas: await createAreas(services, caller, params.id, body.areas),
  }));

  route(app, contract.updateArea, async ({ caller, params, body }) => ({
    area: await renameArea(services, caller, params.id, body.name),
  }));

  route(app, contract.mergeAreas, async ({ caller, body }) => ({
    area: await mergeAreas(services, caller, body),
  }));

  route(app, contract.previewCopy, ({ caller, params, query }) =>
    previewCopy(services.database, caller, { storeId: params.id, ...query }),
  );

  route(app, contract.copyAreas, ({ caller, params, body }) =>
    copyAreas(services, caller, { storeId: params.id, ...body }),
  );

  route(app, contract.deleteArea, async ({ caller, params }) => {
    await deleteArea(services, caller, params.id);
    return succeeded;
  });
}
