/**
 * One request and its answer on the wire: status lines, common headers, documents, streams. What is
 * known of the request is in its context (request-context.ts).
 */
import type { Socket } from 'node:net';
import { assert } from '../base/assert.ts';
import { TURN_END } from '../base/turns/turn-end.ts';
import { JsonIndenter } from '../codec/json/json-indent.ts';
import { statusDocument, statusEvent } from '../resources/status-document.ts';
import { type FeatureGate } from '../release/feature-gates.ts';
import { DEFAULT_GATES } from '../release/own-gates.ts';
import type { Form } from '../semantics/options/answer-form.ts';
import { internalError, type Status, type StatusError } from '../semantics/errors/status.ts';
import type { Header } from './answers/header-text.ts';
import { AnswerHead, type HeaderTexts } from './answers/answer-head.ts';
import { newAuditId } from './requests/audit-id.ts';
import type { AnswerContext } from './answers/answer-context.ts';
import type { AnswerObserver } from './answers/answer-observer.ts';
import { acceptsGzip, GZIP_BYTES_MIN, GZIP_HEADERS } from './answers/compression.ts';
import { gzipped, GzipStream } from './answers/gzip.ts';
import { headerLines, writeLines, type HeaderLines } from './answers/header-lines.ts';
import { isFromLoopback, logged, SWITCHING } from './http.ts';
import type { ClientResponse, RequestHead } from './http.ts';
import { errorEncoding, mediaTypeOf, wantsPretty } from './requests/negotiate.ts';
import { Query } from './requests/query.ts';
import type { Switches } from './sessions/switches.ts';
import { statusLine } from './answers/status-line.ts';
import { StreamWriter, type Ending } from './transport/stream-writer.ts';
import type { MessageHandlers, MessageSocket } from './websocket/message-socket.ts';

const NOTHING: Uint8Array = new Uint8Array(0);
/** Of a stream: the library would say it in the midst of its end. */
const CLOSES = { Connection: 'close' };

type Encoding = Form['encoding'];

export class Exchange {
  readonly head: RequestHead;
  readonly query: Query;
  /** The request's id: the one that its client gives, or a unique one. */
  readonly auditId: string;
  /** Gives the connection to another protocol. */
  readonly switches: Switches;
  /** The status that was answered; 0 for none. */
  code = 0;
  /** The connection is gone: nothing can be sent, whether or not the answer was complete. */
  isAborted = false;
  /** The length of the answer before it is packed. */
  bodyBytes = 0;
  observer: AnswerObserver | undefined = undefined;
  #response: ClientResponse;
  readonly #context: AnswerContext;
  readonly #onEnd: () => void;
  readonly #answer: AnswerHead;
  #open = true;
  /** The answer waits for the observer. */
  #isHeld = false;
  #streamEncoding: Encoding = 'json';
  #observesParts = false;
  #closes = false;
  #onAborted: (() => void) | undefined;
  #indenter: JsonIndenter | undefined;
  /** Set for streams alone: most answers are none. */
  #writer: StreamWriter | undefined;
  #gzip: GzipStream | undefined;
  #onWritable: (() => void) | undefined;

