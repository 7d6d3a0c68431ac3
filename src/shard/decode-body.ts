/** Bodies of writes: from bytes to a decoded object of the shard's kind (API-FACTS 1.4). */
import { DecodeError } from '../codec/go-errors.ts';
import { decodeUtf8 } from '../codec/text-body.ts';
import { YamlError, yamlToJsonText } from '../codec/yaml-body.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { KindRuntime } from '../resources/kind-runtime.ts';
import { badRequest } from '../semantics/status.ts';
import type { BodyFormat, Target } from './shard-protocol.ts';

const SHOWN_BYTES = 30;

function shownBytes(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const start = Buffer.from(body.subarray(0, SHOWN_BYTES));
  const text = start[0] === 0x7b ? start.toString() : start.toString('hex');
  return body.length > SHOWN_BYTES ? `${text} ...` : text;
}

function isJson(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The JSON text of a body; throws StatusError 400 for YAML that does not parse. */
export function bodyText(kind: KindRuntime, body: Uint8Array, format: BodyFormat): string {
  const text = decodeUtf8(body);
  // JSON is YAML too, and much faster to read as what it is.
  if (format === 'json' || isJson(text)) return text;
  try {
    return yamlToJsonText(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw unrecognized(kind, body, error.message);
  }
}

function unrecognized(kind: KindRuntime, body: Uint8Array, why: string): Error {
  const expected = `(must be of type ${kind.definition.kind})`;
  return badRequest(
    `the object provided is unrecognized ${expected}: couldn't get version/kind; ` +
      `json parse error: ${why} (${shownBytes(body)})`,
  );
}

/**
 * Decodes the object of a write. Throws StatusError 400 for bytes that are no object of this
 * kind, and for a kind or version that is not that of the URL; both may be absent.
 */
export function decodeBody(kind: KindRuntime, body: Uint8Array, format: BodyFormat): ApiObject {
  const text = bodyText(kind, body, format);
  const { version, kind: expected } = kind.definition;
  try {
    const decoded = kind.codec.decode(text);
    if (decoded.kind !== '' && decoded.kind !== expected) {
      const sentVersion = decoded.apiVersion.split('/').at(-1) || version;
      throw badRequest(
        `${decoded.kind} in version "${sentVersion}" cannot be handled as a ${expected}: ` +
          `converting (${sentVersion}.${decoded.kind}) to (${version}.${expected}): ` +
          'unknown conversion',
      );
    }
    if (decoded.apiVersion !== '' && decoded.apiVersion !== kind.groupVersion) {
      throw badRequest(
        `the API version in the data (${decoded.apiVersion}) does not match ` +
          `the expected API version (${kind.groupVersion})`,
      );
    }
    return decoded.object as ApiObject;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (error.isSyntax) throw unrecognized(kind, body, error.message);
    const what = `${expected} in version "${version}"`;
    throw badRequest(`${what} cannot be handled as a ${expected}: ${error.message}`);
  }
}

/** An update's object must be the one that the URL names; an absent namespace is filled in. */
export function checkIdentity(kind: KindRuntime, object: ApiObject, target: Target): void {
  const { metadata } = object;
  if (metadata.name === undefined || metadata.name === '') {
    throw badRequest(
      `the name of the object (${target.name} based on URL) was undeterminable: ` +
        'name must be provided',
    );
  }
  if (metadata.name !== target.name) {
    throw badRequest(
      `the name of the object (${metadata.name}) does not match ` +
        `the name on the URL (${target.name})`,
    );
  }
  if (!kind.definition.namespaced) {
    delete metadata.namespace;
  } else if (metadata.namespace === undefined || metadata.namespace === '') {
    metadata.namespace = target.namespace;
  } else if (metadata.namespace !== target.namespace) {
    throw badRequest(
      `the namespace of the object (${metadata.namespace}) does not match ` +
        `the namespace on the request (${target.namespace})`,
    );
  }
}
