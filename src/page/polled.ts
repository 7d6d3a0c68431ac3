/** Asks again and again, as long as somebody looks. */
import { useEffect, useState } from 'preact/hooks';

/** What was asked for, or why there is none. */
export interface Polled<Value> {
  readonly value?: Value;
  readonly error?: Error;
}

/** Asks at once, then this long after each answer, and never while the page is hidden. */
export function usePolled<Value>(
  ask: () => Promise<Value>,
  everyMs: number,
  inputs: readonly unknown[],
): Polled<Value> {
  const [polled, setPolled] = useState<Polled<Value>>({});
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = (): void => {
      if (isOver) return;
      timer = setTimeout(turn, everyMs);
    };
    const turn = (): void => {
      if (document.hidden) {
        next();
        return;
      }
      ask().then(
        (value) => {
          if (!isOver) setPolled({ value });
          next();
        },
        (error: Error) => {
          if (!isOver) setPolled((last) => ({ ...last, error }));
          next();
        },
      );
    };
    turn();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, inputs);
  return polled;
}
