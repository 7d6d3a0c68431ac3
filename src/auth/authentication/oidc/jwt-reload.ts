/** Reads the file of `--authentication-config` again when it has changed (README.md#changes). */
import { configurationText } from '../../configuration/configuration-file.ts';
import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '../../../base/options/config-error.ts';
import { aggregateText } from '../../../semantics/errors/aggregate-text.ts';
import { followFile } from '../../configuration/follow-file.ts';
import { metricHash, ReloadMetrics } from '../../configuration/reload-metrics.ts';
import { TOKEN_ALGORITHMS } from '../json-web-token.ts';
import type { AuthenticationDocument, JwtDocument } from './jwt-form.ts';
import { ISSUER_READY_MS_MAX, ISSUERS_CHANNEL, issuersOf } from './oidc-issuers.ts';
import { checkIssuers, decodeJwtFile, jwtFileProblems, type FileRules } from './read-jwt-file.ts';

export interface JwtReloadOptions {
  readonly file: string;
  /** The text at the start. */
  readonly text: string;
  readonly document: AuthenticationDocument;
  readonly rules: FileRules;
  /** '' where it has none. */
  readonly serverId: string;
  readonly tell: (line: string) => void;
  readonly logError: (line: string) => void;
}

/** Looks at the file when it may have changed, until the process ends. */
export function reloadJwtFile(options: JwtReloadOptions): void {
  const reload = new JwtReload(options);
  followFile(options.file, () => reload.look());
}

class JwtReload {
  readonly #options: JwtReloadOptions;
  readonly #metrics: ReloadMetrics;
  readonly #tellThreads = ISSUERS_CHANNEL.teller();
  /** The text that was used last, or cannot be used whatever else changes. */
  #settled: string;

  constructor(options: JwtReloadOptions) {
    this.#options = options;
    this.#settled = options.text;
    this.#metrics = new ReloadMetrics('authentication', options.serverId);
    this.#metrics.applied(metricHash(options.text));
  }

  async look(): Promise<void> {
    const { logError, tell } = this.#options;
    let step = 'read authentication config file';
    try {
      const text = configurationText(this.#options.file);
      if (text === this.#settled) return;
      step = 'load authentication config';
      const document = this.#settledBy(text, () => decodeJwtFile(text));
      step = 'validate authentication config';
      const problems = await this.#problems(document);
      this.#settledBy(text, () => {
        if (problems.length > 0) throw new ConfigError(aggregateText(problems));
      });
      step = 'update authentication config';
      await this.#update(document);
      this.#settled = text;
      tell('reloaded authentication config');
      this.#metrics.reloaded('success');
      this.#metrics.applied(metricHash(text));
    } catch (error) {
      logError(`failed to ${step}: ${(error as Error).message}`);
      this.#metrics.reloaded('failure');
    }
  }

  /** A text that is wrong now is wrong forever. */
  #settledBy<Result>(text: string, read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      this.#settled = text;
      throw error;
    }
  }

  async #problems(document: AuthenticationDocument): Promise<readonly string[]> {
    const problems = await jwtFileProblems(document, this.#options.rules);
    const before = this.#options.document.anonymous ?? null;
    if (isDeepStrictEqual(document.anonymous ?? null, before)) return problems;
    return [...problems, 'anonymous: Forbidden: changed from initial configuration file'];
  }

  /** Nobody goes by issuers that cannot be asked. */
  async #update(document: AuthenticationDocument): Promise<void> {
    const issuers = issuersIn(document);
    await checkIssuers(document, this.#options.rules);
    const tried = await issuersOf(issuers, {
      algorithms: TOKEN_ALGORITHMS,
      apiAudiences: [],
      nowMs: Date.now,
      logError: () => undefined,
    });
    try {
      const waits = tried.map((one) => one.problemAfter(ISSUER_READY_MS_MAX));
      const problems = (await Promise.all(waits)).filter((problem) => problem !== '');
      if (problems.length > 0) {
        const why = [aggregateText(problems), 'context deadline exceeded'];
        throw new ConfigError(aggregateText(why));
      }
    } finally {
      for (const one of tried) one.close();
    }
    this.#tellThreads(issuers);
  }
}

export function issuersIn({ jwt }: AuthenticationDocument): readonly JwtDocument[] {
  return (jwt ?? []).map((one) => one ?? {});
}
