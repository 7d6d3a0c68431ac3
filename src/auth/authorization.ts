/** Who decides in a thread: the modes that the options name (README.md#who-may). */
import type { AuthorizationNeeds } from './authorizer-entry.ts';
import type { Authorizer } from './authorizer.ts';
import { AuthorizerUnion } from './authorizer-union.ts';
import { AUTHORIZERS, type AuthorizationConfig, type AuthorizationMode } from './authorizers.ts';
import { PrivilegedFirst } from './fixed-authorizers.ts';

interface LoadedMode {
  readonly mode: AuthorizationMode;
  readonly make: (needs: AuthorizationNeeds) => Authorizer;
}

export class Authorization {
  readonly #modes: readonly LoadedMode[];

  private constructor(modes: readonly LoadedMode[]) {
    this.#modes = modes;
  }

  /** Loads the code of the modes that are on. */
  static async load({ modes, settings }: AuthorizationConfig): Promise<Authorization> {
    const loaded = modes.map(async (mode): Promise<LoadedMode> => {
      const make = await AUTHORIZERS[mode].load();
      return { mode, make: (needs) => make(settings[mode] as never, needs) };
    });
    return new Authorization(await Promise.all(loaded));
  }

  /** It follows the types that it goes by from then on. */
  authorizer(needs: AuthorizationNeeds): Authorizer {
    const chain = this.#modes.map(({ mode, make }) => {
      return { name: nameOf(mode), authorizer: make(needs) };
    });
    return new PrivilegedFirst(new AuthorizerUnion(chain));
  }

  /** Without the mode for nodes, which are let do nothing but what their pods need. */
  withoutNodes(): Authorization {
    return new Authorization(this.#modes.filter(({ mode }) => mode !== 'Node'));
  }
}

function nameOf(mode: AuthorizationMode): string {
  return mode === 'Webhook' ? 'default' : mode.toLowerCase();
}
