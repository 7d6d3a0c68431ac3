/**
 * Continue tokens: what a client needs to be given the next page of a list, opaque to it
 * (../README.md#continue-tokens). A token is bound to its collection and signed with a key that the
 * store keeps, so that it outlives a restart and that nobody can make one.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { swapNamespace } from '../../semantics/dialect/names.ts';
import { badRequest, expired } from '../../semantics/errors/status.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import type { RecordDomain } from '../../storage/record.ts';
import type { Settings } from '../../storage/store.ts';

export interface ContinueToken {
  /** The version of the list; -1 to go on at the newest one. */
  readonly rv: number;
  /** Where the next page begins: the least key that it may hold. */
  readonly start: string;
  /** Objects from there on, where the list has no selector. */
  readonly remaining?: number | undefined;
  /** When the first page was made. */
  readonly timeMs: number;
}

/** The contents of a token; the names of the first three are those of the reference. */
interface Payload {
  readonly v: string;
  readonly rv: number;
  readonly start: string;
  readonly time: number;
  readonly remaining?: number | undefined;
}

interface SignedPayload extends Payload {
  readonly sign: string;
}

const SIGNATURE_BYTES = 16;
const KEY_BYTES = 32;
const KEY_SETTING = 'continueTokenKey';

/** The key of continue tokens, made by whoever asks for it first. */
export function continueTokenKey(shared: Settings): string {
  let key = shared.get(KEY_SETTING);
  if (key === undefined) {
    const made = randomBytes(KEY_BYTES).toString('base64url');
    shared.swap(KEY_SETTING, (stored) => (key = stored ?? made));
  }
  return key ?? '';
}

export class ContinueTokens {
  readonly #key: string;
  readonly #resource: string;
  readonly #format: string;

  /** `domain` is the dialect of the keys. */
  constructor(key: string, resource: string, domain: RecordDomain = 'cluster.io') {
    this.#key = key;
    this.#resource = resource;
    this.#format = `meta.${domain}/v1`;
  }

  /** `keyPrefix` is what all keys of the collection begin with: `ns/`, or ''. */
  issue({ rv, start, remaining, timeMs }: ContinueToken, keyPrefix: string): string {
    const suffix = start.slice(keyPrefix.length);
    const payload: Payload = { v: this.#format, rv, start: suffix, time: timeMs, remaining };
    const sign = this.#sign(payload, keyPrefix);
    return Buffer.from(JSON.stringify({ ...payload, sign })).toString('base64url');
  }

  /**
   * Throws StatusError 400 for a token that was not issued for this collection, 410 for one of the
   * other dialect: its keys have another order, so that no page of this one follows.
   */
  parse(text: string, keyPrefix: string): ContinueToken {
    const { sign, ...payload } = parsePayload(text);
    const isOwn = payload.v === this.#format;
    const signedPrefix = isOwn ? keyPrefix : otherPrefix(keyPrefix);
    const expected = Buffer.from(this.#sign(payload, signedPrefix));
    const given = Buffer.from(sign);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw invalidToken('it was not issued for this collection');
    }
    if (!isOwn) throw expired(OTHER_ORDER);
    const { rv, start, remaining, time } = payload;
    return { rv, start: keyPrefix + start, remaining, timeMs: time };
  }

  #sign({ v, rv, start, time, remaining }: Payload, keyPrefix: string): string {
    const signed = JSON.stringify([this.#resource, keyPrefix, v, rv, start, time, remaining]);
    const digest = createHmac('sha256', this.#key).update(signed).digest();
    return digest.toString('base64url', 0, SIGNATURE_BYTES);
  }
}

const OTHER_ORDER =
  'The provided continue parameter is too old to display a consistent list result. You must ' +
  'start a new list without the continue parameter.';

function otherPrefix(keyPrefix: string): string {
  return keyPrefix === '' ? '' : `${swapNamespace(keyPrefix.slice(0, -1))}/`;
}

function parsePayload(text: string): SignedPayload {
  const bytes = Buffer.from(text, 'base64url');
  // Characters that do not belong there are skipped when it is read.
  if (bytes.toString('base64url') !== text) throw invalidToken('it is not base64');
  try {
    const payload = JSON.parse(bytes.toString()) as Partial<SignedPayload> | null;
    if (isWhole(payload)) return payload;
  } catch {
    throw invalidToken('it is not JSON');
  }
  throw invalidToken('it lacks a member');
}

/**
 * Tells whether all members have the right types: nested values could be as deep as a text is long.
 */
function isWhole(payload: Partial<SignedPayload> | null): payload is SignedPayload {
  if (typeof payload?.rv !== 'number' || typeof payload.time !== 'number') return false;
  if (!['number', 'undefined'].includes(typeof payload.remaining)) return false;
  return [payload.v, payload.start, payload.sign].every((text) => typeof text === 'string');
}

function invalidToken(why: string): StatusError {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
