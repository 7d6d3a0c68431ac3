/**
 * A long list on its way to one client: page by page, at the pace of its socket. The next page is
 * asked for before this one has been taken, so that shard and socket work side by side; a client
 * that stops reading holds the page that its socket has not taken, and the next one.
 *
 * The memory of a page that is this list's alone is freed as soon as it is sent: left to the
 * garbage collector, the pages of one list make it run over the whole heap again and again.
 */
import type { Link } from '../../actors/link.ts';
import type { BoundedTurns } from '../../base/turns/bounded-turns.ts';
import type { ShardCalls, ShardEvents } from '../../protocol/shard-protocol.ts';
import type { Form } from '../../semantics/options/answer-form.ts';
import type { Exchange } from '../exchange.ts';

type ShardLink = Pick<Link<ShardCalls, ShardEvents>, 'ask' | 'tell' | 'flush'>;

export interface Page {
  readonly bytes: Uint8Array;
  /** Nobody else has its memory. */
  readonly isGiven: boolean;
}

export class ListStream {
  readonly #link: ShardLink;
  readonly #pageTurns: BoundedTurns;
  readonly #exchange: Exchange;
  readonly #listId: number;
  /** The page that waits for the socket. */
  #waiting: Page | undefined;
  #blocked = false;
  #lastPageCame = false;

  constructor(link: ShardLink, pageTurns: BoundedTurns, exchange: Exchange, listId: number) {
    this.#link = link;
    this.#pageTurns = pageTurns;
    this.#exchange = exchange;
    this.#listId = listId;
  }

  start(firstPage: Page, encoding: Form['encoding']): void {
    const exchange = this.#exchange;
    if (!exchange.open) {
      this.#close();
      return;
    }
    exchange.onAborted(() => this.#close());
    exchange.beginStream('list', encoding);
    exchange.onWritable(() => this.#onWritable());
    this.#take(firstPage);
  }

  #take(page: Page): void {
    if (this.#blocked) {
      this.#waiting = page;
      return;
    }
    if (!this.#lastPageCame) this.#askInTurn(page.bytes.length);
    const { bytes, isGiven } = page;
    this.#blocked = !this.#exchange.write(bytes, () => {
      if (isGiven) (bytes.buffer as ArrayBuffer).transfer(0);
    });
    // Keeps the rest of the page until the socket takes it; the end of the list may follow.
    if (this.#lastPageCame && this.#waiting === undefined) this.#exchange.endStream();
  }

  #onWritable(): void {
    this.#blocked = false;
    const page = this.#waiting;
    this.#waiting = undefined;
    if (page !== undefined) this.#take(page);
  }

  /** Each page brings the next request: without turns, sockets would be looked at no more. */
  #askInTurn(bytes: number): void {
    this.#pageTurns.add(() => {
      if (this.#exchange.open) this.#askMore();
      return bytes;
    });
  }

  #askMore(): void {
    const listId = this.#listId;
    try {
      this.#link.ask('listMore', { listId }, undefined, (error, next, bytes, isGiven) => {
        if (error !== undefined) {
          // The connection is cut, so that half of a list does not look complete.
          this.#exchange.abort();
          return;
        }
        this.#lastPageCame = next.listId === undefined;
        if (this.#exchange.open) this.#take({ bytes, isGiven });
      });
      this.#link.flush();
    } catch {
      this.#close();
      this.#exchange.abort();
    }
  }

  #close(): void {
    this.#waiting = undefined;
    this.#link.tell('listClosed', { listId: this.#listId });
  }
}
