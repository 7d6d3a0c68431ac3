/** The known accounts, as far as their pods are concerned. */
import type { ServiceAccount } from '#messages/core.v1';
import { TRUE_TEXTS } from '../../../base/text/truth-texts.ts';
import { SYSTEM_TIMERS, type Timers } from '../../../base/time/timers.ts';
import { indexKey } from '../../../replicas/follow-type.ts';
import type { TypeIndex } from '../../../replicas/follow-type.ts';
import { ownName } from '../../../semantics/dialect/own-names.ts';

const ENFORCED = ownName('cluster.io/enforce-mountable-secrets');

export interface KnownAccount {
  /** Whether its pods get a token, if they say nothing themselves. */
  readonly automounts?: boolean | undefined;
  readonly pullSecrets: readonly (string | undefined)[];
  /** The only secrets that its pods may use; undefined where they may use any. */
  readonly mountable?: ReadonlySet<string> | undefined;
}

/** So long a pod waits for the account `default` of its namespace, which a controller makes. */
export const DEFAULT_ACCOUNT_WAIT_MS = 1_500;

/** Nearly all accounts say nothing. */
const PLAIN: KnownAccount = Object.freeze({ pullSecrets: [] });

export class KnownAccounts implements TypeIndex {
  readonly #accounts = new Map<string, KnownAccount>();
  /** Called when an account is there. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #timers: Timers;

  constructor(timers: Timers = SYSTEM_TIMERS) {
    this.#timers = timers;
  }

  put(account: ServiceAccount): void {
    const key = indexKey(account);
    this.#accounts.set(key, knownOf(account));
    for (const told of this.#waiting.get(key) ?? []) told();
  }

  remove(account: ServiceAccount): void {
    this.#accounts.delete(indexKey(account));
  }

  get(namespace: string, name: string): KnownAccount | undefined {
    return this.#accounts.get(`${namespace}/${name}`);
  }

  /** Resolves when there is such an account, or after so long. */
  async whenThere(namespace: string, name: string, waitMs: number): Promise<void> {
    const key = `${namespace}/${name}`;
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting);
    await new Promise<void>((resolve) => {
      const cancel = this.#timers.after(waitMs, () => told());
      const told = (): void => {
        cancel();
        waiting.delete(told);
        if (waiting.size === 0) this.#waiting.delete(key);
        resolve();
      };
      waiting.add(told);
    });
  }
}

function knownOf(account: ServiceAccount): KnownAccount {
  const { metadata, secrets = [], imagePullSecrets = [] } = account;
  const { automountServiceAccountToken: automounts } = account;
  const isEnforced = TRUE_TEXTS.has(metadata.annotations?.[ENFORCED] ?? '');
  if (automounts === undefined && !isEnforced && imagePullSecrets.length === 0) return PLAIN;
  return {
    automounts,
    pullSecrets: imagePullSecrets.map(({ name }) => name),
    mountable: isEnforced ? new Set(secrets.map(({ name = '' }) => name)) : undefined,
  };
}
