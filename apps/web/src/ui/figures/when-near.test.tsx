import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { WhenNear } from "./when-near.tsx";

type Notify = (entries: readonly Pick<IntersectionObserverEntry, "isIntersecting">[]) => void;

/** Stands for the browser's observer; returns what tells the page that its one place is near, or is not. */
function observeByHand(): (isIntersecting: boolean) => void {
  const observed = new Set<Notify>();
  class ObserverByHand {
    readonly notify: Notify;
    constructor(notify: Notify) {
      this.notify = notify;
    }
    observe(): void {
      observed.add(this.notify);
    }
    disconnect(): void {
      observed.delete(this.notify);
    }
  }
  vi.stubGlobal("IntersectionObserver", ObserverByHand);
  return (isIntersecting) =>
    act(() => {
      for (const notify of observed) notify([{ isIntersecting }]);
    });
}

afterEach(() => vi.unstubAllGlobals());

it("draws what is far away once it comes near, in the room that was kept free for it", () => {
  const tell = observeByHand();
  const { container } = render(<WhenNear height={220}>the chart</WhenNear>);
  tell(false);
  expect(screen.queryByText("the chart")).toBeNull();
  expect(container.firstElementChild).toHaveProperty("style.minHeight", "220px");
  tell(true);
  screen.getByText("the chart");
});

it("keeps it drawn when it is far away again", () => {
  const tell = observeByHand();
  render(<WhenNear height={220}>the chart</WhenNear>);
  tell(true);
  tell(false);
  screen.getByText("the chart");
});
