import type { Created, NullableTime } from "./columns.ts";

interface SampleCommitmentsTable {
  sessionId: string;
  number: number;
  hash: string;
  committedAt: Created;
  closedAreas: number;
}

interface SampleSecretsTable {
  sessionId: string;
  commitment: number;
  secret: Buffer;
}

interface ControlSamplesTable {
  sessionId: string;
  number: number;
  commitment: number;
  seed: string;
  drawnBy: string | null;
  drawnAt: Created;
  notClosed: number;
  countedTwice: number;
  reason: string | null;
  voidedBy: string | null;
  voidedAt: NullableTime;
  voidReason: string | null;
}

interface SampleAreasTable {
  sessionId: string;
  number: number;
  areaId: string;
  pass: number;
  units: number;
  countedFrom: Date;
  drawn: boolean;
}

export interface SampleTables {
  sampleCommitments: SampleCommitmentsTable;
  sampleSecrets: SampleSecretsTable;
  controlSamples: ControlSamplesTable;
  sampleAreas: SampleAreasTable;
}
