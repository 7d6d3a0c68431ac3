/** A connection on which what is answered is told to somebody else as well. */
import { PassingResponse } from './faulty-response.ts';
import type { ClientResponse } from '../http.ts';

export interface Listener {
  answer(code: number, headers: Readonly<Record<string, string>>): void;
  part(bytes: Uint8Array): void;
  end(how: 'complete' | 'cut'): void;
}

export class RecordingResponse extends PassingResponse {
  readonly #listener: Listener;
  #status = '';
  readonly #headers: Record<string, string> = {};
  #isTold = false;

  constructor(response: ClientResponse, listener: Listener) {
    super(response);
    this.#listener = listener;
  }

  override writeStatus(status: string): ClientResponse {
    this.#status = status;
    return super.writeStatus(status);
  }

  override writeHeader(name: string, value: string | Uint8Array): ClientResponse {
    this.#headers[name.toLowerCase()] = Buffer.from(value).toString();
    return super.writeHeader(name, value);
  }

  override write(chunk: Uint8Array): boolean {
    this.#part(chunk);
    return super.write(chunk);
  }

  override end(body?: Uint8Array | string, closes?: boolean): unknown {
    if (body !== undefined) this.#part(typeof body === 'string' ? Buffer.from(body) : body);
    else this.#tellHead();
    this.#listener.end('complete');
    return super.end(body, closes);
  }

  override endWithoutBody(length?: number, closes?: boolean): unknown {
    this.#tellHead();
    this.#listener.end('complete');
    return super.endWithoutBody(length, closes);
  }

  override close(): unknown {
    this.#listener.end('cut');
    return super.close();
  }

  #part(bytes: Uint8Array): void {
    this.#tellHead();
    if (bytes.length > 0) this.#listener.part(bytes);
  }

  #tellHead(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#listener.answer(Number.parseInt(this.#status, 10), this.#headers);
  }
}
