/** Requests for objects: from a route to the shard, and from its answer to the client. */
import type { Callback, Link } from '../actors/link.ts';
import { assert } from '../base/assert.ts';
import type { BoundedTurns } from '../base/turns/bounded-turns.ts';
import { wallClockMs } from '../base/time/wall-clock.ts';
import type { ReadYaml } from '../codec/yaml/read-yaml.ts';
import { REQUEST_BODY_BYTES_MAX, YAML_BODY_BYTES_MAX } from '../limits.ts';
import { fieldForbidden, invalidObject } from '../semantics/errors/field-error.ts';
import { PLAIN_JSON } from '../semantics/options/answer-form.ts';
import { META_GROUP } from '../semantics/metadata/object-meta.ts';
import { requestEntityTooLarge, StatusError } from '../semantics/errors/status.ts';
import type { Said } from '../semantics/errors/status.ts';
import type {
  BodyFormat,
  ChangeRequest,
  DeleteRequest,
  ListRequest,
  ObjectReply,
  PatchType,
  ShardCalls,
  ShardEvents,
  View,
  WriteRequest,
} from '../protocol/shard-protocol.ts';
import type { Exchange } from './exchange.ts';
import { fieldManagerOf } from './requests/field-manager.ts';
import { refuseOversize } from './http.ts';
import type { KeptDocuments } from './kept-documents.ts';
import type { LargeBodies } from './requests/large-bodies.ts';
import { bodyFormat, hasNoMessage, startsAsJsonObject } from './requests/negotiate.ts';
import {
  checkDeleteOptions,
  checkPatchOptions,
  checkWriteOptions,
  type WriteOptions,
  refuseExport,
} from './requests/options.ts';
import type { PreparedRequest } from './requests/prepared-request.ts';
import type { ProposedCreates } from './proposed-creates.ts';
import type { Query } from './requests/query.ts';
import { ListStream } from './answers/list-stream.ts';
import type { ResourceRoute } from './requests/route.ts';
import type { WatchFanout } from './watch/watch-fanout.ts';
import { watch } from './watch/watch-requests.ts';
import type { RequestContext } from './request-context.ts';
import { userText, type User } from '../semantics/user.ts';

/** A shard as the front knows it. */
export interface ShardClient {
  readonly link: Pick<Link<ShardCalls, ShardEvents>, 'ask' | 'tell' | 'flush'>;
  readonly fanout: WatchFanout;
  /** When the next pages of its long lists are asked for. */
  readonly pageTurns: BoundedTurns;
  readonly largeBodies: LargeBodies;
  /** What was got of the type; absent where the shard is always asked. */
  readonly documents?: KeptDocuments | undefined;
  /** Proposes new objects of the type; absent where the shard alone does. */
  readonly proposals?: ProposedCreates | undefined;
}

/** A request for objects, and who has them. */
export interface ResourceRequest {
  readonly shard: ShardClient;
  readonly route: ResourceRoute;
  readonly context: RequestContext;
}

/** Throws StatusError for what is refused whatever the body is. */
export function prepareResource(request: ResourceRequest): PreparedRequest {
  const { route, context, shard } = request;
  switch (route.verb) {
    case 'get':
      return withoutBody(() => get(request));
    case 'list':
      return withoutBody(() => list(request));
    case 'watch':
      return withoutBody(() => watch(shard.fanout, route, context));
    case 'create':
    case 'update':
      return prepareWrite(request, route.verb);
    case 'patch':
      return preparePatch(request);
    case 'delete':
    case 'deletecollection':
      return prepareDeletion(request);
  }
}

function withoutBody(serve: () => void): PreparedRequest {
  return { readsBody: false, serve };
}

/** Passes the shard's answer on: its document, or what it was refused with. */
function sendReply(context: RequestContext): Callback<ObjectReply> {
  return (error, reply, document) => {
    context.times?.replied(timesIn(error, reply));
    if (error !== undefined) return context.fail(error);
    context.told(reply);
    context.exchange.sendDocument(reply.code, document, context.form.encoding);
  };
}

function timesIn(error: Error | undefined, reply: Said): Said['times'] {
  if (error === undefined) return reply.times;
  return error instanceof StatusError ? error.said.times : undefined;
}

/**
 * The request with the negotiated form of its answer; the shard measures its parts where they are
 * logged.
 */
function shownIn<R extends View>({ form, times }: RequestContext, request: R): R {
  const shown = form === PLAIN_JSON ? request : { ...request, form };
  return times === undefined ? shown : { ...shown, sentMs: wallClockMs() };
}

/** The member of a request that says as of which version it is answered. */
function asOf({ past }: RequestContext): { readonly at?: number } {
  return past === undefined ? {} : { at: past.version };
}

