import { MantineProvider } from "@mantine/core";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { ShowMore } from "./show-more.tsx";
import { theme } from "./theme/theme.ts";

const total = 5;
const aPage = 2;

/** A list of five areas, two at a time; `arrive` brings the page that was asked for. */
function openList() {
  let arrive: () => void = () => undefined;
  function Areas() {
    const [shown, setShown] = useState(aPage);
    const [isFetchingNextPage, setFetching] = useState(false);
    arrive = () => {
      setFetching(false);
      setShown(Math.min(total, shown + aPage));
    };
    const query = {
      ...{ hasNextPage: shown < total, isFetchingNextPage },
      fetchNextPage: () => setFetching(true),
    };
    return (
      <ShowMore rowMessages={["area", "areas"]} shown={shown} total={total} query={query}>
        <ul>
          {Array.from({ length: shown }, (_none, index) => `A${index + 1}`).map((code) => (
            <li key={code}>
              {code}
              <ul>
                <li>Place of {code}</li>
              </ul>
            </li>
          ))}
        </ul>
      </ShowMore>
    );
  }
  render(
    <MantineProvider theme={theme} env="test">
      <Areas />
    </MantineProvider>,
  );
  return { arrive: () => act(() => arrive()) };
}

const button = () => screen.getByRole("button");

it("the button says of which list it shows more, and how many are left", () => {
  openList();
  expect(screen.getByRole("button", { name: "Show More areas (3 left)" })).toBe(button());
});

it("the focus stays on the button while a page comes and as long as there are more, and what was added is said", async () => {
  const { arrive } = openList();
  button().focus();
  await userEvent.keyboard("{Enter}");
  expect(button().getAttribute("aria-disabled")).toBe("true");
  expect(document.activeElement).toBe(button());
  arrive();
  expect(document.activeElement).toBe(button());
  expect(button().getAttribute("aria-disabled")).toBe("false");
  expect(screen.getByRole("status").textContent).toBe("2 areas added");
});

it("with the last page the button goes, and the first new row has the focus", async () => {
  const { arrive } = openList();
  button().focus();
  await userEvent.keyboard("{Enter}");
  arrive();
  await userEvent.keyboard("{Enter}");
  arrive();
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByRole("status").textContent).toBe("1 area added");
  expect(document.activeElement?.textContent).toBe("A5Place of A5");
});

it("somebody who has gone on meanwhile keeps the focus where it is", async () => {
  const { arrive } = openList();
  await userEvent.click(button());
  arrive();
  await userEvent.click(button());
  const elsewhere = screen.getByText("A1");
  elsewhere.tabIndex = -1;
  elsewhere.focus();
  arrive();
  expect(document.activeElement).toBe(elsewhere);
});
