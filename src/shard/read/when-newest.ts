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
      if (journaled.isNewest || mayBeOlder(shard, request)) {
        read(request, body, answer);
        return;
      }
      const { resourceVersion: asked } = request;
      const atLeast = /^[0-9]{1,15}$/.test(asked) ? Number(asked) : 0;
      // The message that brought it is gone by then.
      const kept = Uint8Array.from(body);
      journaled.whenNewest(atLeast).then(
        () => read(request, kept, answer),
        (error: unknown) => {
          if (!(error instanceof StatusError)) throw error;
          answer.fail(error);
        },
      );
    };
  };
}

function mayBeOlder(shard: Shard, { resourceVersion: asked, continue: token = '' }: Read): boolean {
  if (asked === '' || token !== '') return false;
  return asked === '0' || Number(asked) <= shard.pipeline.listVersion();
}
