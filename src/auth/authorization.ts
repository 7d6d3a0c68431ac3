/** Who decides in a thread: those that options or a file name (README.md#who-may). */
import type { User } from '../semantics/user.ts';
import type { AuthorizationNeeds, MakeAuthorizer } from './authorizer-entry.ts';
import type { AccessAttributes, Authorizer, Decision, UserRules } from './authorizer.ts';
import { AuthorizerUnion, type NamedAuthorizer } from './authorizer-union.ts';
import {
  AUTHORIZERS,
  type AuthorizationConfig,
  type AuthorizationMode,
  type ChainedAuthorizer,
} from './authorizers.ts';
import { ConfigurationChannel } from './configuration/configuration-channel.ts';
import { counted } from './decision-metrics.ts';
import { PrivilegedFirst } from './fixed-authorizers.ts';

interface Loaded {
  readonly mode: AuthorizationMode;
  readonly name: string;
  readonly make: MakeAuthorizer;
}

/** Those that are asked in a thread; a file may change, and then others are. */
class Chain {
  loaded: readonly Loaded[];
  readonly #isFromFile: boolean;

  constructor(loaded: readonly Loaded[], isFromFile: boolean) {
    this.loaded = loaded;
    this.#isFromFile = isFromFile;
  }

  authorizer(needs: AuthorizationNeeds, without?: AuthorizationMode): Authorizer {
    const made = new Map<AuthorizationMode, Authorizer>();
    const now = (): Authorizer => {
      const asked = this.loaded.filter(({ mode }) => mode !== without);
      return new PrivilegedFirst(new AuthorizerUnion(asked.map((one) => named(one, needs, made))));
    };
    return this.#isFromFile ? new ChangingAuthorizer(() => this.loaded, now) : now();
  }
}

export class Authorization {
  readonly #chain: Chain;
  readonly #without: AuthorizationMode | undefined;

  private constructor(chain: Chain, without?: AuthorizationMode) {
    this.#chain = chain;
    this.#without = without;
  }

  /** Loads the code of those that are asked, and of those that a changed file names later. */
  static async load({ chain, file }: AuthorizationConfig): Promise<Authorization> {
    const isFromFile = file !== '';
    const own = new Chain(await loadAll(chain), isFromFile);
    if (isFromFile) {
      new ConfigurationChannel<readonly ChainedAuthorizer[]>('authorization').follow((changed) => {
        void loadAll(changed).then((loaded) => (own.loaded = loaded));
      });
    }
    return new Authorization(own);
  }

  /** It follows the types that it goes by from then on. */
  authorizer(needs: AuthorizationNeeds): Authorizer {
    return this.#chain.authorizer(needs, this.#without);
  }

  /** Without the mode for nodes, which are let do nothing but what their pods need. */
  withoutNodes(): Authorization {
    return new Authorization(this.#chain, 'Node');
  }
}

/** Asks those that the file names now. */
class ChangingAuthorizer implements Authorizer {
  readonly #loaded: () => readonly Loaded[];
  readonly #make: () => Authorizer;
  #known: readonly Loaded[] | undefined;
  #current: Authorizer | undefined;

  constructor(loaded: () => readonly Loaded[], make: () => Authorizer) {
    this.#loaded = loaded;
    this.#make = make;
  }

  authorize(asked: AccessAttributes): Decision | Promise<Decision> {
    return this.#now().authorize(asked);
  }

  rulesFor(user: User, namespace: string): UserRules | Promise<UserRules> {
    return this.#now().rulesFor(user, namespace);
  }

  #now(): Authorizer {
    const loaded = this.#loaded();
    if (this.#current === undefined || loaded !== this.#known) this.#current = this.#make();
    this.#known = loaded;
    return this.#current;
  }
}

function loadAll(chain: readonly ChainedAuthorizer[]): Promise<Loaded[]> {
  return Promise.all(
    chain.map(async ({ mode, name, settings }) => {
      return { mode, name, make: await AUTHORIZERS[mode].load(settings as never) };
    }),
  );
}

/** All but webhooks stay as they are, with what they follow. */
function named(
  { mode, name, make }: Loaded,
  needs: AuthorizationNeeds,
  made: Map<AuthorizationMode, Authorizer>,
): NamedAuthorizer {
  const authorizer = made.get(mode) ?? make(needs);
  if (mode !== 'Webhook') made.set(mode, authorizer);
  return { name, authorizer: counted(mode, name, authorizer) };
}
