import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { openCounter } from "../testing/counter-harness.tsx";

it("has the focus on going on, not on what deletes, from its first moment", async () => {
  await openCounter({ path: "/counter" });
  for (const name of ["Harbour Street", "Sales Floor", /A2/]) {
    await userEvent.click(await screen.findByRole("radio", { name }));
  }
  await userEvent.click(screen.getByRole("button", { name: "Start Counting Area" }));
  await screen.findByRole("dialog", { name: "Area A2 is in progress" });
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Continue Counting"));
});
