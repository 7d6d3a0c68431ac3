/** What requests pass before they are authorized and served (README.md). */
import type { FlowDump } from './flow-dumps.ts';
import type { Exchange } from '../exchange.ts';
import type { RequestContext } from '../request-context.ts';

/** After how many seconds a client that is refused may ask again. */
export type RefusedFor = number;

export interface RequestGate {
  /**
   * Lets a request pass: now, or later; or refuses it. One that has passed holds a place
   * (`RequestContext.place`).
   */
  enter(request: RequestContext): RefusedFor | undefined | Promise<RefusedFor | undefined>;
  /** What it has now, for the front that is asked; undefined where there is nothing to tell. */
  dump(): FlowDump | undefined;
  /** Answers what tells of it; false for other paths. */
  serve(exchange: Exchange, path: string): boolean;
  /** The front ends. */
  close(): void;
}
