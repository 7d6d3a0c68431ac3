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
import { answerJson } from './answer-json.ts';

const PATH = '/shardplane/backups';
const FRAME = /^\/shardplane\/backups\/([0-9a-f-]{36})\/([0-9]{1,9})$/;
const ONE = /^\/shardplane\/backups\/([0-9a-f-]{36})$/;
const CREATED = 201;

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
      answerJson(exchange, this.#maker.backupBegin(), CREATED);
    } else if (framesId !== undefined) {
      if (method !== 'get') throw methodNotAllowed();
      this.#frame(exchange, framesId, Number(frame));
    } else if (id !== undefined) {
      if (method !== 'delete') throw methodNotAllowed();
      answerJson(exchange, this.#end(id));
    } else return false;
    return true;
  }

  #frame(exchange: Exchange, id: string, number: number): void {
    this.#maker.backupFrame(id, number).then(
      (frame) => {
        exchange.sendBytes(frame.length === 0 ? 204 : 200, 'application/octet-stream', frame);
      },
      (error: unknown) => sendError(exchange, error),
    );
  }

  async #end(id: string): Promise<object> {
    await this.#maker.backupEnd(id);
    return {};
  }
}
