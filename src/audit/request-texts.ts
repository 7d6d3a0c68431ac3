/** Texts that all events of a request share: each is made once. */
import { utcMicros } from '../base/time/utc-time.ts';
import { quoteGo, stringifyGo } from '../codec/json/go-json.ts';
import type { User } from '../semantics/user.ts';
import type { AuditedAttributes } from './policy.ts';

/** The facts of a request that are known when it comes. */
export interface AuditedRequest {
  readonly auditId: string;
  /** As it came: path and query. */
  readonly uri: string;
  readonly attributes: AuditedAttributes & { readonly version: string };
  readonly user: User;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  /** Milliseconds since 1970, with fractions. */
  readonly receivedMs: number;
}

const USER_AGENT_LENGTH_MAX = 1_024;

export class RequestTexts {
  readonly request: AuditedRequest;
  #auditId: string | undefined;
  #asked: string | undefined;
  #client: string | undefined;
  #received: string | undefined;

  constructor(request: AuditedRequest) {
    this.request = request;
  }

  get auditId(): string {
    return (this.#auditId ??= quoteGo(this.request.auditId));
  }

  /** The members that say what was asked for, and by whom. */
  get asked(): string {
    const { uri, attributes, user } = this.request;
    return (this.#asked ??=
      `"requestURI":${quoteGo(uri)},"verb":${quoteGo(attributes.verb)},` +
      `"user":${userJson(user)}`);
  }

  /** The members that say from where, each with a comma before it. */
  get client(): string {
    const { sourceIps } = this.request;
    return (this.#client ??=
      (sourceIps.length === 0 ? '' : `,"sourceIPs":${stringifyGo(sourceIps)}`) +
      (this.userAgent === '' ? '' : `,"userAgent":${quoteGo(this.userAgent)}`));
  }

  /** Names that are too long are cut. */
  get userAgent(): string {
    const { userAgent } = this.request;
    if (userAgent.length <= USER_AGENT_LENGTH_MAX) return userAgent;
    return `${userAgent.slice(0, USER_AGENT_LENGTH_MAX)}...TRUNCATED`;
  }

  /** When it came. */
  get received(): string {
    return (this.#received ??= utcMicros(this.request.receivedMs));
  }
}

const userTexts = new WeakMap<User, string>();

/** Most requests are of users who have sent others. */
export function userJson(user: User): string {
  let text = userTexts.get(user);
  if (text === undefined) {
    const { name, uid, groups, extra = {} } = user;
    const sorted = Object.fromEntries(Object.entries(extra).toSorted(byName));
    const members = {
      ...(name !== '' && { username: name }),
      ...(uid !== '' && { uid }),
      ...(groups.length > 0 && { groups }),
      ...(Object.keys(sorted).length > 0 && { extra: sorted }),
    };
    text = stringifyGo(members);
    userTexts.set(user, text);
  }
  return text;
}

/** Orders members of a map as the reference does. */
export function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
