/** A promise that a test settles when it wants to. */
export interface Gate<T = void> {
  readonly promise: Promise<T>;
  open(value: T): void;
  fail(error: Error): void;
}

export function newGate<T = void>(): Gate<T> {
  let open: (value: T) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  // Nobody may be waiting for it.
  promise.catch(() => undefined);
  return { promise, open, fail };
}

/** Lets so many turns of the event loop pass. */
export async function turns(count = 3): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((next) => setImmediate(next));
}
