/** The client's side of a watch: an answer that is a stream, or a WebSocket. */
import type { Exchange } from '../exchange.ts';

/** Where the events of a watch go. */
export type WatchStream = Pick<
  Exchange,
  | 'beginStream'
  | 'flushHead'
  | 'hasBegunNext'
  | 'write'
  | 'onWritable'
  | 'onAborted'
  | 'endWithError'
  | 'endStream'
  | 'sendStatus'
>;
