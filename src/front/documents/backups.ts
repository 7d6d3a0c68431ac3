/**
 * `/shardplane/backups`: backups of the running server (src/backup/README.md#of-a-running-server).
 *
 *     POST   /shardplane/backups            201 {"id", "version", "objects"}
 *     GET    /shardplane/backups/ID/N       the frame of that number; 204 after the last one
 *     DELETE /shardplane/backups/ID
 */
import { methodNotAllowed } from '../../semantics/errors/status.ts';
import { sendError } from '../answers/send-error.ts';
import type { Exchange } from '../exchange.ts';
import type { BackupBegun } from '../front-protocol.ts';

const PATH = '/shardplane/backups';
const FRAME = /^\/shardplane\/backups\/([0-9a-f-]{36})\/([0-9]{1,9})$/;
const ONE = /^\/shardplane\/backups\/([0-9a-f-]{36})$/;
const JSON_TYPE = 'application/json';

/** What makes them. */
export interface BackupMaker {
  readonly backupBegin: () => Promise<BackupBegun>;
  readonly backupFrame: (id: string, frame: number) => Promise<Uint8Array>;
  readonly backupEnd: (id: string) => Promise<void>;
}

export class Backups {
  readonly #maker: BackupMaker;

  constructor(maker: BackupMaker) {
    this.#maker = maker;
  }

  /** Answers one of the paths; false for others. Throws StatusError. */
  serve(exchange: Exchange, path: string): boolean {
    if (!path.startsWith(PATH)) return false;
    const { method } = exchange.head;
    const [, framesId, frame] = FRAME.exec(path) ?? [];
    const [, id] = ONE.exec(path) ?? [];
    if (path === PATH) {
      if (method !== 'post') throw methodNotAllowed();
      answer(exchange, this.#begin(exchange));
    } else if (framesId !== undefined) {
      if (method !== 'get') throw methodNotAllowed();
      answer(exchange, this.#frame(exchange, framesId, Number(frame)));
    } else if (id !== undefined) {
      if (method !== 'delete') throw methodNotAllowed();
      answer(exchange, this.#end(exchange, id));
    } else return false;
    return true;
  }

  async #begin(exchange: Exchange): Promise<void> {
    const begun = await this.#maker.backupBegin();
    exchange.sendBytes(201, JSON_TYPE, Buffer.from(`${JSON.stringify(begun)}\n`));
  }

  async #frame(exchange: Exchange, id: string, number: number): Promise<void> {
    const frame = await this.#maker.backupFrame(id, number);
    exchange.sendBytes(frame.length === 0 ? 204 : 200, 'application/octet-stream', frame);
  }

  async #end(exchange: Exchange, id: string): Promise<void> {
    await this.#maker.backupEnd(id);
    exchange.sendBytes(200, JSON_TYPE, Buffer.from('{}\n'));
  }
}

function answer(exchange: Exchange, work: Promise<void>): void {
  work.catch((error: unknown) => sendError(exchange, error));
}
