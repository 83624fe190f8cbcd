import {
  createAreas,
  createLocation,
  deleteArea,
  deleteLocation,
  reopenArea,
  updateLocation,
} from "@stocktake/contract";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";

const ofLocations = [queryRoots.locations, queryRoots.areas];
const ofAreas = [queryRoots.areas, queryRoots.progress, queryRoots.sessions];

export interface NewArea {
  readonly code: string;
  readonly name: string;
}

export function useCreateLocation() {
  return useChange(
    (body: { name: string; storeId: string }) => callApi(createLocation, { body }),
    ofLocations,
  );
}

export function useUpdateLocation() {
  return useChange(
    ({ id, name }: { id: string; name: string }) =>
      callApi(updateLocation, { params: { id }, body: { name } }),
    ofLocations,
  );
}

export function useDeleteLocation() {
  return useChange((id: string) => callApi(deleteLocation, { params: { id } }), ofLocations);
}

export function useCreateAreas() {
  return useChange(
    ({ locationId, areas }: { locationId: string; areas: NewArea[] }) =>
      callApi(createAreas, { params: { id: locationId }, body: { areas } }),
    ofAreas,
  );
}

export function useDeleteArea() {
  return useChange((id: string) => callApi(deleteArea, { params: { id } }), ofAreas);
}

export function useReopenArea() {
  return useChange((areaId: string) => callApi(reopenArea, { body: { areaId, eraseScans: true } }), ofAreas);
}
