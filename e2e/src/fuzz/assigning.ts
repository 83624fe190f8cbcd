import assert from "node:assert/strict";
import {
  areaScans,
  assignAreas,
  listAreasOfLocation,
  readAssignments,
  sessionProgress,
} from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import type { RunningCount } from "../running-count.ts";
import type { CrewMember } from "./crew.ts";
import type { StoredScan } from "./oracle.ts";
import type { FuzzArea } from "./walk.ts";

/** When something was done, by the clock of this machine: no earlier and no later. */
interface Moment {
  readonly from: number;
  readonly to: number;
}

async function timed(work: () => Promise<unknown>): Promise<Moment> {
  const from = Date.now();
  await work();
  return { from, to: Date.now() };
}

/** Areas that are given to people in the middle of a count, mostly so that nobody else may count them; and what must come of it. */
export class Assigning {
  readonly #count: RunningCount;
  readonly #url: string;
  /** By area, whose it is, and since when. */
  readonly #assigned = new Map<string, Map<string, Moment>>();
  readonly #revoked = new Set<string>();
  #enforced: Moment | null = null;

  constructor(count: RunningCount, url: string) {
    this.#count = count;
    this.#url = url;
  }

  /** Whoever is removed has no areas any more. */
  revoke(invitationId: string): void {
    this.#revoked.add(invitationId);
  }

  #assigneesOf(areaId: string): string[] {
    return [...(this.#assigned.get(areaId)?.keys() ?? [])].filter((id) => !this.#revoked.has(id));
  }

  /** Whether others alone may count there. */
  #isOthersAlone(areaId: string, invitationId: string | undefined): boolean {
    const assignees = this.#assigneesOf(areaId);
    return this.#enforced !== null && assignees.length > 0 && !assignees.includes(invitationId ?? "");
  }

  /** Gives somebody these areas and no others, or none; resolves to the areas that are somebody's then, or were. */
  async assign(personId: string, areaIds: readonly string[], enforced: boolean): Promise<readonly string[]> {
    const { admin, sessionId: id } = this.#count;
    const before = this.#areaIds();
    const people = [{ personId, areaIds: areaIds.length === 0 ? null : [...areaIds] }];
    let isDone = false;
    const at = await timed(async () => {
      const outcome = await admin.attempt(assignAreas, { params: { id }, body: { enforced, people } });
      isDone = outcome.ok;
    });
    if (!isDone) return [];
    for (const [areaId, people] of this.#assigned) if (!areaIds.includes(areaId)) people.delete(personId);
    for (const areaId of areaIds) {
      const people = this.#assigned.get(areaId) ?? new Map<string, Moment>();
      if (!people.has(personId)) people.set(personId, at);
      this.#assigned.set(areaId, people);
    }
    this.#enforced = enforced ? (this.#enforced ?? at) : null;
    return [...new Set([...before, ...this.#areaIds()])];
  }

  #areaIds(): string[] {
    return [...this.#assigned.keys()].filter((areaId) => this.#assigneesOf(areaId).length > 0);
  }

  /**
   * Whether somebody is let into an area whose screen they open. Without a network, or where the server says nothing of it, they go in; what
   * they scan there counts all the same.
   */
  async mayOpen(
    { network }: CrewMember,
    fuzzArea: FuzzArea,
    invitationId: string | undefined,
  ): Promise<boolean> {
    if (!network.isOnline) return true;
    const { sessionId, areaCode, areaId, locationId } = fuzzArea.area;
    const { cookie } = network;
    const given = { params: { sessionId, areaCode }, query: { locationId }, headers: { cookie } };
    const outcome = await new ApiClient(this.#url).attempt(areaScans, given).catch(() => null);
    const isOthersAlone = this.#isOthersAlone(areaId, invitationId);
    if (outcome?.ok === false && outcome.body.code === "AREA_ASSIGNED") {
      assert.ok(isOthersAlone, `${areaCode} is refused, and is not others' alone`);
      return false;
    }
    // What is closed is nobody's; of a second count nothing is to tell whose the first was.
    if (outcome?.ok === true && isOthersAlone)
      assert.equal(await this.#statusOf(fuzzArea), "closed", `${areaCode} opens, and is others' alone`);
    return true;
  }

  async #statusOf({ area: { areaId, locationId } }: FuzzArea): Promise<string | undefined> {
    const { areas } = await this.#count.admin.call(listAreasOfLocation, { params: { locationId } });
    return areas.find(({ _id }) => _id === areaId)?.status;
  }

  /**
   * While the session runs: areas are whose they were made, and the administrator is told who else has scanned in them, of whom no scan
   * is missing from the count for it.
   *
   * @param settled areas of which neither a second count nor a deletion makes another matter
   */
  async check(
    stored: readonly StoredScan[],
    settled: ReadonlySet<string>,
    people: ReadonlyMap<string, { readonly name: string; readonly invitationId: string }>,
  ): Promise<void> {
    const { admin, sessionId: id } = this.#count;
    const assignments = await admin.call(readAssignments, { params: { id } });
    assert.equal(assignments.enforced, this.#enforced !== null, "whether assignments are enforced");
    for (const areaId of settled) {
      const theirs = assignments.people.filter(({ areaIds }) => areaIds.includes(areaId));
      assert.deepEqual(
        theirs.map(({ _id }) => _id).sort(),
        this.#assigneesOf(areaId).sort(),
        "whose an area is",
      );
    }
    const { areas } = await admin.call(sessionProgress, { params: { id } });
    for (const { _id: areaId, code: areaCode, locationId, countedByOthers = [] } of areas) {
      if (!settled.has(areaId)) continue;
      const others = [...people].filter(([, { invitationId }]) => this.#isOthersAlone(areaId, invitationId));
      const isHere = (userId: string) =>
        stored.some(({ row }) => row.areaId === areaId && row.scannedById === userId);
      const here = others.filter(([userId]) => isHere(userId)).map(([, { name }]) => name);
      for (const name of countedByOthers)
        assert.ok(here.includes(name), `${areaCode}: ${name} is named, and has not scanned there`);
      const place = { params: { sessionId: id, areaCode }, query: { locationId } };
      const { scans } = await admin.call(areaScans, place);
      const since = this.#aloneSince(areaId);
      for (const { username, scannedAt, accepted } of scans) {
        const isLater = accepted !== true && Date.parse(scannedAt) > since;
        if (!isLater || !others.some(([, { name }]) => name === username)) continue;
        assert.ok(
          countedByOthers.includes(username),
          `${areaCode}: ${username} has scanned there, and is not named`,
        );
      }
    }
  }

  /** From when on whoever scans there is somebody it is not assigned to, at the latest. */
  #aloneSince(areaId: string): number {
    const since = this.#assigneesOf(areaId).map((id) => this.#assigned.get(areaId)?.get(id)?.to ?? 0);
    return Math.max(this.#enforced?.to ?? Number.POSITIVE_INFINITY, Math.min(...since));
  }
}
