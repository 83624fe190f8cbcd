import type { EmulatorControl } from "@stocktake/shopify-emulator";
import type { Oracle } from "./oracle.ts";
import type { Dice } from "./random.ts";

/** Sells at the till while people count: one unit at a time, until stopped. */
export class Till {
  readonly #dependencies: { control: EmulatorControl; oracle: Oracle; locationId: string; dice: Dice };
  #open = true;
  #running: Promise<void> = Promise.resolve();
  #sales = 0;

  constructor(dependencies: { control: EmulatorControl; oracle: Oracle; locationId: string; dice: Dice }) {
    this.#dependencies = dependencies;
  }

  get sales(): number {
    return this.#sales;
  }

  /** Sells with that many milliseconds between two sales. */
  open(pauseMs: number): void {
    this.#open = true;
    this.#running = this.#sell(pauseMs);
  }

  /** Resolves when the last sale is booked. */
  async close(): Promise<void> {
    this.#open = false;
    await this.#running;
  }

  async #sell(pauseMs: number): Promise<void> {
    const { control, oracle, locationId, dice } = this.#dependencies;
    const sellable = oracle.articles.filter((article) => article.movable);
    while (this.#open) {
      const article = dice.pick(sellable);
      await control.sell({ item: article.itemId, location: locationId, quantity: 1 });
      oracle.sold(article, 1);
      this.#sales += 1;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
