/** Documents that change only with the server: written once, answered many times. */
import { createHash } from 'node:crypto';

export interface SerializedDocument {
  /** JSON text with a newline at its end. */
  readonly bytes: Uint8Array;
  /** Changes with the bytes, and looks as the reference's does; an ETag has quotes around it. */
  readonly hash: string;
}

export function serializeDocument(document: object): SerializedDocument {
  const bytes = Buffer.from(`${JSON.stringify(document)}\n`);
  return { bytes, hash: createHash('sha512').update(bytes).digest('hex').toUpperCase() };
}
