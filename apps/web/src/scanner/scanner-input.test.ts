import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clearScannerInput, listenToScanner } from "./scanner-input.ts";

let input: HTMLInputElement;
let stop: () => void;
const onCode = vi.fn<(code: string) => void>();
const onUnended = vi.fn<(text: string) => void>();

function add<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, parent: Element = document.body) {
  return parent.appendChild(document.createElement(tag));
}

/** Presses a key; returns whether the page still gets it. */
function press(target: Element, key: string, modifiers: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...modifiers });
  Object.defineProperty(event, "timeStamp", { value: performance.now() });
  return target.dispatchEvent(event);
}

function type(target: Element, text: string): void {
  for (const key of text) press(target, key);
}

beforeEach(() => {
  vi.useFakeTimers();
  input = add("input", add("form"));
  stop = listenToScanner(input, { onCode, onUnended });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.clearAllMocks();
  document.body.replaceChildren();
});

describe("the focus", () => {
  it("is left to a page that has just opened, and taken within 100 ms", () => {
    expect(document.activeElement).toBe(document.body);
    vi.advanceTimersByTime(100);
    expect(document.activeElement).toBe(input);
  });

  it("is left where a person walks the buttons by Tab, until a key is typed or the page is touched", () => {
    const button = add("button");
    const isLeft = () => {
      button.focus();
      vi.advanceTimersByTime(200);
      return document.activeElement === button;
    };
    expect(press(document.body, "Tab")).toBe(true);
    expect(isLeft()).toBe(true);
    press(button, "Shift");
    expect(isLeft()).toBe(true);
    press(button, "7");
    expect(isLeft()).toBe(false);
    input.value = "";
    press(document.body, "Tab");
    document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    expect(isLeft()).toBe(false);
    press(document.body, "Tab");
    input.value = "7";
    press(document.body, "Enter");
    expect(isLeft()).toBe(false);
  });

  it("is left to a question that is no part of the screen, such as the one before a logout, until it is answered", () => {
    const question = add("section");
    question.setAttribute("role", "dialog");
    const button = add("button", question);
    button.focus();
    vi.advanceTimersByTime(200);
    expect(document.activeElement).toBe(button);
    question.remove();
    vi.advanceTimersByTime(100);
    expect(document.activeElement).toBe(input);
  });

  it("is taken without scrolling, after an Enter that ends nothing too, and from who types into the input itself", () => {
    const focus = vi.spyOn(input, "focus");
    const button = add("button");
    const isTaken = () => {
      button.focus();
      vi.advanceTimersByTime(200);
      return document.activeElement === input;
    };
    press(document.body, "Enter");
    expect(isTaken()).toBe(true);
    press(document.body, "Tab");
    press(input, "7");
    expect(isTaken()).toBe(true);
    press(document.body, "7");
    expect(new Set(focus.mock.calls.map(([options]) => options?.preventScroll))).toEqual(new Set([true]));
  });

  it("is taken by an input that is in no form as well", () => {
    stop();
    input = add("input");
    stop = listenToScanner(input, { onCode, onUnended });
    vi.advanceTimersByTime(100);
    expect(document.activeElement).toBe(input);
  });

  it("stays where it is once nobody listens", () => {
    stop();
    vi.advanceTimersByTime(1_000);
    expect(document.activeElement).toBe(document.body);
    type(document.body, "7");
    input.value = "7";
    input.form?.dispatchEvent(new Event("submit"));
    document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    expect(onCode).not.toHaveBeenCalled();
    expect(input.value).toBe("7");
  });
});

