/** Finds out who asks (src/auth/README.md). */
import { AuthenticationError } from '../../auth/authenticator.ts';
import type { Authenticated, ClientCertificate, Credentials } from '../../auth/authenticator.ts';
import { unauthorized } from '../../semantics/errors/status.ts';
import type { Arrival } from '../http.ts';
import type { RequestContext } from '../request-context.ts';
import { offeredToken, withoutTokens } from '../websocket/handshake.ts';
import { countUser, ERROR, FAILURE, SUCCESS } from '../metrics/authentication-metrics.ts';
import type { StageTools } from './stage.ts';

/** Throws StatusError 401 where nobody is known by what the request shows. */
export function authenticate(request: RequestContext, tools: StageTools): void | Promise<void> {
  let found: ReturnType<StageTools['authenticator']['authenticate']>;
  try {
    const credentials = new RequestCredentials(request.arrival, request.exchange.head);
    found = tools.authenticator.authenticate(credentials);
  } catch (error) {
    return fail(request, tools, error);
  }
  if (!(found instanceof Promise)) {
    if (found !== undefined) SUCCESS.countedAtOnce(request.startMs);
    return take(request, tools, found);
  }
  return found.then(
    (later) => {
      if (later !== undefined) SUCCESS.counted(request.startMs);
      return take(request, tools, later);
    },
    (error: unknown) => fail(request, tools, error),
  );
}

function take(request: RequestContext, tools: StageTools, found: Authenticated | undefined): void {
  if (found === undefined) {
    FAILURE.counted(request.startMs);
    return refuse(request, tools);
  }
  countUser(found.user.name);
  request.user = found.user;
  if (found.warnings !== undefined) request.exchange.warn(found.warnings);
  request.credentialAnnotations = found.annotations;
  const { authorization, upgrade } = request.exchange.head;
  // One that is not asked for stays, as a subprotocol that nobody chooses.
  if (upgrade !== undefined && bearerOf(authorization) === '') {
    upgrade.subprotocols = withoutTokens(upgrade.subprotocols);
  }
}

function fail(request: RequestContext, tools: StageTools, error: unknown): void {
  ERROR.counted(request.startMs);
  if (!(error instanceof AuthenticationError)) throw error;
  refuse(request, tools);
}

function refuse({ exchange }: RequestContext, { api }: StageTools): void {
  if (!api.documents.serveStranger(exchange)) throw unauthorized();
}

const BEARER = /^\s*bearer (\S+)/i;
/** The usual spelling of nearly all clients; the token follows. */
const USUAL_BEARER = 'Bearer ';

/** '' where there is none: a second blank makes the token an empty one, as in the reference. */
function bearerOf(authorization: string): string {
  const isUsual = authorization.startsWith(USUAL_BEARER);
  if (isUsual && !authorization.includes(' ', USUAL_BEARER.length)) {
    return authorization.slice(USUAL_BEARER.length);
  }
  return BEARER.exec(authorization)?.[1] ?? '';
}

/** Headers are read while the request is there: those who ask for them do so at once. */
class RequestCredentials implements Credentials {
  readonly token: string;
  readonly path: string;
  readonly certificate?: ClientCertificate;
  readonly #arrival: Arrival;
  #lines: Map<string, string[]> | undefined;

  constructor(arrival: Arrival, head: RequestContext['exchange']['head']) {
    const { authorization, upgrade, path } = head;
    this.#arrival = arrival;
    this.path = path;
    if (arrival.certificate !== undefined) this.certificate = arrival.certificate;
    this.token = bearerOf(authorization) || offeredToken(upgrade);
  }

  headers(name: string): readonly string[] {
    return this.#allLines().get(name) ?? [];
  }

  headerNames(): readonly string[] {
    return [...this.#allLines().keys()];
  }

  #allLines(): ReadonlyMap<string, readonly string[]> {
    if (this.#lines !== undefined) return this.#lines;
    const lines = new Map<string, string[]>();
    this.#arrival.request.forEach((name, value) => {
      const values = lines.get(name);
      if (values === undefined) lines.set(name, [value]);
      else values.push(value);
    });
    return (this.#lines = lines);
  }
}
