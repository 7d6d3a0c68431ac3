/** One request in the audit log, from when it is known who asks until it is over. */
import { ownRelease } from '../release/release.ts';
import type { Form } from '../semantics/options/answer-form.ts';
import type { User } from '../semantics/user.ts';
import { isLongRunning } from '../observability/long-requests.ts';
import { AuditEvent, TRUNCATED } from './audit-event.ts';
import type { AuditedStatus, ObjectReference } from './audit-event.ts';
import { namedIn, onOneLine, parsedObject, withoutManagedFields } from './audited-object.ts';
import { AUDITED_OBJECT_BYTES_MAX } from './limits.ts';
import type { AuditExtent, AuditStage } from './policy.ts';
import { RequestTexts, type AuditedRequest } from './request-texts.ts';

/** Takes events: false where a request is to be refused, a promise where it is to wait. */
export type TakeEvent = (event: AuditEvent) => boolean | Promise<boolean>;

/**
 * The JSON text of a body of either direction; undefined where it is no object that is known, or is
 * still in YAML.
 */
export type JsonOf = (bytes: Uint8Array, encoding: Form['encoding']) => string | undefined;

/** The JSON text of an answer to a user in YAML; undefined where too much is being read. */
export type ReadAnswer = (user: string, yaml: Uint8Array) => Promise<string | undefined>;

export interface AuditTools {
  readonly take: TakeEvent;
  readonly jsonOf: JsonOf;
  readonly readAnswer: ReadAnswer;
  /** Milliseconds since 1970, with fractions. */
  readonly nowMs: () => number;
}

const TELLS_MESSAGES = ownRelease().has('auditedMessages');

/** Nobody has answered. */
const CLOSED_EARLY: AuditedStatus = {
  status: 'Success',
  message: 'Connection closed early',
  code: 200,
};

export class RequestAudit {
  readonly #request: AuditedRequest;
  readonly #texts: RequestTexts;
  readonly #extent: AuditExtent;
  readonly #tools: AuditTools;
  #objectRef: ObjectReference | undefined;
  #impersonated: User | undefined;
  #constraint = '';
  #annotations: Map<string, string> | undefined;
  /** An event has these, and more go into others. */
  #areAnnotationsTold = false;
  #requestObject = '';
  #responseObject = '';
  #responseParts: Uint8Array[] | undefined;
  #responseBytes = 0;
  /** The answer is in YAML, and not known before. */
  #reading: Promise<void> | undefined;
  #status: AuditedStatus | undefined;
  #isStarted = false;
  #isOver = false;

  constructor(request: AuditedRequest, extent: AuditExtent, tools: AuditTools) {
    this.#request = request;
    this.#texts = new RequestTexts(request);
    this.#extent = extent;
    this.#tools = tools;
    this.#objectRef = referenceOf(request.attributes);
  }

  /** The request has come: see `TakeEvent`. */
  received(): boolean | Promise<boolean> {
    return this.#tell('RequestReceived', this.#request.receivedMs);
  }

  /** It ends before anybody is known to ask: with this Status. */
  refused(status: AuditedStatus): void {
    this.answersWith(status, Buffer.from(JSON.stringify(status)));
    this.#isOver = true;
    void this.#tell('ResponseStarted');
  }

  /** The user as whom the request acts; `constraint` is the verb that lets, '' for that of old. */
  actsAs(user: User, constraint = ''): void {
    this.#impersonated = user;
    this.#constraint = constraint;
  }

  /** Adds an annotation. Of two values for a key the first one stays. */
  annotate(key: string, value: string): void {
    // The patch of a webhook holds parts of the object, so it needs a level that logs objects.
    if (key.startsWith('patch.webhook.') && !this.tellsRequests) return;
    if (this.#annotations?.has(key) === true) return;
    if (this.#annotations === undefined || this.#areAnnotationsTold) {
      this.#annotations = new Map(this.#annotations);
      this.#areAnnotationsTold = false;
    }
    this.#annotations.set(key, value);
  }

  /** Adds several annotations. */
  annotateAll(annotations: Readonly<Record<string, string>> = {}): void {
    for (const [key, value] of Object.entries(annotations)) this.annotate(key, value);
  }

  get tellsRequests(): boolean {
    return this.#extent.level === 'Request' || this.tellsAnswers;
  }

  get tellsAnswers(): boolean {
    return this.#extent.level === 'RequestResponse';
  }

  /** The body of the request. */
  body(bytes: Uint8Array, encoding: Form['encoding']): void {
    if (!this.#request.attributes.isResource || bytes.length === 0) return;
    const read = parsed(this.#tools.jsonOf(bytes, encoding));
    if (read === undefined) return;
    const { json, object } = read;
    const isPatch = this.#request.attributes.verb === 'patch';
    if (!isPatch) this.#complete(object);
    if (this.tellsRequests) this.#requestObject = isPatch ? onOneLine(json) : this.#shown(json);
  }

  /** The document of the answer. */
  document(bytes: Uint8Array, encoding: Form['encoding']): void {
    const mayBeStatus = this.#request.attributes.verb.startsWith('delete');
    if (!this.tellsAnswers && !mayBeStatus) return;
    if (encoding === 'yaml') this.#readLater(bytes);
    else this.#tellDocument(this.#tools.jsonOf(bytes, encoding), mayBeStatus);
  }

  #readLater(yaml: Uint8Array): void {
    const { attributes, user } = this.#request;
    this.#reading = this.#tools.readAnswer(user.name, yaml).then((json) => {
      if (json === undefined) this.annotate(TRUNCATED, 'true');
      else this.#tellDocument(json, attributes.verb.startsWith('delete'));
    });
  }

