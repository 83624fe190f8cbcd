import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { holdsWords } from "./holds-words.ts";
import { SearchableList } from "./searchable-list.tsx";

const stores = [
  "Zürich Bahnhof",
  "Harbour Street",
  "Old Mill",
  "Café Nord",
  "Quai",
  "Hill",
  "Bridge",
  "Dock",
];

function openList(rows: readonly string[]) {
  return render(
    <MantineProvider env="test">
      <SearchableList label="Stores" rows={rows} textOf={(row) => row}>
        {(found) => found.map((row) => <p key={row}>{row}</p>)}
      </SearchableList>
    </MantineProvider>,
  );
}

describe("a list that can be searched", () => {
  it("is found in by words in any order, whatever their case and accents", () => {
    expect(holdsWords("Zürich Bahnhof", "bahn ZURICH")).toBe(true);
    expect(holdsWords("Zürich Bahnhof", "zürich dock")).toBe(false);
    expect(holdsWords("Zürich Bahnhof", "  ")).toBe(true);
  });

  it("shows what was found, and says how many and where nothing was", async () => {
    openList(stores);
    const field = screen.getByRole("searchbox", { name: "Search: Stores" });
    await userEvent.type(field, "cafe");
    expect(await screen.findByRole("status")).toHaveProperty("textContent", "1 of 8 shown");
    screen.getByText("Café Nord");
    expect(screen.queryByText("Old Mill")).toBeNull();
    await userEvent.type(field, "x");
    await screen.findByText("No matches for “cafex”.");
    await userEvent.clear(field);
    await screen.findByText("Old Mill");
  });

  it("has no field where it is short", () => {
    openList(stores.slice(0, 7));
    screen.getByText("Old Mill");
    expect(screen.queryByRole("searchbox")).toBeNull();
  });
});
