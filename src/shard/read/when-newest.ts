/**
 * Reads of a type that other servers share wait until its view has all that was answered before,
 * unless they may see an older state (../README.md#resource-versions).
 */
import type { GivingAnswer } from '../../actors/link.ts';
import type { JournaledType } from '../../journal/journaled-type.ts';
import { StatusError } from '../../semantics/errors/status.ts';
import type { ErrorsAsReplies } from '../state/errors-as-replies.ts';
import type { Shard } from '../state/shard.ts';

interface Read {
  readonly resourceVersion: string;
  /** Of one object. */
  readonly namespace?: string;
  readonly name?: string;
  /** Of a list that goes on: its token has a version. */
  readonly continue?: string;
}

type Handler<Request, Reply> = (
  request: Request,
  body: Uint8Array,
  answer: GivingAnswer<Reply>,
) => void;

/** A wrapper for verbs that read; without `journaled` they never wait. */
export function whenNewest(
  shard: Shard,
  journaled: JournaledType | undefined,
  guarded: ErrorsAsReplies,
) {
  return <Request extends Read, Reply>(verb: Handler<Request, Reply>): Handler<Request, Reply> => {
    const read = guarded(verb);
    if (journaled === undefined) return read;
    return (request, body, answer) => {
      const ended = journaled.isOwn ? underWay(shard, request) : undefined;
      if ((journaled.isNewest && ended === undefined) || mayBeOlder(shard, request)) {
        read(request, body, answer);
        return;
      }
      const { resourceVersion: asked } = request;
      const atLeast = /^[0-9]{1,15}$/.test(asked) ? Number(asked) : 0;
      // The message that brought it is gone by then.
      const kept = Uint8Array.from(body);
      const newest = (): Promise<void> => journaled.whenNewest(atLeast);
      (ended?.then(newest) ?? newest()).then(
        () => read(request, kept, answer),
        (error: unknown) => {
          if (!(error instanceof StatusError)) throw error;
          answer.fail(error);
        },
      );
    };
  };
}

/**
 * Resolves when what is on its way to etcd is there or is not; undefined where that is nothing that
 * the read could show. Another server may have shown it already: it hears of it from etcd.
 */
function underWay(shard: Shard, { namespace = '', name }: Read): Promise<void> | undefined {
  const { pipeline } = shard;
  if (name === undefined) return pipeline.oldest() === undefined ? undefined : pipeline.settled();
  const key = shard.keyOf(namespace, name);
  if (pipeline.uncommitted(key) === undefined) return undefined;
  return new Promise((resolve) => pipeline.afterPending(key, () => resolve()));
}

function mayBeOlder(shard: Shard, { resourceVersion: asked, continue: token = '' }: Read): boolean {
  if (asked === '' || token !== '') return false;
  return asked === '0' || Number(asked) <= shard.pipeline.listVersion();
}
