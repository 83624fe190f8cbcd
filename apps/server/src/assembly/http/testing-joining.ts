import { randomBytes } from "node:crypto";
import * as contract from "@stocktake/contract";
import type { AnyGiven, Place } from "./testing-place.ts";

const ofSession = ({ sessionId }: Place) => ({ params: { sessionId } });
const byInvitation = ({ invitationToken: token }: Place) => ({ params: { token } });
const ofCode = ({ sessionCodeId: id }: Place) => ({ params: { id } });
const ofRequest = ({ joinRequestId: id }: Place) => ({ params: { id } });
const byToken = ({ codeToken: token }: Place) => ({ params: { token } });

/** A proper form of every call about invitations and the session code. */
export const joiningForms: readonly (readonly [contract.CallDefinition, (place: Place) => AnyGiven])[] = [
  [contract.readInvitation, byInvitation],
  [contract.acceptInvitation, byInvitation],
  [contract.listInvitations, ofSession],
  [contract.listEarlierCounters, ofSession],
  [
    contract.createInvitation,
    ({ sessionId, storeId, locationId }) => ({
      body: { sessionId, storeId, locationId, email: "ada@example.com", counterName: "Ada" },
    }),
  ],
  [contract.revokeInvitation, ({ invitationId }) => ({ params: { id: invitationId } })],
  [contract.readSessionCode, ofSession],
  [contract.openSessionCode, ofSession],
  [contract.admitAll, (place) => ({ ...ofCode(place), body: { admitting: true } })],
  [contract.revokeSessionCode, ofCode],
  [contract.admitPerson, ofRequest],
  [contract.declinePerson, ofRequest],
  [contract.readCode, byToken],
  [
    contract.askToJoin,
    (place) => ({
      ...byToken(place),
      body: { counterName: "Tom", key: randomBytes(32).toString("base64url") },
    }),
  ],
  [contract.readJoinRequest, ({ joinKey: key }) => ({ params: { key } })],
];
