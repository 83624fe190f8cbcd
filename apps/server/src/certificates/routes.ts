import {
  issueCertificate,
  leaveStockAlone,
  listBeyondTolerance,
  listCertificates,
  listCoveredAreas,
  listCoveredDevices,
  listUncoveredStock,
  readCoverage,
  stateAreas,
  stateBeyondTolerance,
  stateDevices,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route } from "../kernel/route.ts";
import { issueByHand } from "./issue-certificate.ts";
import { leaveAlone } from "./leave-alone.ts";
import { listAreas, listDevices, listStock, listVersions, readCoverageOf } from "./read-coverage.ts";
import type { CertificateServices } from "./services.ts";
import { stateOfAreas } from "./state-areas.ts";
import { stateOfDevices } from "./state-devices.ts";
import { listBeyond } from "./tolerance/list-beyond.ts";
import { stateOfBeyond } from "./tolerance/state-beyond.ts";

/** What a session leaves open, what administrators say of it, and the certificate that nothing is. */
export function certificateRoutes(app: FastifyInstance, services: CertificateServices): void {
  const { database } = services;

  route(app, readCoverage, ({ caller, params }) => readCoverageOf(database, caller, params.id));

  route(app, listCoveredAreas, ({ caller, params, query }) => listAreas(database, caller, params.id, query));

  route(app, stateAreas, ({ caller, params, body }) => stateOfAreas(services, caller, params.id, body));

  route(app, listCoveredDevices, ({ caller, params, query }) =>
    listDevices(database, caller, params.id, query),
  );

  route(app, stateDevices, ({ caller, params, body }) => stateOfDevices(services, caller, params.id, body));

  route(app, listUncoveredStock, ({ caller, params, query }) =>
    listStock(database, caller, params.id, query),
  );

  route(app, leaveStockAlone, ({ caller, params, body }) => leaveAlone(services, caller, params.id, body));

  route(app, listBeyondTolerance, ({ caller, params, query }) =>
    listBeyond(database, caller, params.id, query),
  );

  route(app, stateBeyondTolerance, ({ caller, params, body }) =>
    stateOfBeyond(services, caller, params.id, body),
  );

  route(app, listCertificates, ({ caller, params, query }) =>
    listVersions(database, caller, params.id, query),
  );

  route(app, issueCertificate, async ({ caller, params }) => ({
    certificate: await issueByHand(services, caller, params.id),
  }));
}
