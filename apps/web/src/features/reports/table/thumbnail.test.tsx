import { MantineProvider } from "@mantine/core";
import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Thumbnail } from "./thumbnail.tsx";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function showThumbnail(printing: boolean) {
  return render(
    <MantineProvider env="test">
      <Thumbnail
        image="https://img.example/1.jpg"
        title="Linen Shirt"
        printing={printing}
        onOpen={() => undefined}
      />
    </MantineProvider>,
  );
}

function picture(): string | null {
  return document.querySelector("img")?.getAttribute("src") ?? null;
}

it("asks for the picture of a row that stays, and can be pressed before it has come", () => {
  showThumbnail(false);
  screen.getByRole("button", { name: "Open image of Linen Shirt" });
  expect(picture()).toBeNull();
  act(() => vi.advanceTimersByTime(100));
  expect(picture()).toBe("https://img.example/1.jpg");
});

it("asks for no picture of a row that only passes by", () => {
  const { unmount } = showThumbnail(false);
  act(() => vi.advanceTimersByTime(99));
  expect(picture()).toBeNull();
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});

it("has its picture at once on paper", () => {
  showThumbnail(true);
  expect(picture()).toBe("https://img.example/1.jpg");
});
