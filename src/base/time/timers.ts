/** Timers as something that can be passed in, so that tests need not wait. */
export interface Timers {
  /** Calls `then` once after `ms`; returns a function that cancels it. */
  after(ms: number, then: () => void): () => void;
  /** Calls `then` every `ms`; returns a function that ends it. Does not keep the process alive. */
  every(ms: number, then: () => void): () => void;
}

export const SYSTEM_TIMERS: Timers = {
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
  every(ms, then) {
    const timer = setInterval(then, ms).unref();
    return () => clearInterval(timer);
  },
};
