/**
 * Secrets with tokens that accounts once got as a matter of course, and that nobody has used for
 * long: they are marked, and count no more; as much later they are removed
 * (src/controllers/README.md#tokens-of-accounts).
 */
import type { ConfigMap, Secret, ServiceAccount } from '#messages/core.v1';
import { SERVER_TIMERS } from '../../base/time/server-clock.ts';
import { referredNames } from '../../auth/node/object-references.ts';
import { LEGACY_TOKENS_AT_ONCE, LEGACY_TOKENS_ROUND_MS } from '../../limits.ts';
import { ShardObjects, type ObjectName } from '../../replicas/shard-objects.ts';
import {
  ACCOUNT_NAME,
  ACCOUNT_UID,
  INVALID_SINCE,
  LAST_USED,
  SECRET_TYPE,
} from '../../resources/core/secret.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { isRefusal } from '../../semantics/errors/status.ts';
import { TRACKED_AT } from '../bootstrap/token-tracking.ts';
import { controllerAccount } from '../controller-account.ts';
import { portOf, runController, type Ports } from '../run-controller.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;

export interface LegacyTokensOptions {
  /** For so long nobody has used what is marked, or removed. */
  readonly periodMs: number;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

export class LegacyTokens {
  readonly #ports: Ports;
  readonly #options: LegacyTokensOptions;
  readonly #configMaps: ShardObjects;
  readonly #secrets: ShardObjects;
  readonly #accounts: ShardObjects;
  readonly #pods: ShardObjects;

  /** Ports: `control`, and of the shards of ConfigMaps, Secrets, accounts and pods. */
  constructor(ports: Ports, options: LegacyTokensOptions) {
    this.#ports = ports;
    this.#options = options;
    const writer = controllerAccount('legacy-service-account-token-cleaner');
    const shard = (name: string) => new ShardObjects(name, portOf(ports, name), writer);
    this.#configMaps = shard('configmaps');
    this.#secrets = shard('secrets');
    this.#accounts = shard('serviceaccounts');
    this.#pods = shard('pods');
  }

  /** Works until it is told to stop. */
  async run(): Promise<void> {
    let round = Promise.resolve();
    let endRounds = (): void => undefined;
    const begin = (): void => {
      round = this.#lookAtAll();
    };
    await runController(this.#ports, {
      begin: () => {
        begin();
        endRounds = SERVER_TIMERS.every(LEGACY_TOKENS_ROUND_MS, begin);
      },
      stop: () => endRounds(),
    });
    const shards = [this.#configMaps, this.#secrets, this.#accounts, this.#pods];
    for (const shard of shards) shard.close();
    await round;
  }

  async #lookAtAll(): Promise<void> {
    try {
      if (!(await this.#isTracked())) return;
      const used = new Map<string, ReadonlySet<string>>();
      for await (const secret of all<Secret>(this.#secrets, '')) {
        if (this.#isOld(secret) && (await this.#isNeedless(secret, used))) await this.#end(secret);
      }
    } catch (error) {
      this.#options.logError(`unused tokens of accounts: ${(error as Error).message}`);
    }
  }

  /** The use of tokens is noted for long enough. */
  async #isTracked(): Promise<boolean> {
    const { data = {} } = (await this.#configMaps.get<ConfigMap>(TRACKED_AT)) ?? {};
    const sinceMs = msOf(data['since']);
    // Of the first day only a part was noted.
    return sinceMs !== undefined && sinceMs + DAY_MS <= this.#oldestMs;
  }

  get #oldestMs(): number {
    return this.#options.nowMs() - this.#options.periodMs;
  }

  #isOld({ type, metadata }: Secret): boolean {
    if (type !== SECRET_TYPE.serviceAccountToken) return false;
    const { creationTimestamp = '', deletionTimestamp, labels = {} } = metadata;
    if (deletionTimestamp !== undefined) return false;
    const isNew = Date.parse(creationTimestamp) >= this.#oldestMs;
    const { [LAST_USED]: lastUsed } = labels;
    if (isNew || lastUsed === undefined) return !isNew;
    // A day that is none says nothing: the token may be in use.
    return DAY.test(lastUsed) && lastUsed < dayOf(this.#oldestMs);
  }

  /** Its account names it, so that nobody made it by hand, and no pod refers to it. */
  async #isNeedless(
    { metadata }: Secret,
    used: Map<string, ReadonlySet<string>>,
  ): Promise<boolean> {
    const { namespace = '', name = '', annotations = {} } = metadata;
    const { [ACCOUNT_NAME]: owner = '', [ACCOUNT_UID]: uid = '' } = annotations;
    if (owner === '') return false;
    const account = await this.#accounts.get<ServiceAccount>({ namespace, name: owner });
    if (account === undefined || (uid !== '' && uid !== account.metadata.uid)) return false;
    if (account.secrets?.some((secret) => secret.name === name) !== true) return false;
    let ofPods = used.get(namespace);
    if (ofPods === undefined) {
      const names = new Set<string>();
      for await (const pod of all(this.#pods, namespace)) {
        for (const secret of referredNames(pod).secrets) names.add(secret);
      }
      used.set(namespace, (ofPods = names));
    }
    return !ofPods.has(name);
  }

  /** It is marked, or removed where it has been for long. */
  async #end({ metadata }: Secret): Promise<void> {
    const { namespace = '', name = '', uid = '', labels = {} } = metadata;
    const { [INVALID_SINCE]: since = '' } = labels;
    if (!DAY.test(since)) {
      const marked = { [INVALID_SINCE]: dayOf(this.#options.nowMs()) };
      await this.#mark({ namespace, name }, { metadata: { uid, labels: marked } });
    } else if (since < dayOf(this.#oldestMs)) {
      await this.#secrets.deleteExactly({ namespace, name }, uid);
    }
  }

  /** One that is gone, or was made anew, is fine. */
  async #mark(at: ObjectName, patch: object): Promise<void> {
    try {
      await this.#secrets.merge(at, patch);
    } catch (error) {
      if (!isRefusal(error, 404) && !isRefusal(error, 409)) throw error;
    }
  }
}

async function* all<T extends ApiObject>(shard: ShardObjects, namespace: string) {
  let token = '';
  do {
    const page = await shard.list<T>(namespace, LEGACY_TOKENS_AT_ONCE, token);
    yield* page.items;
    token = page.continueToken;
  } while (token !== '');
}

/** When a day begins; undefined for what is none. */
function msOf(day = ''): number | undefined {
  const ms = DAY.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
