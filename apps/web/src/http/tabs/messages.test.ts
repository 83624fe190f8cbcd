import { expect, it, vi } from "vitest";
import { openChannel, type TabMessage } from "./messages.ts";

const bid: TabMessage = { kind: "bid", from: "tab-1" };

it("a tab that has left says nothing more, and what it had begun ends without an error", async () => {
  const heard = vi.fn();
  const other = openChannel("stocktake-test", heard);
  const tab = openChannel("stocktake-test", () => undefined);
  tab.tell(bid);
  await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(bid));
  tab.close();
  expect(() => tab.tell(bid)).not.toThrow();
  other.close();
  expect(heard).toHaveBeenCalledTimes(1);
});
