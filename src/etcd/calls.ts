/** Calls with one answer: a deadline for each, and other servers for reads that failed. */
import { Metadata } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { isSilence, readError, writeError } from './call-errors.ts';
import { READ_ATTEMPT_MS_MIN, RETRY_PAUSE_MS } from './limits.ts';
import type { Codec } from './messages.ts';
import type { Connection, Servers } from './servers.ts';

/** A method of etcd. */
export interface Method {
  readonly path: string;
  readonly request: Codec;
  readonly response: Codec;
}

/**
 * With it a member that knows no leader says so at once, instead of waiting for one, and ends
 * watches and renewals when it loses its leader.
 */
export const REQUIRE_LEADER = new Metadata();
REQUIRE_LEADER.set('hasleader', 'true');

const NO_METADATA = new Metadata();

interface ReadOptions {
  readonly deadlineMs: number;
  readonly needsLeader: boolean;
}

export class Calls {
  readonly #servers: Servers;
  readonly #underWay = new Set<() => void>();
  #isClosed = false;

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  /** Asks one server after another until the deadline. `message` is in bytes. */
  async read(
    method: Method,
    message: Buffer,
    { deadlineMs, needsLeader }: ReadOptions,
  ): Promise<{ readonly answer: unknown; readonly server: string }> {
    const endMs = performance.now() + deadlineMs;
    const attemptMs = Math.max(READ_ATTEMPT_MS_MIN, deadlineMs / 2);
    const metadata = needsLeader ? REQUIRE_LEADER : NO_METADATA;
    while (true) {
      const connection = await this.#servers.connection(endMs);
      const attemptEndMs = Math.min(endMs, performance.now() + attemptMs);
      try {
        const answer = await this.#call(connection, method, message, metadata, attemptEndMs);
        return { answer, server: connection.server };
      } catch (error) {
        const failure = readError(error as ServiceError);
        if (failure.sort === 'refused' || this.#isClosed) throw failure;
        this.#note(connection, error as ServiceError);
        const leftMs = endMs - performance.now();
        if (leftMs <= 0) throw failure;
        await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, RETRY_PAUSE_MS)));
      }
    }
  }

  /** Sends a write once. `message` is in bytes. */
  async write(method: Method, message: Buffer, deadlineMs: number): Promise<unknown> {
    const endMs = performance.now() + deadlineMs;
    const connection = await this.#servers.connection(endMs);
    try {
      return await this.#call(connection, method, message, REQUIRE_LEADER, endMs);
    } catch (error) {
      const failure = writeError(error as ServiceError);
      if (failure.sort !== 'refused') this.#note(connection, error as ServiceError);
      throw failure;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#underWay) cancel();
  }

  #note(connection: Connection, error: ServiceError): void {
    if (isSilence(error)) this.#servers.silent(connection);
    else this.#servers.failed(connection);
  }

  #call(
    { client }: Connection,
    { path, response }: Method,
    message: Buffer,
    metadata: Metadata,
    endMs: number,
  ): Promise<unknown> {
    const deadline = Date.now() + Math.max(1, endMs - performance.now());
    return new Promise((resolve, reject) => {
      const call = client.makeUnaryRequest(
        path,
        asItIs,
        response.decode,
        message,
        metadata,
        { deadline },
        (error, answer) => {
          this.#underWay.delete(cancel);
          if (error === null) resolve(answer);
          else reject(error);
        },
      );
      const cancel = (): void => call.cancel();
      this.#underWay.add(cancel);
    });
  }
}

function asItIs(bytes: Buffer): Buffer {
  return bytes;
}
