import { describe, expect, it, vi } from "vitest";
import { createAppVersion } from "./app-version.ts";

class Worker extends EventTarget {
  readonly postMessage = vi.fn<(message: unknown) => void>();
}

class Registration extends EventTarget {
  waiting: Worker | null = null;
  installing: Worker | null = null;
  readonly update = vi.fn(async () => {});

  /** A new build is found, installed, and waiting. */
  finds(worker: Worker): void {
    this.installing = worker;
    this.dispatchEvent(new Event("updatefound"));
    this.installing = null;
    this.waiting = worker;
    worker.dispatchEvent(new Event("statechange"));
  }
}

function open(controller: object | null) {
  const registration = new Registration();
  const container = Object.assign(new EventTarget(), { controller });
  const reload = vi.fn();
  const version = createAppVersion({ registration: Promise.resolve(registration), container, reload });
  return { registration, container, reload, version };
}

describe("a newer version", () => {
  it("is offered once it is waiting, and not before", async () => {
    const { registration, version } = open({});
    await vi.waitFor(() => expect(version.isUpdateWaiting()).toBe(false));
    const listener = vi.fn();
    version.subscribe(listener);
    registration.finds(new Worker());
    expect(listener).toHaveBeenCalled();
    expect(version.isUpdateWaiting()).toBe(true);
  });

  it("is not an update where the page was loaded without a worker", async () => {
    const { registration, version } = open(null);
    await version.check();
    registration.finds(new Worker());
    expect(version.isUpdateWaiting()).toBe(false);
  });

  it("is activated when a person asks, and only then is the page reloaded", async () => {
    const { registration, container, reload, version } = open({});
    await version.check();
    const worker = new Worker();
    registration.finds(worker);
    container.dispatchEvent(new Event("controllerchange"));
    expect(reload).not.toHaveBeenCalled();
    version.update();
    expect(worker.postMessage).toHaveBeenCalledWith({ type: "take_over" });
    container.dispatchEvent(new Event("controllerchange"));
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("that cannot be checked for without a network is no error", async () => {
    const { registration, version } = open({});
    registration.update.mockRejectedValue(new TypeError("Failed to fetch"));
    await expect(version.check()).resolves.toBeUndefined();
  });
});
