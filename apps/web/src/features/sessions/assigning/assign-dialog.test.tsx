import { type AssignablePerson, assignAreas, readAssignments, sessionProgress } from "@stocktake/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { active, openArea, sessionsServer } from "../testing/sessions-server.ts";

const areas = ["A1", "A2", "A3"].map((code) => ({ ...openArea, _id: `area-${code}`, code, name: code }));

function person(name: string, areaIds: string[] = []): AssignablePerson {
  return { _id: name, kind: "invitation", name, email: `${name}@example.com`, areaIds };
}

function server(people: AssignablePerson[], enforced = false) {
  const served = sessionsServer();
  served.answer(sessionProgress, { areas, devices: [], exceptions: { unresolved: 0, late: 0 } });
  served.answer(readAssignments, { enforced, people });
  return served;
}

async function openAssigning() {
  const { client } = openPage("/admin/sessions");
  await userEvent.click(await screen.findByRole("button", { name: "Assign Areas" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Assign Areas of Harbour Street" }));
  /** As an event of the server has it done. */
  const readAgain = () => act(() => client.invalidateQueries({ queryKey: [queryRoots.progress] }));
  return { ...dialog, readAgain };
}

describe("assigning areas", () => {
  it("gives each person areas, one by one or a location's, says whose else they are, and sends what changed", async () => {
    const served = server([person("Mia", ["area-A1"]), person("Tom")]);
    const sent = served.answer(assignAreas, { enforced: true, people: [] });
    const dialog = await openAssigning();
    await dialog.findByText(/^2 areas are assigned to nobody\./);
    expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: "A1" }).checked).toBe(true);
    await userEvent.selectOptions(dialog.getByLabelText("Person"), "Tom, Tom@example.com: 0 areas");
    dialog.getByText("Also Mia");
    await userEvent.click(dialog.getByRole("checkbox", { name: "Sales Floor" }));
    await userEvent.click(dialog.getByRole("checkbox", { name: "A2" }));
    await userEvent.click(dialog.getByRole("checkbox", { name: "Only who is assigned may count an area" }));
    await userEvent.click(dialog.getByRole("button", { name: "Save" }));
    const people = [{ personId: "Tom", areaIds: ["area-A1", "area-A3"], seenAreaIds: [] }];
    await waitFor(() => expect(sent[0]?.body).toEqual({ enforced: true, people }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("keeps what somebody else gives the same person while it is open", async () => {
    const served = server([person("Mia", ["area-A1"])]);
    const sent = served.answer(assignAreas, { enforced: false, people: [] });
    const dialog = await openAssigning();
    await userEvent.click(await dialog.findByRole("checkbox", { name: "A2" }));
    // Chosen and taken back, it is no change of one's own.
    await userEvent.dblClick(dialog.getByRole("checkbox", { name: "A3" }));
    served.answer(readAssignments, { enforced: false, people: [person("Mia", ["area-A1", "area-A3"])] });
    await dialog.readAgain();
    await waitFor(() =>
      expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: "A3" }).checked).toBe(true),
    );
    await userEvent.click(dialog.getByRole("button", { name: "Save" }));
    const seenAreaIds = ["area-A1", "area-A3"];
    const people = [{ personId: "Mia", areaIds: [...seenAreaIds, "area-A2"], seenAreaIds }];
    await waitFor(() => expect(sent[0]?.body).toEqual({ people }));
  });

  it("stays open where the server refuses, and says why", async () => {
    const served = server([person("Mia")]);
    served.refuse(assignAreas, "SESSION_CLOSED", "This counting session has ended.");
    const dialog = await openAssigning();
    await userEvent.click(await dialog.findByRole("checkbox", { name: "A2" }));
    await userEvent.click(dialog.getByRole("button", { name: "Save" }));
    await dialog.findByText("This counting session has ended.");
  });

  it("leads to inviting where there is nobody, and says what can't be read", async () => {
    const served = server([]);
    const dialog = await openAssigning();
    await dialog.findByText("Nobody can be assigned areas yet. Invite counters first.");
    await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    served.refuse(readAssignments, "INTERNAL", "Something went wrong on the server.");
    await userEvent.click(screen.getByRole("button", { name: "Assign Areas" }));
    await screen.findByText("Something went wrong on the server.");
  });

  it("the live view says whom each area is assigned to, and who counted there who is not", async () => {
    const served = server([]);
    const area = { ...openArea, assignedTo: ["Mia", "Tom"], countedByOthers: ["Ida"] };
    served.answer(sessionProgress, { areas: [area], devices: [], exceptions: { unresolved: 0, late: 0 } });
    openPage("/admin/sessions");
    await userEvent.click(await screen.findByRole("button", { name: "Show 1 Area and Devices" }));
    const dialog = within(await screen.findByRole("dialog", { name: `Count in ${active.storeId.name}` }));
    dialog.getByText("Mia, Tom");
    dialog.getByText("Not assigned: Ida");
  });
});