function get({ shard: { link, documents }, route, context }: ResourceRequest): void {
  const { exchange } = context;
  if (exchange.head.query !== undefined) refuseExport(exchange.query);
  const resourceVersion = exchange.query.text('resourceVersion');
  const isNewest =
    context.past === undefined && (resourceVersion === '' || resourceVersion === '0');
  const kept = isNewest ? documents?.find(route, context.form) : undefined;
  if (kept instanceof Uint8Array) return sendKept(context, kept);
  const { namespace, name, version, subresource } = route;
  const request = { namespace, name, version, subresource, resourceVersion, ...asOf(context) };
  const send = sendReply(context);
  link.ask('get', shownIn(context, request), undefined, (error, reply, document, isGiven) => {
    if (error === undefined) kept?.(document);
    send(error, reply, document, isGiven);
  });
}

function sendKept({ exchange, form, times }: RequestContext, document: Uint8Array): void {
  times?.passed('kept');
  exchange.sendDocument(200, document, form.encoding);
}

interface Body {
  readonly bytes: Uint8Array;
  /** The body, read, where it is YAML. */
  readonly yaml: ReadYaml | undefined;
}

type AskWith = (body: Uint8Array, onReply: Callback<ObjectReply>) => void;

/**
 * Asks a shard with a body: at once, or with a large one when it is its turn. The turn ends with
 * the answer, or where that may take long, as soon as the shard is asked. Throws MailboxFullError.
 */
function askWithBody(
  { largeBodies }: ShardClient,
  context: RequestContext,
  { bytes, yaml }: Body,
  ask: AskWith,
  turnEnds: 'answered' | 'asked' = 'answered',
): void {
  const onReply = sendReply(context);
  if (!largeBodies.isLarge(bytes, yaml?.json)) {
    ask(bytes, onReply);
    return;
  }
  const passOn = (held: Uint8Array): Promise<void> =>
    new Promise((over) => {
      if (!context.exchange.open) return over();
      ask(held, (...reply) => {
        over();
        onReply(...reply);
      });
      if (turnEnds === 'asked') over();
    });
  largeBodies.take(bytes, passOn).catch((error: unknown) => context.fail(error));
}

/** The member of a shard's request that has a body in YAML. */
function saidIn(yaml: ReadYaml | undefined): { readonly yaml?: ReadYaml } {
  return yaml === undefined ? {} : { yaml };
}

function prepareWrite(
  { shard, route, context }: ResourceRequest,
  verb: 'create' | 'update',
): PreparedRequest {
  const { exchange } = context;
  const { head, query } = exchange;
  const formatOf = (): BodyFormat => bodyFormat(head.contentType, hasNoMessage(route));
  // A create checks the media type first, an update the options, as in the reference.
  const ofCreate = verb === 'create' ? formatOf() : undefined;
  refuseOversize(head);
  const optionsKind = verb === 'create' ? 'CreateOptions' : 'UpdateOptions';
  const options = switched(exchange, checkWriteOptions(query, optionsKind));
  const format = ofCreate ?? formatOf();
  return {
    readsBody: true,
    serve: (body, yaml) => {
      const request = { ...changeOf(route, context), ...options, format, ...saidIn(yaml) };
      const bytes = checkedBody(body, format);
      askWithBody(shard, context, { bytes, yaml }, (checked, onReply) =>
        askToWrite(shard, verb, request, checked, onReply),
      );
    },
  };
}

function askToWrite(
  { link, proposals }: ShardClient,
  verb: 'create' | 'update',
  request: WriteRequest,
  body: Uint8Array,
  onReply: Callback<ObjectReply>,
): void {
  const isTaken = verb === 'create' && proposals?.take(request, body, onReply) === true;
  if (!isTaken) link.ask(verb, request, body, onReply);
}

function preparePatch({ shard, route, context }: ResourceRequest): PreparedRequest {
  const { exchange, patchType } = context;
  assert(patchType !== undefined, 'a patch without a type');
  refuseOversize(exchange.head);
  const options = switched(exchange, checkPatchOptions(exchange.query, patchType));
  return {
    readsBody: true,
    serve: (body, yaml) => {
      const change = changeOf(route, context);
      const request = { ...change, ...options, patchType, ...saidIn(yaml) };
      const bytes = checkedPatch(body, patchType);
      askWithBody(shard, context, { bytes, yaml }, (checked, onReply) =>
        shard.link.ask('patch', request, checked, onReply),
      );
    },
  };
}

/** The members that requests to change an object share, besides their options. */
function changeOf(
  route: ResourceRoute,
  context: RequestContext,
): Omit<ChangeRequest, keyof WriteOptions> {
  const { namespace, name, version, subresource } = route;
  const { query, head } = context.exchange;
  const sentManager = query.text('fieldManager');
  const manager = fieldManagerOf(sentManager, head.userAgent);
  return shownIn(context, {
    namespace,
    name,
    version,
    subresource,
    manager,
    ...(sentManager !== '' && { sentManager }),
    user: textOf(context.user),
    ...(context.audit !== undefined && { isAudited: true }),
  });
}

const userTexts = new WeakMap<User, string>();

