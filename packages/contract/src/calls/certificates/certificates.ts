import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { pageAnswer, pageQuery } from "../../paging.ts";
import { IdInput } from "../../primitives.ts";
import { CertificateInBrief } from "./coverage.ts";

const SessionParams = z.object({ id: IdInput });

/** A version of a session's coverage certificate; `text` is what its hash is of: JSON, as docs/CERTIFICATES.md describes it. */
export const Certificate = z.object({ ...CertificateInBrief.shape, text: z.string() });
export type Certificate = z.infer<typeof Certificate>;

export const listCertificates = defineCall({
  method: "GET",
  path: "/api/session/:id/certificates",
  access: "admin",
  summary: "The versions of a session's coverage certificate, the newest first",
  params: SessionParams,
  query: z.object(pageQuery),
  answer: z.object({ certificates: z.array(Certificate), ...pageAnswer }),
});

export const issueCertificate = defineCall({
  method: "POST",
  path: "/api/session/:id/certificates",
  access: "admin",
  summary:
    "Issue the coverage certificate of an ended session, its hash in the audit log; one that already says what is so now stays as it is",
  status: 201,
  params: SessionParams,
  answer: z.object({ certificate: CertificateInBrief }),
  refusals: ["SESSION_ACTIVE", "COVERAGE_OPEN"],
  events: ["adjustment"],
});
