/**
 * watch: from a route to the fan-out (src/shard/README.md#watches and src/shard/README.md#lists).
 */
import { appendAll } from '../../base/append-all.ts';
import { ownRelease } from '../../release/release.ts';
import { fieldForbidden, invalidObject, notSupported } from '../../semantics/errors/field-error.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { parseFieldSelector, requiredValue } from '../../semantics/selectors/field-selector.ts';
import { PLAIN_JSON } from '../../semantics/options/answer-form.ts';
import { versionMatchErrors } from '../../semantics/options/list-options.ts';
import { META_GROUP } from '../../semantics/metadata/object-meta.ts';
import { badRequest } from '../../semantics/errors/status.ts';
import type { WatchRequest } from '../../protocol/shard-protocol.ts';
import type { Exchange } from '../exchange.ts';
import type { RequestContext } from '../request-context.ts';
import type { Query } from '../requests/query.ts';
import type { ResourceRoute } from '../requests/route.ts';
import type { WatchFanout } from './watch-fanout.ts';
import type { WatchStream } from './watch-stream.ts';
import { asksForWebSocket, handshakeRefusal, hasOrigin } from '../websocket/handshake.ts';
import type { HandshakeRefusal } from '../websocket/handshake.ts';
import { WatchSocket } from './watch-socket.ts';
import { refuseHandshake } from '../websocket/refuse-handshake.ts';

const TIMEOUT_SECONDS_MIN = 1_800;
const TIMEOUT_MS_MAX = 0x7fff_ffff;
/** Characters of the grammar of field selectors. */
const SPECIAL = /[\\,=]/g;

/** Browsers send an origin, and the reference demands one of everybody. */
const FORBIDDEN: HandshakeRefusal = { code: 403, text: '', headers: {} };
/** Two subprotocols are on offer, and watches have none to choose. */
const BAD_REQUEST: HandshakeRefusal = { code: 400, text: '', headers: {} };

/** Throws StatusError 400 or 422 for options that are refused, and MailboxFullError. */
export function watch(fanout: WatchFanout, route: ResourceRoute, context: RequestContext): void {
  const { exchange, form } = context;
  const { query } = exchange;
  const asked = query.integer('timeoutSeconds');
  // Whole seconds: timers of the same length share what is kept of them.
  const seconds = asked > 0 ? asked : Math.floor(TIMEOUT_SECONDS_MIN * (1 + Math.random()));
  // Has no effect, but must be a number.
  query.integer('limit');
  const initialEvents = checkedInitialEvents(query);
  const request = {
    version: route.version,
    ...(form !== PLAIN_JSON && { form }),
    namespace: route.namespace,
    labelSelector: query.text('labelSelector'),
    fieldSelector: fieldSelectorOf(route.name, query.text('fieldSelector')),
    resourceVersion: query.text('resourceVersion'),
    initialEvents,
  };
  const timeoutMs = Math.min(seconds * 1000, TIMEOUT_MS_MAX);
  const sent = watchStream(exchange);
  if (sent === undefined) return;
  const stream = context.watchThrough?.(sent) ?? sent;
  const bookmarks = query.flag('allowWatchBookmarks');
  const { watches: metrics } = route.metrics;
  const onLive = (): void => context.place?.end();
  const isTimeoutAsked = asked > 0;
  const { past } = context;
  const seen = past === undefined ? request : { ...request, at: past.version };
  fanout.open(stream, seen, { timeoutMs, isTimeoutAsked, bookmarks, metrics, onLive, past });
}

/** Undefined where a WebSocket is asked for that cannot be had: that has been answered then. */
function watchStream(exchange: Exchange): WatchStream | undefined {
  const { upgrade } = exchange.head;
  if (!asksForWebSocket(upgrade)) return exchange;
  const [subprotocol = '', ...others] = upgrade.subprotocols;
  const refusal =
    handshakeRefusal(upgrade) ??
    (hasOrigin(upgrade) ? undefined : FORBIDDEN) ??
    (others.length > 0 || exchange.switches.openWebSocket === undefined ? BAD_REQUEST : undefined);
  if (refusal === undefined) return new WatchSocket(exchange, subprotocol);
  refuseHandshake(exchange, refusal);
  return undefined;
}

const TELLS_MATCHES = ownRelease().has('matchesOfWatches');
const CONTINUED = 'resourceVersionMatch is forbidden when continue is provided';

/** `sendInitialEvents`, after the rules of ListOptions that a watch is under. */
function checkedInitialEvents(query: Query): WatchRequest['initialEvents'] {
  const isGiven = query.has('sendInitialEvents');
  const match = query.text('resourceVersionMatch');
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  const forbid = (detail: string): void => void errors.push(fieldForbidden(field, detail));
  if (!isGiven && match !== '' && TELLS_MATCHES) {
    forbid('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
    if (match !== 'NotOlderThan') errors.push(notSupported(field, match, ['NotOlderThan']));
    if (query.text('continue') !== '') forbid(CONTINUED);
  } else if (!isGiven && match !== '') {
    forbid('resourceVersionMatch is forbidden for watch');
    const resourceVersion = query.text('resourceVersion');
    const options = {
      resourceVersion,
      resourceVersionMatch: match,
      continue: query.text('continue'),
    };
    appendAll(errors, versionMatchErrors(options));
  } else if (isGiven && match !== 'NotOlderThan') {
    forbid('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
    if (match !== '') errors.push(notSupported(field, match, ['NotOlderThan']));
  }
  if (match !== '' && isGiven && query.text('continue') !== '') {
    forbid(CONTINUED);
  }
  if (errors.length > 0) throw invalidObject(META_GROUP, 'ListOptions', '', errors);
  if (!isGiven) return '';
  return query.flag('sendInitialEvents') ? 'true' : 'false';
}

/** A name in the path selects that object; a selector beside it must demand the same name. */
function fieldSelectorOf(name: string, asked: string): string {
  if (name === '') return asked;
  const selector = parseFieldSelector(asked);
  if (selector.terms.length === 0) return `metadata.name=${name.replace(SPECIAL, '\\$&')}`;
  if (requiredValue(selector, 'metadata.name') !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  return asked;
}
