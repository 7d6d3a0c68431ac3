/**
 * Secrets with tokens of service accounts (src/controllers/README.md#tokens-of-accounts): each
 * account gets one, those that people make are filled in, and those whose account is gone are
 * removed.
 */
import type { Secret, ServiceAccount } from '#messages/core.v1';
import { RANDOMNESS } from '../../base/randomness.ts';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import type { ObjectName } from '../../replicas/shard-objects.ts';
import { SECRET_TYPE } from '../../resources/core/secret.ts';
import { isNamespaceTerminating, isRefusal } from '../../semantics/errors/status.ts';
import { CONTROLLER_PROGRAM } from '../controller-account.ts';
import { generatedName } from '../../types/generated-name.ts';
import { Informer, keyOf, nameOf } from '../informer.ts';
import { portOf, runController } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';
import { accountOf, completed, isComplete } from './token-secret.ts';
import type { AccountName, TokenSecretOptions } from './token-secret.ts';

const ACCOUNTS = 'serviceaccounts';
const SECRETS = 'secrets';

/** The kept facts of an account. */
interface KnownAccount {
  readonly uid: string;
  /** The names of the Secrets that it may use. */
  readonly secrets: readonly string[];
}

/** The kept facts of a Secret with a token. */
interface KnownToken {
  readonly uid: string;
  /** The account that it is for. */
  readonly account: AccountName;
  readonly isComplete: boolean;
}

export interface AccountTokensOptions extends TokenSecretOptions {
  /** Whether each account gets a token of its own. */
  readonly makesTokens: boolean;
  readonly logError: (text: string) => void;
}

export class AccountTokens {
  readonly #ports: Ports;
  readonly #options: AccountTokensOptions;
  readonly #accounts: Informer<KnownAccount>;
  readonly #tokens: Informer<KnownToken>;
  /** The names of the Secrets of each account, by the account. */
  readonly #ofAccount = new Map<string, Set<string>>();
  /** Secrets that are gone, by the account that may still refer to them. */
  readonly #gone = new Map<string, Set<string>>();
  readonly #accountQueue: WorkQueue;
  readonly #tokenQueue: WorkQueue;
  #synced: Promise<unknown> = Promise.resolve();

