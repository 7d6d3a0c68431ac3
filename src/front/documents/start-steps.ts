/** The steps of a start. Each is a health check, which fails until its step is done. */
import type { HealthCheck, HealthPath } from './health.ts';

type Elsewhere = Readonly<Record<string, readonly HealthPath[]>>;

export class StartSteps {
  /** Whether each is done, in their order. */
  readonly #steps: Map<string, boolean>;
  readonly #notIn: Elsewhere;

  /** `notIn` has the paths that do not tell of a step. */
  constructor(names: readonly string[], notIn: Elsewhere = {}) {
    this.#steps = new Map(names.map((name) => [name, false]));
    this.#notIn = notIn;
  }

  /**
   * Waits for the work of a step, or of several that it stands for; those that there are not do not
   * count. Rejects as that does.
   */
  async run<T>(names: string | readonly string[], work: Promise<T>): Promise<T> {
    const result = await work;
    for (const name of [names].flat()) if (this.#steps.has(name)) this.#steps.set(name, true);
    return result;
  }

  /** None is waited for: another server does what is left. */
  async skip(): Promise<void> {
    for (const name of this.#steps.keys()) this.#steps.set(name, true);
  }

  get checks(): readonly HealthCheck[] {
    return Array.from(this.#steps.keys(), (name) => ({
      name,
      notIn: this.#notIn[name] ?? [],
      run: () =>
        this.#steps.get(name) === true
          ? Promise.resolve()
          : Promise.reject(new Error('not finished')),
    }));
  }
}
