/** The front's records of watches, and of those that are sent the same. */
import type { RingBuffer } from '../../base/ring-buffer.ts';
import type { View, WatchRequest } from '../../protocol/shard-protocol.ts';
import type { WatchMetrics } from '../metrics/watch-metrics.ts';
import type { PointInTime } from '../request-context.ts';
import type { WatchStream } from './watch-stream.ts';

export interface Channel {
  readonly id: number;
  readonly ring: RingBuffer;
  readonly watches: Set<Watch>;
  /** The first version of the frames that some of the live watches may not have been sent. */
  turnRv: number;
}

export interface WatchOptions {
  /** The stream ends after so long. */
  readonly timeoutMs: number;
  /** The client has named the time itself. */
  readonly isTimeoutAsked: boolean;
  readonly bookmarks: boolean;
  readonly metrics: WatchMetrics;
  /** Told once, when it has been sent all that there was. */
  readonly onLive: () => void;
  /** It is shown nothing above this; undefined for all. */
  readonly past?: PointInTime | undefined;
}

export interface Watch {
  readonly exchange: WatchStream;
  readonly request: WatchRequest;
  readonly view: View;
  readonly bookmarks: boolean;
  readonly metrics: WatchMetrics;
  /** Told when it is live for the first time. */
  onLive: () => void;
  readonly past: PointInTime | undefined;
  /** Forgets that it waits until that has moved. */
  stopsWaiting: () => void;
  /** Cancels the end that comes by time. */
  cancelTimer: () => void;
  /** Its place in the timer wheel for bookmarks. */
  bookmarkSlot: number;
  /** The id by which the shard knows it now. */
  watchId: number;
  population: 'catchingUp' | 'live' | 'slow';
  /** A page was asked for and is not here yet. */
  asking: boolean;
  started: boolean;
  /** The version up to which it has been sent everything. */
  rv: number;
  channel: Channel | undefined;
  cursor: number;
  /** The `columnDefinitions` of its next event; only the first one has them. */
  columns: string | undefined;
  /** The last thing that the watch is sent: its next event, or the bookmark that was asked for. */
  endsWith: 'event' | 'bookmark' | undefined;
  /** Runs when it has ended. */
  onEnded: () => void;
}

/** A watch that is about to be opened. */
export function newWatch(
  exchange: WatchStream,
  request: WatchRequest,
  view: View,
  { bookmarks, metrics, onLive, past }: WatchOptions,
): Watch {
  return {
    exchange,
    request,
    view,
    bookmarks,
    metrics,
    onLive,
    past,
    stopsWaiting: () => undefined,
    cancelTimer: () => undefined,
    bookmarkSlot: 0,
    watchId: request.watchId,
    population: 'catchingUp',
    asking: true,
    started: false,
    rv: 0,
    channel: undefined,
    cursor: 0,
    columns: undefined,
    endsWith: undefined,
    onEnded: () => undefined,
  };
}
