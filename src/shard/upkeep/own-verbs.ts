/** Calls that the shards of one type alone know, each of a protocol of its own. */
import type { Answer, Calls } from '../../actors/link.ts';
import type { BindCalls } from '../../protocol/bind-protocol.ts';
import type { QuotaCalls } from '../../quota/quota-protocol.ts';
import type { Shard } from '../state/shard.ts';
import { bind } from '../verbs/bind.ts';
import { writing } from '../write/driver.ts';
import { QuotaLedger } from './quota-ledger.ts';

type OwnHandler = (request: never, answer: Answer<never>) => void;
type HandlersOf<P extends Calls<P>> = {
  readonly [V in keyof P]: (request: P[V]['request'], answer: Answer<P[V]['reply']>) => void;
};

const NO_BODY = new Uint8Array(0);

/** By the type; shards of others know none. */
const OWN_VERBS: Readonly<Record<string, (shard: Shard) => Record<string, OwnHandler>>> = {
  pods: (shard): HandlersOf<BindCalls> => {
    const write = writing(shard, bind);
    return { bind: (request, answer) => write(request, NO_BODY, answer) };
  },
  resourcequotas: (shard): HandlersOf<QuotaCalls> => {
    const ledger = new QuotaLedger(shard);
    return {
      reserve: (request, answer) => ledger.reserve(request, answer),
      settle: (request) => ledger.settle(request),
      beginRecount: (request, answer) => ledger.beginRecount(request, answer),
      endRecount: (request, answer) => ledger.endRecount(request, answer),
    };
  },
};

/** The handlers of a shard, by the verbs. */
export function ownVerbs(shard: Shard): ReadonlyMap<string, OwnHandler> {
  const { [shard.kind.key]: handlersOf } = OWN_VERBS;
  return new Map(Object.entries(handlersOf?.(shard) ?? {}));
}