  /** `onEnd` runs once, when the answer is complete or the client is gone. */
  constructor(
    response: ClientResponse,
    head: RequestHead,
    context: AnswerContext,
    onEnd: () => void,
    switches: Switches = {},
  ) {
    this.head = head;
    this.query = new Query(head.query);
    this.auditId = head.auditId === '' ? newAuditId() : head.auditId;
    this.#answer = new AnswerHead(this);
    this.#response = response;
    this.#context = context;
    this.#onEnd = onEnd;
    this.switches = switches;
    response.onAborted(() => {
      this.isAborted = true;
      if (this.#open) {
        this.#open = false;
        this.#gzip?.close();
        this.#onAborted?.();
        onEnd();
      }
      // This server closes connections in the midst of something.
      TURN_END.passed(!this.#closes);
    });
  }

  /** Whether a feature is switched on. */
  has(gate: FeatureGate): boolean {
    return (this.#context.features ?? DEFAULT_GATES).has(gate);
  }

  /** False once the answer is complete or the client is gone: nothing can be sent then. */
  get open(): boolean {
    return this.#open;
  }

  /** Answers with a WebSocket, and is over when that is. Throws UnwritableHeader. */
  acceptWebSocket(subprotocol: string, handlers: MessageHandlers): MessageSocket {
    const { openWebSocket } = this.switches;
    assert(openWebSocket !== undefined && this.#open, 'no WebSocket can be opened');
    headerLines([['Sec-WebSocket-Protocol', subprotocol]]);
    this.observer?.started(SWITCHING);
    this.#open = false;
    this.code = SWITCHING;
    const onClose = (): void => {
      handlers.onClose();
      this.#onEnd();
    };
    return openWebSocket(subprotocol, { ...handlers, onClose });
  }

  /** Hands the bare connection over, where that can be done; the exchange is over when it is. */
  takeConnection(): Socket | undefined {
    const { takeConnection } = this.switches;
    if (takeConnection === undefined || !this.#open) return undefined;
    this.#open = false;
    this.code = SWITCHING;
    this.observer?.started(SWITCHING);
    return takeConnection().on('close', () => this.#onEnd());
  }

  /** Whether the client is on this machine; asked while nothing is sent yet. */
  isFromLoopback(): boolean {
    return isFromLoopback(this.#response);
  }

  /** From now on the answer goes through what `wrap` makes of the connection. */
  answerThrough(wrap: (response: ClientResponse) => ClientResponse): void {
    this.#response = wrap(this.#response);
  }

  /** Runs `then` if the client goes away before the answer is complete. */
  onAborted(then: () => void): void {
    this.#onAborted = then;
  }

  /** Adds texts for people to the head of the answer (README.md#warnings). */
  warn(texts: readonly string[]): void {
    this.#answer.warn(texts);
  }

  /** Adds a header to the head of the answer, or says it in the place of a common one. */
  setHeader(name: string, value: string): void {
    this.#answer.add({ [name]: value });
  }

  /** Adds headers that many answers have, and that were checked once. */
  addChecked(lines: HeaderLines): void {
    this.#answer.addChecked(lines);
  }

  /** Sends a whole document; JSON is indented for people. */
  sendDocument(code: number, document: Uint8Array, encoding: Encoding): void {
    if (!this.#open) return;
    this.observer?.document(document, encoding);
    const isIndented = encoding === 'json' && this.#pretty();
    const body = isIndented ? new JsonIndenter().push(document) : document;
    this.#finishPacked(code, mediaTypeOf(encoding), body);
  }

  /** Sends the Status of something that was done. */
  sendSuccess(code: number, status: Status, encoding: Encoding): void {
    this.observer?.answersWith(status);
    const document = statusDocument(status, encoding, this.#context.statusCodec);
    this.sendDocument(code, document, encoding);
  }

  /** Sends an error in what the client accepts (src/semantics/README.md#status). */
  sendStatus({ status, code }: StatusError): void {
    const accepted = errorEncoding(this.head.accept);
    const encoding = accepted ?? 'json';
    const document = statusDocument(status, encoding, this.#context.statusCodec);
    this.observer?.answersWith(status, document, encoding);
    const isIndented = accepted === undefined || (encoding === 'json' && this.#pretty());
    const body = isIndented ? new JsonIndenter().push(document) : document;
    this.#finish(code, mediaTypeOf(encoding), body, status.details?.retryAfterSeconds);
  }

  /** Answers with an error that is no Status of its own, and tells the log of it. */
  fail({ message }: Error): void {
    this.observer?.panicked(message);
    this.#context.logFailure(`${logged(this.head, this.auditId).text}: ${message}`);
    this.sendStatus(internalError(message));
  }

  /** Sends plain text, as the reference does where it has no Status. */
  sendText(code: number, text: string, retryAfterSeconds = 0): void {
    this.#finish(code, 'text/plain; charset=utf-8', text, retryAfterSeconds);
  }

  /** Sends bytes of any type as they are, with headers besides the common ones. */
  sendBytes(code: number, type: string, body: Uint8Array, headers: HeaderTexts = {}): void {
    this.#answer.add(headers);
    this.#finish(code, type, body);
  }

  /** Answers as another server does, with the headers that it has said; `body` or its length. */
  sendPassed(
    code: number,
    headers: readonly Header[],
    body: Uint8Array | number | undefined,
  ): void {
    if (!this.#open) return;
    const lines = this.#answer.passed(headers);
    if (lines === undefined) return;
    this.#open = false;
    void this.observer?.completed(code);
    const response = this.#response;
    if (typeof body === 'object') this.bodyBytes = body.length;
    response.cork(() => {
      this.#writeHead(code, lines);
      if (typeof body === 'object') response.end(body, this.#closes);
      else if (body === undefined) response.endWithoutBody();
      else response.endWithoutBody(body, this.#closes);
    });
    this.#onEnd();
  }

  /** Begins such an answer; parts and its end follow as for a stream. */
  beginPassed(code: number, headers: readonly Header[], ending: Ending = 'lastByte'): void {
    if (!this.#open) return;
    if (this.#closes) this.#answer.add(CLOSES);
    const lines = this.#answer.passed(headers);
    if (lines !== undefined) this.#begin(code, lines, ending);
  }

  /** Begins an answer of unknown length: a list is indented for people, and may be packed. */
  beginStream(kind: 'list' | 'watch', encoding: Encoding): void {
    if (!this.#open) return;
    this.#streamEncoding = encoding;
    let type = mediaTypeOf(encoding);
    if (kind === 'watch') {
      if (encoding !== 'json') type += ';stream=watch';
    } else {
      if (encoding === 'json' && this.#pretty()) this.#indenter = new JsonIndenter();
      if (this.#takesGzip()) {
        this.#answer.add(GZIP_HEADERS);
        const send = (part: Uint8Array): boolean => this.#writePart(part);
        this.#gzip = new GzipStream(send, () => this.abort());
      }
    }
    if (this.#closes) this.#answer.add(CLOSES);
    const lines = this.#answer.own(type, 0);
    if (lines === undefined) return;
    this.#observesParts = kind === 'list' && this.observer?.tellsAnswers === true;
    const next = encoding === 'protobuf' ? 'frameStart' : 'blank';
    this.#begin(200, lines, kind === 'watch' ? next : 'none');
  }

  #begin(code: number, lines: HeaderLines, ending: Ending): void {
    this.observer?.started(code);
    this.code = code;
    const writeHead = (): void => this.#writeHead(code, lines);
    this.#writer = new StreamWriter(this.#response, ending, writeHead);
  }

  /** Brings out the head of a watch that has no event yet; false as `write` says it. */
  flushHead(): boolean {
    return !this.#open || this.#writer?.flushHead() !== false;
  }

  /** Whether the first byte of an event that is yet to come was sent (README.md#streams). */
  get hasBegunNext(): boolean {
    return this.#writer?.hasBegunNext === true;
  }

  /** False when to wait for `onWritable`. `onRead` runs when nobody looks at the chunk any more. */
  write(chunk: Uint8Array, onRead: () => void = () => undefined): boolean {
    if (!this.#open) return true;
    if (this.#observesParts) this.observer?.part(chunk);
    const part = this.#indenter === undefined ? chunk : this.#indenter.push(chunk);
    this.bodyBytes += part.length;
    if (this.#gzip !== undefined && part.length > 0) {
      this.#gzip.write(part, () => {
        onRead();
        this.#onWritable?.();
      });
      return false;
    }
    const isTaken = part.length === 0 || this.#writePart(part);
    onRead();
    return isTaken;
  }

  #writePart(part: Uint8Array): boolean {
    return !this.#open || this.#writer?.write(part) !== false;
  }

  /** The ERROR event that ends a watch. */
  errorEvent({ status }: StatusError, encoding: Encoding): Uint8Array {
    return statusEvent(status, encoding, this.#context.statusCodec);
  }

  /** Ends a watch with an ERROR event. */
  endWithError(error: StatusError): void {
    this.endStream(this.errorEvent(error, this.#streamEncoding));
  }

  /** Calls `then` each time the socket takes data again after `write` returned false. */
  onWritable(then: () => void): void {
    if (!this.#open) return;
    this.#onWritable = then;
    this.#response.onWritable(() => {
      if (this.#writer?.goOn() === false) return true;
      if (this.#gzip === undefined) then();
      else this.#gzip.resume();
      return true;
    });
  }

  /** Ends a stream, with a last part of its own where it is a watch. */
  endStream(last = NOTHING): void {
    if (!this.#open) return;
    if (this.#gzip === undefined) this.#endResponse(last);
    else this.#gzip.end(() => this.#endResponse(last));
  }

  #endResponse(last: Uint8Array): void {
    if (!this.#open) return;
    this.#open = false;
    this.bodyBytes += last.length;
    if (this.#observesParts) this.observer?.endOfParts(this.#streamEncoding);
    void this.observer?.completed();
    this.#response.cork(() => {
      this.#writer?.finish(last);
      this.#response.end();
    });
    this.#onEnd();
  }

  /** The connection is to serve no further request. */
  closeAfterwards(): void {
    this.#closes = true;
  }

  /** Cuts the connection: the client must not take what it has for the whole. */
  abort(): void {
    if (!this.#open) return;
    this.#closes = true;
    this.#response.close();
  }

  #pretty(): boolean {
    return wantsPretty(this.query.text('pretty'), this.head.userAgent, this.head.accept);
  }

  #takesGzip(): boolean {
    return acceptsGzip(this.head.acceptEncoding) && this.has('APIResponseCompression');
  }

  /** Gzipped where that pays and the client takes it. */
  #finishPacked(code: number, type: string, body: Uint8Array): void {
    const isLarge = body.length > GZIP_BYTES_MIN && this.head.method !== 'head';
    if (!isLarge || !this.#takesGzip()) return this.#finish(code, type, body);
    gzipped(body, (packed) => {
      // If gzip fails the body is sent as it is.
      if (packed !== undefined) this.#answer.add(GZIP_HEADERS);
      this.#finish(code, type, packed ?? body);
    });
  }

  #finish(code: number, type: string, body: Uint8Array | string, retryAfterSeconds = 0): void {
    if (!this.#open || this.#isHeld) return;
    const lines = this.#answer.own(type, retryAfterSeconds);
    if (lines === undefined) return;
    const waiting = this.observer?.completed(code);
    if (waiting === undefined) return this.#send(code, lines, body);
    this.#isHeld = true;
    void waiting.then(() => this.#send(code, lines, body));
  }

  #send(code: number, lines: HeaderLines, body: Uint8Array | string): void {
    if (!this.#open) return;
    this.#open = false;
    this.bodyBytes = body.length;
    this.#response.cork(() => {
      this.#writeHead(code, lines);
      // After such an answer the library takes no further request on the connection.
      if (this.head.method === 'head') this.#response.endWithoutBody(body.length, true);
      else this.#response.end(body, this.#closes);
    });
    this.#onEnd();
  }

  #writeHead(code: number, lines: HeaderLines): void {
    this.code = code;
    writeLines(this.#response, statusLine(code), lines);
  }
}