  #tellDocument(json: string | undefined, mayBeStatus: boolean): void {
    const read = parsed(json);
    if (read === undefined) return;
    if (mayBeStatus && isStatus(read.object)) this.#status = bounded(read.object);
    if (this.tellsAnswers) this.#responseObject = this.#shown(read.json);
  }

  /** A part of a document that is sent in parts. */
  part(bytes: Uint8Array): void {
    if (!this.tellsAnswers) return;
    this.#responseBytes += bytes.length;
    if (this.#responseBytes > AUDITED_OBJECT_BYTES_MAX) this.#responseParts = undefined;
    // The memory may be used again once the part is sent.
    else (this.#responseParts ??= []).push(bytes.slice());
  }

  /** All parts are there. */
  endOfParts(encoding: Form['encoding']): void {
    if (this.#responseParts !== undefined) {
      this.document(Buffer.concat(this.#responseParts), encoding);
    } else if (this.#responseBytes > 0) this.annotate(TRUNCATED, 'true');
  }

  /** The answer is a Status, and maybe its document. */
  answersWith(
    status: AuditedStatus,
    document?: Uint8Array,
    encoding: Form['encoding'] = 'json',
  ): void {
    this.#status = bounded(status);
    if (document !== undefined) this.document(document, encoding);
  }

  /** The head of an answer goes out whose end may be far. */
  started(code: number): void {
    this.#status = { ...this.#status, code };
    if (this.#isStarted || this.#isOver || !isLongRunning(this.#request.attributes)) return;
    this.#isStarted = true;
    void this.#tell('ResponseStarted');
  }

  /** The answer breaks down. */
  panicked(message: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const reason = 'InternalError';
    this.#status = {
      status: 'Failure',
      message: `APIServer panic'd: ${message}`,
      reason,
      code: 500,
    };
    void this.#tell('Panic');
  }

  /** The answer is complete, or the client is gone. A promise is to be waited for. */
  completed(code?: number): Promise<unknown> | undefined {
    if (this.#isOver) return undefined;
    if (code !== undefined) this.started(code);
    else if (this.#status === undefined) {
      this.#status = CLOSED_EARLY;
      this.started(200);
    }
    this.#isOver = true;
    const nowMs = this.#tools.nowMs();
    const tell = (): boolean | Promise<boolean> => this.#tell('ResponseComplete', nowMs);
    const taken = this.#reading === undefined ? tell() : this.#reading.then(tell);
    return taken instanceof Promise ? taken : undefined;
  }

  #tell(stage: AuditStage, stageMs = this.#tools.nowMs()): boolean | Promise<boolean> {
    if (this.#extent.omitStages.has(stage)) return true;
    this.#areAnnotationsTold = true;
    const event = new AuditEvent({
      level: this.#extent.level,
      stage,
      request: this.#texts,
      impersonatedUser: this.#impersonated,
      impersonationConstraint: this.#constraint,
      objectRef: this.#objectRef,
      responseStatus: this.#status,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      stageMs,
      annotations: this.#annotations,
    });
    return this.#tools.take(event);
  }

  /** Takes parts of the reference that the path does not have from the object. */
  #complete(object: unknown): void {
    const reference = this.#objectRef;
    if (reference === undefined) return;
    const named = namedIn(object);
    this.#objectRef = {
      ...reference,
      namespace: reference.namespace || named.namespace,
      name: reference.name || named.name,
      uid: reference.uid || named.uid,
      resourceVersion: reference.resourceVersion || named.resourceVersion,
    };
  }

  #shown(json: string): string {
    const line = onOneLine(json);
    return this.#extent.omitManagedFields ? withoutManagedFields(line) : line;
  }
}

/** Undefined for what is no JSON object. */
function parsed(json: string | undefined) {
  const object = json === undefined ? undefined : parsedObject(json);
  return json === undefined || object === undefined ? undefined : { json, object };
}

function isStatus(object: unknown): object is AuditedStatus {
  return (object as { readonly kind?: unknown } | null)?.kind === 'Status';
}

function bounded({ status, message, reason, details, code }: AuditedStatus): AuditedStatus {
  return {
    ...(status !== undefined && { status }),
    ...(TELLS_MESSAGES && message !== undefined && { message }),
    ...(reason !== undefined && { reason }),
    ...(TELLS_MESSAGES && details !== undefined && { details }),
    ...(code !== undefined && { code }),
  };
}

function referenceOf(asked: AuditedRequest['attributes']): ObjectReference | undefined {
  if (!asked.isResource) return undefined;
  const { resource, namespace, name, group, version, subresource } = asked;
  return {
    resource,
    namespace,
    name,
    uid: '',
    apiGroup: group,
    apiVersion: version,
    resourceVersion: '',
    subresource,
  };
}
