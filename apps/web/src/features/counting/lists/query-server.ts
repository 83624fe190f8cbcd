import { areaScans, type Location } from "@stocktake/contract";
import {
  type Query,
  type QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
} from "@tanstack/react-query";
import { callAllPages } from "../../../http/call.ts";
import { ApiError } from "../../../http/errors.ts";
import { queryRoots } from "../../../http/query-roots.ts";
import type { CountingDevice } from "../../../offline/offline.ts";
import { type AreaNote, readAreaNotes } from "../opening/area-notes.ts";
import type { CountingArea } from "../opening/counting-area.ts";
import { type CountingServer, isServerFailure } from "../opening/counting-server.ts";
import { activeSessionOf, type StartData } from "../opening/start-counting.ts";
import { areaBookQuery, findLabelled } from "./area-book.ts";
import {
  counterAreasQuery,
  counterSessionsQuery,
  deviceRoots,
  productStateQuery,
} from "./counter-queries.ts";

const areaScansTimeoutMs = 8_000;

/** Follows a query's data, now and at each change of it; as `answers` each time that it was read, changed or not. */
function watchQuery<Data, Key extends QueryKey>(
  client: QueryClient,
  options: QueryObserverOptions<Data, Error, Data, Data, Key>,
  listener: (data: Data) => void,
  follows: "changes" | "answers" = "changes",
): () => void {
  const observer = new QueryObserver(client, options);
  let last: Data | undefined;
  let read = 0;
  const handle = () => {
    const { data, isFetching } = observer.getCurrentResult();
    const { dataUpdateCount } = observer.getCurrentQuery().state;
    // What is being read again may be from before that was asked for: it is no news.
    const isAnswer = follows === "answers" && !isFetching && dataUpdateCount !== read;
    if (data === undefined || (data === last && !isAnswer)) return;
    last = data;
    read = dataUpdateCount;
    listener(data);
  };
  const unsubscribe = observer.subscribe(handle);
  handle();
  return unsubscribe;
}

async function loadStartData(
  device: CountingDevice,
  client: QueryClient,
  userId: string,
  location: Location,
): Promise<StartData> {
  const storeId = location.storeId._id;
  const now = { staleTime: 0, retry: false } as const;
  const [sessions, areas, products] = await Promise.all([
    client.fetchQuery({ ...counterSessionsQuery(device, userId), ...now }),
    client.fetchQuery({ ...counterAreasQuery(device, userId, location._id), ...now }),
    client.fetchQuery({ ...productStateQuery(device, storeId), ...now }),
  ]);
  const session = activeSessionOf(sessions.value, storeId);
  const notes =
    session === null ? new Map<string, AreaNote>() : await readAreaNotes(device.database, session._id);
  return {
    ...{ sessions: sessions.value, areas: areas.value, products, notes },
    stores: [location.storeId],
    locations: [location],
  };
}

function nullWithoutServer(error: unknown): null {
  if (isServerFailure(error)) return null;
  throw error;
}

function readAreaScans({ sessionId, locationId, area }: CountingArea) {
  return callAllPages(areaScans, {
    params: { sessionId, areaCode: area.code },
    query: { locationId },
    timeoutMs: areaScansTimeoutMs,
  });
}

/** The area was restarted between two pages: what there is now is in its new pass. */
function readAgainIfRestarted(error: unknown, area: CountingArea) {
  if (error instanceof ApiError && error.code === "PASS_OVER") return readAreaScans(area);
  throw error;
}

const isFirstRead = ({ state }: Query) => state.data === undefined;

/** The server by way of the page's query cache, which live events keep fresh. */
export function createQueryServer(
  device: CountingDevice,
  client: QueryClient,
  userId: string,
): CountingServer {
  const refresh = (root: string) => void client.invalidateQueries({ queryKey: [root] });
  return {
    watchAreas: (locationId, listener) =>
      watchQuery(client, counterAreasQuery(device, userId, locationId), listener),
    readAreas: (locationId) =>
      client
        .fetchQuery({ ...counterAreasQuery(device, userId, locationId), staleTime: 0, retry: false })
        .catch(nullWithoutServer),
    watchSessions: (listener) =>
      watchQuery(client, counterSessionsQuery(device, userId), listener, "answers"),
    watchAreaBook: (listener) => watchQuery(client, areaBookQuery(device, userId), listener),
    async findLabel(code, storeId) {
      const query = { ...areaBookQuery(device, userId), retry: false } as const;
      const found = findLabelled(await client.fetchQuery(query), code, storeId);
      // Once more in a fresh book: the area may have been added since.
      return found ?? findLabelled(await client.fetchQuery({ ...query, staleTime: 0 }), code, storeId);
    },
    loadStartData: (location) => loadStartData(device, client, userId, location),
    readAreaScans: (area) => readAreaScans(area).catch((error) => readAgainIfRestarted(error, area)),
    refreshAreas() {
      refresh(queryRoots.areas);
      refresh(deviceRoots.notes);
    },
    refreshSessions() {
      // A first list that is on its way would be joined, though it was asked for before.
      const first = { queryKey: [queryRoots.sessions], predicate: isFirstRead };
      void client.cancelQueries(first, { silent: true });
      refresh(queryRoots.sessions);
    },
  };
}
