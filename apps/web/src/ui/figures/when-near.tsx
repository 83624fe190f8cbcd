import { type ReactNode, useEffect, useRef, useState } from "react";

interface WhenNearProps {
  /** What the children take, in pixels: kept free for them, so that nothing moves once they are drawn. */
  readonly height: number;
  readonly children: ReactNode;
}

/** Draws its children once they are less than half a screen away: what takes a large library, and comes last on its page. */
export function WhenNear({ height, children }: WhenNearProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: "50%" },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  return (
    <div ref={place} style={{ minHeight: height }}>
      {isNear ? children : null}
    </div>
  );
}
