/** Asks shards for the facts of accounts, and of objects that tokens are bound to. */
import { objectFacts, secretFacts } from '../../auth/authentication/account-facts.ts';
import type {
  AccountFacts,
  ObjectFacts,
  OwnerFacts,
  SecretFacts,
} from '../../auth/authentication/account-facts.ts';
import { AccountIndex } from '../../auth/authentication/account-index.ts';
import type { FollowedType, FollowType } from '../../replicas/follow-type.ts';
import { answeredCell } from '../../replicas/answered-versions.ts';
import type { AnsweredVersions } from '../../replicas/answered-versions.ts';
import type { Form } from '../../semantics/options/answer-form.ts';
import { isRefusal } from '../../semantics/errors/status.ts';
import type { GroupResource } from '../../semantics/errors/status.ts';
import type { OperationContext } from '../operation.ts';
import { LAST_USED } from '../../resources/core/secret.ts';
import { getStored, labelStored, NODES, PODS, SECRETS } from '../operations/shard-requests.ts';
import type { Stored } from '../operations/shard-requests.ts';
import { KeptLookUps } from './kept-look-ups.ts';

export interface AccountFactsOptions {
  readonly shards: OperationContext['shards'];
  readonly follow: FollowType;
  readonly answered: AnsweredVersions;
  /** Whether it is kept which Secrets an account refers to. */
  readonly keepsSecrets: boolean;
  readonly nowMs: () => number;
}

/** A pod or node that is gone may be taken for one that is there for so long. */
const POD_AGE_MS_MAX = 1_000;
const ACCOUNTS = 'serviceaccounts';
/** The form in which pods and nodes are read: their metadata is enough. */
const METADATA: Form = { encoding: 'json', as: 'PartialObjectMetadata', metaVersion: 'v1' };

export class StoredAccountFacts implements AccountFacts {
  readonly #index: AccountIndex;
  readonly #shards: AccountFactsOptions['shards'];
  readonly #accounts: FollowedType;
  readonly #secrets: KeptLookUps<SecretFacts>;
  readonly #pods: KeptLookUps<ObjectFacts>;
  readonly #nodes: KeptLookUps<ObjectFacts>;

  /** It follows the accounts from then on. */
  constructor({ shards, follow, answered, keepsSecrets, nowMs }: AccountFactsOptions) {
    this.#shards = shards;
    this.#index = new AccountIndex(keepsSecrets);
    this.#accounts = follow(ACCOUNTS, this.#index);
    const lookUps = <T, F>(
      resource: GroupResource,
      form: Form | undefined,
      factsOf: (o: T) => F,
    ) => {
      const cell = answeredCell(resource.resource);
      return {
        find: (namespace: string, name: string) =>
          unlessMissing(getStored<T & Stored>(shards, resource, namespace, name, form), factsOf),
        version: () => answered.get(cell),
        nowMs,
      };
    };
    this.#secrets = new KeptLookUps({ ...lookUps(SECRETS, undefined, secretFacts), ageMsMax: 0 });
    const bindable = (resource: GroupResource): KeptLookUps<ObjectFacts> =>
      new KeptLookUps({
        ...lookUps(resource, METADATA, objectFacts),
        ageMsMax: POD_AGE_MS_MAX,
      });
    this.#pods = bindable(PODS);
    this.#nodes = bindable(NODES);
  }

  account(
    namespace: string,
    name: string,
  ): OwnerFacts | undefined | Promise<OwnerFacts | undefined> {
    if (this.#accounts.isCurrent) return this.#index.get(namespace, name);
    return this.#accounts.whenCurrent().then(() => this.#index.get(namespace, name));
  }

  secret(
    namespace: string,
    name: string,
  ): SecretFacts | undefined | Promise<SecretFacts | undefined> {
    return this.#secrets.get(namespace, name);
  }

  pod(namespace: string, name: string): ObjectFacts | undefined | Promise<ObjectFacts | undefined> {
    return this.#pods.get(namespace, name);
  }

  node(name: string): ObjectFacts | undefined | Promise<ObjectFacts | undefined> {
    return this.#nodes.get('', name);
  }

  async noteUsed(namespace: string, name: string, day: string): Promise<void> {
    await labelStored(this.#shards, SECRETS, { namespace, name }, { [LAST_USED]: day });
  }
}

async function unlessMissing<T, F>(
  found: Promise<T>,
  factsOf: (object: T) => F,
): Promise<F | undefined> {
  try {
    return factsOf(await found);
  } catch (error) {
    if (isRefusal(error, 404)) return undefined;
    throw error;
  }
}
