/**
 * How servers under test spell names. Tests are written in the neutral names; where
 * `SHARDPLANE_TEST_API_DOMAIN` is `k8s.io`, servers are started in that dialect, and what tests
 * send and get is translated on its way.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { K8S, NEUTRAL } from '../../src/semantics/dialect/dialect.ts';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Translates the wire for a test: requests before they are sent, answers as they come. */
export interface WireNames {
  request<Request extends WireRequest>(request: Request): Request;
  answer(answer: WireAnswer): WireAnswer;
  headers(headers: IncomingHttpHeaders): IncomingHttpHeaders;
  /** One event of a watch in JSON, without its line feed. */
  event(line: string): string;
  /** The Status of a watch that is refused by its first event, and not by its HTTP status. */
  readonly refusal?: (line: string) => string | undefined;
  /** One document in protobuf, with its envelope. */
  binary(document: Buffer): Buffer;
}

export const AS_THEY_ARE: WireNames = {
  request: (request) => request,
  answer: (answer) => answer,
  headers: (headers) => headers,
  event: (line) => line,
  binary: (document) => document,
};

/** That of servers which are started without one. */
export const SERVER_DIALECT =
  process.env['SHARDPLANE_TEST_API_DOMAIN'] === K8S.domain ? K8S : NEUTRAL;
