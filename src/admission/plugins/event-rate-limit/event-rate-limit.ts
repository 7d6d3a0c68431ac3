/**
 * EventRateLimit: so many events at once and a second, by buckets: one for all, or for each
 * namespace, user, or source and object (src/admission/README.md#eventratelimit). All events are
 * written in one thread, so that a bucket holds for the whole server.
 */
import type { Event } from '#messages/core.v1';
import { aggregateText } from '../../../semantics/errors/aggregate-text.ts';
import { ownGroupVersion } from '../../../semantics/dialect/own-names.ts';
import { invalid } from '../../../semantics/errors/field-error.ts';
import type { FieldError } from '../../../semantics/errors/field-error.ts';
import { StatusError } from '../../../semantics/errors/status.ts';
import { atLeast, document, listOf, members, oneOf } from '../../check-settings.ts';
import type { SettingRule } from '../../check-settings.ts';
import type { AdmissionContext, AdmissionPlugin, PluginSettings } from '../../plugin.ts';
import type { Proposal } from '../../proposal.ts';

type LimitType = 'Server' | 'Namespace' | 'User' | 'SourceAndObject';

interface LimitSettings {
  readonly type: LimitType;
  /** The number of tokens a second that a bucket gets. */
  readonly qps: number;
  /** The number of tokens that a bucket holds. */
  readonly burst: number;
  /** The number of buckets that are kept. */
  readonly cacheSize?: number;
}

interface Settings {
  readonly limits?: readonly LimitSettings[];
}

/** Whose bucket an event is taken from. */
const KEYS: Readonly<Record<LimitType, (proposal: Proposal) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject: ({ object }) => {
    const { source = {}, involvedObject: about = {} } = object as Event;
    const { kind, namespace, name, uid, apiVersion } = about;
    return [source.component, source.host, kind, namespace, name, uid, apiVersion].join('');
  },
};
const CACHE_SIZE = 4096;

export class EventRateLimit implements AdmissionPlugin {
  readonly #limits: readonly Limit[];

  constructor({ nowMs }: Pick<AdmissionContext, 'nowMs'>, settings: PluginSettings = {}) {
    const { limits = [] } = settings as Settings;
    this.#limits = limits.map((limit) => new Limit(limit, nowMs));
  }

  /** Throws StatusError 429. Every limit counts what another one refuses. */
  validate(proposal: Proposal): void {
    if (proposal.dryRun) return;
    const reached = this.#limits
      .map((limit) => limit.take(proposal))
      .filter((problem) => problem !== undefined);
    if (reached.length === 0) return;
    const message = `Too many requests: ${aggregateText(reached)}`;
    throw new StatusError(429, 'TooManyRequests', message);
  }
}

class Limit {
  readonly #settings: LimitSettings;
  readonly #nowMs: () => number;
  /** Those that were used last are last. */
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();
  readonly #bucketsMax: number;

  constructor(settings: LimitSettings, nowMs: () => number) {
    this.#settings = settings;
    this.#nowMs = nowMs;
    this.#bucketsMax = settings.cacheSize || CACHE_SIZE;
  }

  /** Takes one from the bucket; what is wrong when it is empty. */
  take(proposal: Proposal): string | undefined {
    const { type, qps, burst } = this.#settings;
    const key = KEYS[type](proposal);
    const nowMs = this.#nowMs();
    const { tokens, atMs } = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const filled = Math.min(burst, tokens + (Math.max(0, nowMs - atMs) / 1000) * qps);
    const isThere = filled >= 1;
    this.#keep(key, { tokens: isThere ? filled - 1 : filled, atMs: nowMs });
    return isThere ? undefined : `limit reached on type ${type} for key ${key}`;
  }

  /** A bucket that is forgotten is full when it is asked for again. */
  #keep(key: string, bucket: { tokens: number; atMs: number }): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size <= this.#bucketsMax) return;
    const [oldest = ''] = this.#buckets.keys();
    this.#buckets.delete(oldest);
  }
}

const POSITIVE = atLeast(1, 'must be positive');
const limitRules: SettingRule = listOf(
  members({
    type: oneOf(...Object.keys(KEYS)),
    qps: POSITIVE,
    burst: POSITIVE,
    cacheSize: atLeast(0, 'must not be negative'),
  }),
);

/** The problems of the settings. */
export function checkEventRateLimit(settings: PluginSettings): readonly FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = ownGroupVersion('eventratelimit.admission.cluster.io/v1alpha1');
  document(apiVersion, 'Configuration', { limits: limitRules })(settings, '', errors);
  const { limits = [] } = settings as Settings;
  if (limits.length === 0) errors.push(invalid('limits', limits, 'must not be empty'));
  return errors;
}
