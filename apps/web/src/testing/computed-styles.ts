/** Styles as they were worked out since the document changed last. */
let remembered = new WeakMap<Element, CSSStyleDeclaration>();

/** The same style, of which each value is worked out once. */
function workedOutOnce(style: CSSStyleDeclaration): CSSStyleDeclaration {
  const values = new Map<string | symbol, unknown>();
  const once = (key: string | symbol, workOut: () => unknown) => {
    if (!values.has(key)) values.set(key, workOut());
    return values.get(key);
  };
  const getPropertyValue = (name: string) => once(`value of ${name}`, () => style.getPropertyValue(name));
  return new Proxy(style, {
    get: (_style, key) =>
      key === "getPropertyValue" ? getPropertyValue : once(key, () => Reflect.get(style, key, style)),
  });
}

/**
 * Works out the style of an element once until something changes in the document. The query for a role asks for the style of
 * every candidate and all that its name is made of, over and over while it waits: a third of what tests of large pages took.
 * @returns ends it: files of tests share a window
 */
export function rememberComputedStyles(): () => void {
  const { getComputedStyle: original } = window;
  const workOut = original.bind(window);
  const forget = () => {
    remembered = new WeakMap();
  };
  const changes = new MutationObserver(forget);
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  window.getComputedStyle = (element, pseudoElement) => {
    if (typeof pseudoElement === "string") return workOut(element, pseudoElement);
    if (changes.takeRecords().length > 0) forget();
    const style = remembered.get(element) ?? workedOutOnce(workOut(element));
    remembered.set(element, style);
    return style;
  };
  return () => {
    changes.disconnect();
    window.getComputedStyle = original;
  };
}
