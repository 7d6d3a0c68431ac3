/** /livez, /readyz and /healthz with their checks (../README.md#health). */
import type { Exchange } from '../exchange.ts';

export interface HealthCheck {
  readonly name: string;
  /**
   * Resolves when healthy; rejects with the reason, which only the log gets to see. What is looked
   * at may depend on the path.
   */
  run(path: HealthPath): Promise<void>;
  /**
   * The paths that it says nothing about. Liveness tells whether to restart the process, so nothing
   * counts there that waits for somebody who may be busy.
   */
  readonly notIn?: readonly HealthPath[];
}

export type HealthPath = 'livez' | 'readyz' | 'healthz';

export interface HealthOptions {
  readonly checks: readonly HealthCheck[];
  /** Until then failing checks do not count in /livez. */
  readonly livezGraceUntilMs: number;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
  /** Told of the outcomes of all checks of a path, each time that it is asked for. */
  readonly seen?: (path: HealthPath, outcomes: readonly Outcome[]) => void;
}

/** A check that has not answered by then has failed. */
const CHECK_TIMEOUT_MS = 5_000;

/** The outcome of a check. */
export interface Outcome {
  readonly name: string;
  readonly result: 'ok' | 'excluded' | 'failed';
}

export class Health {
  readonly #options: HealthOptions;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** Whether a path such as `/readyz/ping` is one of these. */
  static parse(path: string): { path: HealthPath; check: string } | undefined {
    const match = /^\/(livez|readyz|healthz)(?:\/(.+))?$/.exec(path);
    if (match === null) return undefined;
    return { path: match[1] as HealthPath, check: match[2] ?? '' };
  }

  get checks(): readonly HealthCheck[] {
    return this.#options.checks;
  }

  /** Answers one of the paths, or a single check below it. */
  async serve(exchange: Exchange, path: HealthPath, single: string): Promise<void> {
    const checks = this.#checksOf(path);
    if (single !== '') {
      await this.#serveSingle(exchange, checks, single, path);
      return;
    }
    const excluded = new Set(exchange.query.all('exclude'));
    const unknown = [...excluded].filter((name) => !checks.some((check) => check.name === name));
    const outcomes = await Promise.all(
      checks.map((check) => this.#outcome(check, excluded.has(check.name), path)),
    );
    this.#options.seen?.(path, outcomes);
    const failed = outcomes.some(({ result }) => result === 'failed');
    const lines = outcomes.map(lineOf);
    if (unknown.length > 0) {
      const names = unknown.map((name) => JSON.stringify(name)).join(', ');
      lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
    }
    if (failed) exchange.sendText(500, [...lines, `${path} check failed`, ''].join('\n'));
    else if (!exchange.query.has('verbose')) exchange.sendText(200, 'ok');
    else exchange.sendText(200, [...lines, `${path} check passed`, ''].join('\n'));
  }

  /** Resolves to whether every check of /readyz passes. */
  async isReady(): Promise<boolean> {
    const checks = this.#checksOf('readyz');
    const outcomes = await Promise.all(
      checks.map((check) => this.#outcome(check, false, 'readyz')),
    );
    return outcomes.every(({ result }) => result === 'ok');
  }

  #checksOf(path: HealthPath): readonly HealthCheck[] {
    const { checks } = this.#options;
    return checks.filter((check) => countsIn(check, path));
  }

  async #serveSingle(
    exchange: Exchange,
    checks: readonly HealthCheck[],
    name: string,
    path: HealthPath,
  ): Promise<void> {
    const check = checks.find((one) => one.name === name);
    if (check === undefined) {
      exchange.sendText(404, '404 page not found\n');
      return;
    }
    const { result } = await this.#outcome(
      check,
      exchange.query.all('exclude').includes(name),
      path,
    );
    if (result !== 'failed') exchange.sendText(200, 'ok');
    else exchange.sendText(500, `internal server error: ${name} failed: reason withheld\n`);
  }

  async #outcome(check: HealthCheck, excluded: boolean, path: HealthPath): Promise<Outcome> {
    const { name } = check;
    if (excluded) return { name, result: 'excluded' };
    const { nowMs, livezGraceUntilMs, logError } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('no answer')), CHECK_TIMEOUT_MS);
    });
    try {
      await Promise.race([check.run(path), late]);
      return { name, result: 'ok' };
    } catch (error) {
      logError(`${path} check ${name} failed: ${(error as Error).message}`);
      const inGrace = path === 'livez' && nowMs() < livezGraceUntilMs;
      return { name, result: inGrace ? 'ok' : 'failed' };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether a path shows a check. */
export function countsIn({ notIn }: Pick<HealthCheck, 'notIn'>, path: HealthPath): boolean {
  return notIn?.includes(path) !== true;
}

function lineOf({ name, result }: Outcome): string {
  if (result === 'failed') return `[-]${name} failed: reason withheld`;
  return result === 'excluded' ? `[+]${name} excluded: ok` : `[+]${name} ok`;
}
