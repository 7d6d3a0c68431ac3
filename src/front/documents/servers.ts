/**
 * `/shardplane/servers` and `/shardplane/resign`: the servers that share a store
 * (src/journal/README.md#the-servers). There are no such paths where no other server shares it.
 */
import { methodNotAllowed, StatusError } from '../../semantics/errors/status.ts';
import type { Exchange } from '../exchange.ts';
import type { ServerRow } from '../front-protocol.ts';
import { answerJson } from './answer-json.ts';

const LIST_PATH = '/shardplane/servers';
const RESIGN_PATH = '/shardplane/resign';

/** What knows of the others. */
export interface KnownServers {
  readonly servers: () => Promise<readonly ServerRow[] | undefined>;
  readonly resign: () => Promise<void>;
}

export class Servers {
  readonly #known: KnownServers;

  constructor(known: KnownServers) {
    this.#known = known;
  }

  /** Answers one of them; false for other paths. Throws StatusError. */
  serve(exchange: Exchange, path: string): boolean {
    const { method } = exchange.head;
    if (path === LIST_PATH) {
      if (method !== 'get') throw methodNotAllowed();
      answerJson(exchange, this.#list());
    } else if (path === RESIGN_PATH) {
      if (method !== 'post') throw methodNotAllowed();
      answerJson(exchange, this.#resign());
    } else return false;
    return true;
  }

  async #list(): Promise<object> {
    const items = await this.#known.servers();
    if (items === undefined) throw notShared();
    return { items };
  }

  async #resign(): Promise<object> {
    const { items } = (await this.#list()) as { items: readonly ServerRow[] };
    await this.#known.resign();
    return { items: items.filter(({ self }) => !self) };
  }
}

function notShared(): StatusError {
  return new StatusError(404, 'NotFound', 'no other server shares the store: it is local');
}