describe("a code", () => {
  it.each(["Enter", "Tab"])(
    "that hits the page is handed over by its %s, which goes no further",
    (suffix) => {
      const heard = vi.fn();
      document.body.addEventListener("keydown", heard, { once: true });
      type(document.body, "40063");
      expect(heard).toHaveBeenCalledOnce();
      expect(document.activeElement).toBe(input);
      document.body.addEventListener("keydown", heard, { once: true });
      expect(press(document.body, suffix)).toBe(false);
      expect(heard).toHaveBeenCalledOnce();
      expect(onCode.mock.calls).toEqual([["40063"]]);
      expect(input.value).toBe("");
      document.body.removeEventListener("keydown", heard);
    },
  );

  describe.each(["Enter", "Tab"])("by a scanner that ends it with two, the second %s,", (second) => {
    let button: HTMLButtonElement;
    beforeEach(() => {
      button = add("button");
      type(document.body, "40063");
      press(document.body, "Enter");
    });

    it("moves no focus and presses nothing for half a second, and the next code is read", () => {
      vi.advanceTimersByTime(500);
      expect(press(document.body, second)).toBe(false);
      button.focus();
      vi.advanceTimersByTime(100);
      expect(document.activeElement).toBe(input);
      type(document.body, "50074");
      expect(press(document.body, "Enter")).toBe(false);
      expect(onCode.mock.calls).toEqual([["40063"], ["50074"]]);
    });

    it("is a person's where it is pressed later", () => {
      expect(press(document.body, second)).toBe(false);
      vi.advanceTimersByTime(501);
      expect(press(document.body, second)).toBe(true);
      button.focus();
      vi.advanceTimersByTime(200);
      expect(document.activeElement).toBe(second === "Tab" ? button : input);
      expect(onCode).toHaveBeenCalledOnce();
    });
  });

  it("is typed once into the input, the page's own shortcuts are not", () => {
    expect(press(input, "4")).toBe(true);
    expect(press(document.body, "4")).toBe(false);
    expect(press(document.body, "f", { ctrlKey: true })).toBe(true);
    expect(press(document.body, "ArrowDown")).toBe(true);
    expect(input.value).toBe("4");
  });

  it("is handed over by a phone's keyboard, which submits the form", () => {
    input.value = "77";
    input.form?.dispatchEvent(new Event("submit"));
    expect(onCode.mock.calls).toEqual([["77"]]);
  });

  it("is nothing where only a suffix or what nobody sees was sent", () => {
    expect(press(document.body, "Enter")).toBe(true);
    input.value = "\u001d";
    press(document.body, "Enter");
    expect(onCode).not.toHaveBeenCalled();
    expect(onUnended).not.toHaveBeenCalled();
  });

  it("is not taken out of a field that a person fills, nor by the blank that presses a button", () => {
    for (const tag of ["input", "textarea", "select"] as const) expect(press(add(tag), "4")).toBe(true);
    const button = add("button");
    expect(press(button, " ")).toBe(true);
    expect(input.value).toBe("");
    expect(press(button, "4")).toBe(false);
    expect(press(document.body, " ")).toBe(false);
    expect(input.value).toBe("4 ");
  });
});

describe("what no suffix ends", () => {
  it("is dropped a second and a half after its last key, and reported", () => {
    type(document.body, "12");
    vi.advanceTimersByTime(1_000);
    type(document.body, "3");
    vi.advanceTimersByTime(1_500);
    expect(onUnended).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200);
    expect(onUnended.mock.calls).toEqual([["123"]]);
    expect(input.value).toBe("");
    vi.advanceTimersByTime(5_000);
    expect(onUnended).toHaveBeenCalledOnce();
  });

  it("takes with it what is ended within the next second, and nothing later", () => {
    type(document.body, "12");
    vi.advanceTimersByTime(1_700);
    expect(onUnended.mock.calls).toEqual([["12"]]);
    type(document.body, "34");
    press(document.body, "Enter");
    expect(onUnended.mock.calls).toEqual([["12"], ["34"]]);
    vi.advanceTimersByTime(1_000);
    type(document.body, "56");
    press(document.body, "Enter");
    expect(onCode.mock.calls).toEqual([["56"]]);
  });

  it("takes nothing with it that is ended a whole second later", () => {
    type(document.body, "12");
    vi.advanceTimersByTime(1_600);
    expect(onUnended.mock.calls).toEqual([["12"]]);
    vi.advanceTimersByTime(1_000);
    input.value = "34";
    press(document.body, "Enter");
    expect(onCode.mock.calls).toEqual([["34"]]);
  });

  it("is no report where nobody could see it", () => {
    input.value = "\u001d";
    vi.advanceTimersByTime(2_000);
    expect(onUnended).not.toHaveBeenCalled();
    type(document.body, "56");
    press(document.body, "Enter");
    expect(onCode.mock.calls).toEqual([["56"]]);
  });

  it("is forgotten where a dialog has taken the rest of it", () => {
    input.value = "12";
    clearScannerInput(input);
    clearScannerInput(null);
    expect(input.value).toBe("");
  });
});