/** Most requests are of users who have sent some before. */
function textOf(user: User): string {
  let text = userTexts.get(user);
  if (text === undefined) userTexts.set(user, (text = userText(user)));
  return text;
}

function prepareDeletion({ shard, route, context }: ResourceRequest): PreparedRequest {
  const { exchange } = context;
  const { namespace, name, version } = route;
  const listed = route.verb === 'deletecollection' ? listRequest(route, context) : undefined;
  refuseOversize(exchange.head);
  return {
    readsBody: true,
    serve: (body, yaml) => {
      // The type of a body matters only if there is one.
      const hasBody = body === undefined || body.length > 0;
      const format = hasBody ? bodyFormat(exchange.head.contentType) : 'json';
      const options = deleteOptions(exchange.query, listed !== undefined);
      const request = shownIn(context, {
        namespace,
        name,
        version,
        format,
        user: textOf(context.user),
        ...(context.audit !== undefined && { isAudited: true }),
        ...options,
        ...saidIn(yaml),
      });
      const ask: AskWith = (checked, onReply) => {
        if (listed === undefined) shard.link.ask('delete', request, checked, onReply);
        else shard.link.ask('deleteCollection', { ...listed, ...request }, checked, onReply);
      };
      const bytes = checkedBody(body, format);
      askWithBody(shard, context, { bytes, yaml }, ask, 'asked');
    },
  };
}

type QueryOptions = Pick<
  DeleteRequest,
  'dryRun' | 'propagationPolicy' | 'orphanDependents' | 'gracePeriodSeconds' | 'uid' | 'atVersion'
>;

/**
 * DeleteOptions of a query (src/shard/README.md#delete-options); the `resourceVersion` of a
 * collection is that of its list. Throws StatusError 400 or 422.
 */
function deleteOptions(query: Query, isCollection: boolean): QueryOptions {
  const seconds = query.integer('gracePeriodSeconds');
  return {
    ...checkDeleteOptions(query),
    ...(query.text('gracePeriodSeconds') !== '' && { gracePeriodSeconds: seconds }),
    ...(query.has('uid') && { uid: query.text('uid') }),
    ...(query.has('resourceVersion') &&
      !isCollection && { atVersion: query.text('resourceVersion') }),
  };
}

/** Throws StatusError 413 for a body that is longer than its format may be. */
export function checkedBody(body: Uint8Array | undefined, format: BodyFormat): Uint8Array {
  if (body === undefined) throw requestEntityTooLarge(REQUEST_BODY_BYTES_MAX);
  if (format === 'yaml' && body.length > YAML_BODY_BYTES_MAX) {
    throw requestEntityTooLarge(YAML_BODY_BYTES_MAX);
  }
  return body;
}

/** Checks a patch: an applied one may be YAML, and as long as JSON may be where it is JSON. */
function checkedPatch(body: Uint8Array | undefined, patchType: PatchType): Uint8Array {
  const mayBeYaml = patchType === 'apply' && body !== undefined && !startsAsJsonObject(body);
  return checkedBody(body, mayBeYaml ? 'yaml' : 'json');
}

function list({ shard: { link, pageTurns }, route, context }: ResourceRequest): void {
  const request = { ...listRequest(route, context), ...asOf(context) };
  link.ask('list', request, undefined, (error, reply, bytes, isGiven) => {
    context.times?.replied(timesIn(error, reply));
    if (error !== undefined) return context.fail(error);
    const { exchange, form } = context;
    if (reply.listId === undefined) return exchange.sendDocument(200, bytes, form.encoding);
    const stream = new ListStream(link, pageTurns, exchange, reply.listId);
    stream.start({ bytes, isGiven }, form.encoding);
  });
}

/** Without what is switched off. */
function switched<T extends WriteOptions>(exchange: Exchange, options: T): T {
  if (exchange.has('ServerSideFieldValidation')) return options;
  const { fieldValidation: _, sentFieldValidation: _sent, ...others } = options;
  return others as T;
}

/** The options of a list. Throws StatusError 400 or 422. */
function listRequest(route: ResourceRoute, context: RequestContext): ListRequest {
  const { exchange } = context;
  const { query } = exchange;
  query.integer('timeoutSeconds');
  if (query.has('sendInitialEvents')) {
    const detail = 'sendInitialEvents is forbidden for list';
    const errors = [fieldForbidden('sendInitialEvents', detail)];
    throw invalidObject(META_GROUP, 'ListOptions', '', errors);
  }
  const limit = Math.max(0, query.integer('limit'));
  const isChunked = exchange.has('APIListChunking');
  return shownIn(context, {
    version: route.version,
    namespace: route.namespace,
    labelSelector: query.text('labelSelector'),
    fieldSelector: query.text('fieldSelector'),
    resourceVersion: query.text('resourceVersion'),
    resourceVersionMatch: query.text('resourceVersionMatch'),
    limit: isChunked ? limit : 0,
    continue: isChunked ? query.text('continue') : '',
    ...(!exchange.has('RemainingItemCount') && { hidesRemaining: true }),
  });
}
