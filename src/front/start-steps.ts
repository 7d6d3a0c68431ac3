/** The steps of a start. Each is a health check, which fails until its step is done. */
import type { HealthCheck } from './health.ts';

export class StartSteps {
  /** Whether each is done, in their order. */
  readonly #steps: Map<string, boolean>;

  constructor(names: readonly string[]) {
    this.#steps = new Map(names.map((name) => [name, false]));
  }

  /** Waits for the work of a step. Rejects as that does. */
  async run<T>(name: string, work: Promise<T>): Promise<T> {
    const result = await work;
    this.#steps.set(name, true);
    return result;
  }

  get checks(): readonly HealthCheck[] {
    return Array.from(this.#steps.keys(), (name) => ({
      name,
      run: () =>
        this.#steps.get(name) === true
          ? Promise.resolve()
          : Promise.reject(new Error('not finished')),
    }));
  }
}
