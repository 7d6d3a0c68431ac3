/** Asks issuers for documents, and others for claims. */
import type { IncomingMessage } from 'node:http';
import { collectBytes } from '../../../base/collect-bytes.ts';

/** So long an answer may take. */
export const ANSWER_MS_MAX = 30_000;
/** An issuer has a few keys of some KB. */
const ANSWER_BYTES_MAX = 1024 * 1024;

export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly body: Buffer;
}

/**
 * Rejects when there is no answer, in time and of a length that can be one. `authorities` are PEM
 * of those who sign the other's certificate; '' for those that the runtime trusts.
 */
export function getDocument(
  url: string,
  authorities: string,
  headers: Readonly<Record<string, string>> = { accept: 'application/json' },
): Promise<Answer> {
  // Not imported: that would load Node's HTTP client with each start.
  const https = process.getBuiltinModule('node:https');
  return new Promise((resolve, reject) => {
    const request = https.request(
      url,
      {
        agent: false,
        headers,
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        // As in the reference what is in the file is trusted, signed by another or not.
        ...(authorities !== '' && { ca: authorities, allowPartialTrustChain: true }),
      },
      (message) => {
        readAnswer(message).then(resolve, reject);
      },
    );
    request.on('error', reject);
    request.end();
  });
}

async function readAnswer(message: IncomingMessage): Promise<Answer> {
  const body = await collectBytes(message, ANSWER_BYTES_MAX + 1);
  if (body.length > ANSWER_BYTES_MAX) {
    throw new Error(`an answer is longer than ${ANSWER_BYTES_MAX} bytes`);
  }
  return { status: message.statusCode ?? 0, reason: message.statusMessage ?? '', body };
}