  /** Ports: `control`, and those to the shards of accounts and of Secrets. */
  constructor(ports: Ports, options: AccountTokensOptions) {
    const { logError } = options;
    this.#ports = ports;
    this.#options = options;
    this.#accounts = new Informer({
      resource: ACCOUNTS,
      port: portOf(ports, ACCOUNTS),
      writer: CONTROLLER_PROGRAM,
      keep: knownAccount,
      onChange: (at) => this.#accountQueue.add(keyOf(at)),
    });
    this.#tokens = new Informer({
      resource: SECRETS,
      port: portOf(ports, SECRETS),
      writer: CONTROLLER_PROGRAM,
      followed: { fieldSelector: `type=${SECRET_TYPE.serviceAccountToken}` },
      keep: (secret) => knownToken(secret, options),
      onChange: (at, token, before) => this.#tokenChanged(at, token, before),
    });
    const queue = (name: string, work: (at: ObjectName) => Promise<void>): WorkQueue =>
      new WorkQueue({
        name,
        work: async (key) => {
          await this.#synced;
          await work(nameOf(key));
        },
        timers: SYSTEM_TIMERS,
        logError,
      });
    this.#accountQueue = queue('serviceaccount_tokens_service', (at) => this.#keepAccount(at));
    this.#tokenQueue = queue('serviceaccount_tokens_secret', (at) => this.#keepToken(at));
  }

  /** Works until it is told to stop. */
  async run(): Promise<void> {
    this.#synced = Promise.all([this.#tokens.start(), this.#accounts.start()]);
    await this.#synced;
    await runController(this.#ports, {
      begin: () => undefined,
      stop: async () => {
        await Promise.all([this.#accountQueue.stop(), this.#tokenQueue.stop()]);
      },
    });
    this.#accounts.close();
    this.#tokens.close();
  }

  #tokenChanged(at: ObjectName, token: KnownToken | undefined, before?: KnownToken): void {
    const { namespace, name } = at;
    if (before !== undefined) {
      const account = keyOf({ namespace, name: before.account.name });
      remove(this.#ofAccount, account, name);
      if (token === undefined) {
        add(this.#gone, account, name);
        this.#accountQueue.add(account);
      }
    }
    if (token !== undefined) {
      add(this.#ofAccount, keyOf({ namespace, name: token.account.name }), name);
      this.#tokenQueue.add(keyOf(at));
    }
  }

  /** The account refers to a token of its own, where it gets one, and to none that is gone. */
  async #keepAccount(at: ObjectName): Promise<void> {
    const { namespace } = at;
    const key = keyOf(at);
    const account = this.#accounts.get(at);
    const gone = this.#gone.get(key) ?? new Set();
    if (account === undefined) {
      this.#gone.delete(key);
      for (const name of this.#ofAccount.get(key) ?? []) {
        this.#tokenQueue.add(keyOf({ namespace, name }));
      }
      return;
    }
    const lacksOne =
      this.#options.makesTokens &&
      !account.secrets.some((name) => isOf(account, at, this.#tokens.get({ namespace, name })));
    if (lacksOne || account.secrets.some((name) => gone.has(name))) await this.#mend(at, gone);
    this.#gone.delete(key);
  }

  /** Works on the account as it is now: what is followed may be a moment behind. */
  async #mend(at: ObjectName, gone: ReadonlySet<string>): Promise<void> {
    const { namespace } = at;
    const account = await this.#accounts.client.get<ServiceAccount>(at);
    if (account === undefined) return;
    const { uid = '' } = account.metadata;
    const before = account.secrets ?? [];
    const secrets = before.filter(({ name = '' }) => !gone.has(name));
    let made: ObjectName | undefined;
    if (this.#options.makesTokens && !(await this.#hasToken(at, uid, secrets))) {
      made = { namespace, name: generatedName(`${at.name}-token-`, RANDOMNESS) };
      if (!(await this.#makeToken(made, { name: at.name, uid }))) return;
      secrets.push({ name: made.name });
    }
    if (made === undefined && secrets.length === before.length) return;
    try {
      await this.#accounts.client.update(at, { ...account, secrets });
    } catch (error) {
      // Somebody else has written the account: the next look begins anew.
      if (made !== undefined) await this.#tokens.client.delete(made);
      throw error;
    }
  }

  async #hasToken(
    at: ObjectName,
    uid: string,
    secrets: readonly { name?: string }[],
  ): Promise<boolean> {
    for (const { name = '' } of secrets) {
      const named = { namespace: at.namespace, name };
      const secret = this.#tokens.get(named) ?? (await this.#readToken(named));
      if (isOf({ uid }, at, secret)) return true;
    }
    return false;
  }

  /** Undefined when the Secret is none with a token. */
  async #readToken(at: ObjectName): Promise<KnownToken | undefined> {
    const secret = await this.#tokens.client.get<Secret>(at);
    return secret?.type === SECRET_TYPE.serviceAccountToken
      ? knownToken(secret, this.#options)
      : undefined;
  }

  /** False where nothing is made any more. */
  async #makeToken(at: ObjectName, account: AccountName): Promise<boolean> {
    const secret = completed({ metadata: { ...at } }, account, this.#options);
    try {
      await this.#tokens.client.create(at, secret);
      return true;
    } catch (error) {
      // The namespace is terminating, or gone.
      if (isNamespaceTerminating(error) || isRefusal(error, 404)) return false;
      throw error;
    }
  }

  /** The Secret is complete, or goes with its account. */
  async #keepToken(at: ObjectName): Promise<void> {
    const token = this.#tokens.get(at);
    if (token === undefined) return;
    const { name, uid } = token.account;
    const owner = { namespace: at.namespace, name };
    const account = this.#accounts.get(owner) ?? (await this.#readAccount(owner));
    if (account === undefined || (uid !== '' && uid !== account.uid)) {
      await this.#tokens.client.deleteExactly(at, token.uid);
      return;
    }
    if (token.isComplete) return;
    const secret = await this.#tokens.client.get<Secret>(at);
    if (secret === undefined || isComplete(secret, this.#options)) return;
    const { uid: accountUid } = account;
    await this.#tokens.client.update(
      at,
      completed(secret, { name, uid: accountUid }, this.#options),
    );
  }

  async #readAccount(at: ObjectName): Promise<KnownAccount | undefined> {
    const account = await this.#accounts.client.get<ServiceAccount>(at);
    return account && knownAccount(account);
  }
}

function knownAccount({ metadata, secrets = [] }: ServiceAccount): KnownAccount {
  return { uid: metadata.uid ?? '', secrets: secrets.map(({ name = '' }) => name) };
}

function knownToken(secret: Secret, options: TokenSecretOptions): KnownToken {
  return {
    uid: secret.metadata.uid ?? '',
    account: accountOf(secret),
    isComplete: isComplete(secret, options),
  };
}

/** Whether a token is one of the account with this name. */
function isOf(
  { uid }: Pick<KnownAccount, 'uid'>,
  { name }: ObjectName,
  token: KnownToken | undefined,
): boolean {
  if (token?.account.name !== name) return false;
  return token.account.uid === '' || token.account.uid === uid;
}

function add(sets: Map<string, Set<string>>, key: string, name: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([name]));
  else set.add(name);
}

function remove(sets: Map<string, Set<string>>, key: string, name: string): void {
  const set = sets.get(key);
  set?.delete(name);
  if (set?.size === 0) sets.delete(key);
}
