/**
 * The endpoints of the laboratory below `/shardplane/lab/v1/` (src/laboratory/README.md), for
 * `system:masters` alone. A route is a method and a path, in which words in capitals stand for
 * names.
 */
import type { Schema } from '../../laboratory/schemas.ts';
import { badRequest, methodNotAllowed, StatusError } from '../../semantics/errors/status.ts';
import { sendError } from '../answers/send-error.ts';
import type { Query } from '../requests/query.ts';
import type { RequestContext } from '../request-context.ts';
import type { BodyCallback } from '../requests/request-bodies.ts';

export const LAB_PATH = '/shardplane/lab/v1/';
const MASTERS = 'system:masters';

/** Collects the body of a request. */
export interface ReadsBodies {
  readBody(request: RequestContext, then: BodyCallback): void;
}

export interface LabCall {
  /** What stands in the path where the route has words in capitals, in their order. */
  readonly names: readonly string[];
  readonly query: Query;
  /** The document that was sent; undefined where there is none. */
  readonly body: unknown;
}

export interface LabAnswer {
  readonly code: number;
  readonly body: object;
}

/** What was asked for. */
export function shown(body: object): LabAnswer {
  return { code: 200, body };
}

/** What was made. */
export function made(body: object): LabAnswer {
  return { code: 201, body };
}

/** `what` is such as `fault`. */
export function missing(what: string, name: string): StatusError {
  return new StatusError(404, 'NotFound', `there is no ${what} "${name}"`);
}

export function taken(what: string, name: string): StatusError {
  return new StatusError(409, 'AlreadyExists', `there is a ${what} "${name}" already`);
}

export interface LabRoute {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  /** What it does, in OpenAPI. */
  readonly says: string;
  /** The form of its body; absent where it takes none. */
  readonly takes?: Schema;
  /** What a query may have. */
  readonly asks?: Readonly<Record<string, string>>;
  /** Throws StatusError, or rejects with it. */
  readonly answer: (call: LabCall) => LabAnswer | Promise<LabAnswer>;
}

export class LabApi {
  readonly #routes: readonly { readonly pattern: RegExp; readonly route: LabRoute }[];

  constructor(routes: readonly LabRoute[]) {
    this.#routes = routes.map((route) => ({ pattern: patternOf(route.path), route }));
  }

  /** Answers a path below `LAB_PATH`; false for others. Throws StatusError. */
  serve(request: RequestContext, tools: ReadsBodies, path: string): boolean {
    if (!path.startsWith(LAB_PATH)) return false;
    if (!request.user.groups.includes(MASTERS)) throw mastersOnly();
    const { exchange } = request;
    const asked = path.slice(LAB_PATH.length);
    const found = this.#routes.flatMap(({ pattern, route }) => {
      const match = pattern.exec(asked);
      return match === null ? [] : [{ route, names: match.slice(1) }];
    });
    if (found.length === 0) throw notThere(asked);
    const one = found.find(({ route }) => route.method === exchange.head.method);
    if (one === undefined) throw methodNotAllowed();
    const answer = (body: Uint8Array | undefined): void => {
      const call = { names: one.names, query: exchange.query };
      answered(one.route, call, body).then(
        ({ code, body: document }) => {
          const text = `${JSON.stringify(document, undefined, 2)}\n`;
          exchange.sendBytes(code, 'application/json', Buffer.from(text));
        },
        (error: unknown) => sendError(exchange, error),
      );
    };
    if (one.route.method === 'get') answer(undefined);
    else tools.readBody(request, answer);
    return true;
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/[A-Z]+/g, '([^/]+)')}$`);
}

async function answered(
  { answer }: LabRoute,
  call: Omit<LabCall, 'body'>,
  body: Uint8Array | undefined,
): Promise<LabAnswer> {
  return answer({ ...call, body: parsed(body) });
}

function parsed(body: Uint8Array | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined;
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) as unknown;
  } catch (error) {
    throw badRequest(`the body is no JSON: ${(error as Error).message}`);
  }
}

function notThere(path: string): StatusError {
  return new StatusError(404, 'NotFound', `the laboratory has no "${path}"`);
}

function mastersOnly(): StatusError {
  return new StatusError(403, 'Forbidden', `the laboratory is for the group ${MASTERS}`);
}
