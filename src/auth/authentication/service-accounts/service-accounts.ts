/**
 * Whose a token of a service account is (../../README.md#service-account-tokens). That it is signed
 * is found out once; whether its account, and what it is bound to, are still there each time.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { RecentMap } from '../../../base/recent-map.ts';
import { whenKnown } from '../../../base/turns/when-known.ts';
import { INVALID_SINCE } from '../../../resources/core/secret.ts';
import { ownGroup, ownName } from '../../../semantics/dialect/own-names.ts';
import { notFound } from '../../../semantics/errors/status.ts';
import { AuthenticationError } from '../../authenticator.ts';
import type { Authenticated } from '../../authenticator.ts';
import type { FeatureGates } from '../../../release/feature-gates.ts';
import { ownRelease } from '../../../release/release.ts';
import type { User } from '../../../semantics/user.ts';
import type { ServiceAccountTokens } from '../../service-account-tokens.ts';
import type { AccountFacts, ObjectFacts, OwnerFacts, SecretFacts } from '../account-facts.ts';
import type { AccountToken, BoundObject } from './account-tokens.ts';
import {
  GENERATED_TOKEN_USES,
  INVALID_TOKEN_USES,
  LEGACY_TOKENS,
  MANUAL_TOKEN_USES,
  STALE_TOKENS,
  VALID_TOKENS,
} from '../authentication-counters.ts';
import { CREDENTIAL_ID, tokenCredentialId } from '../credential-id.ts';
import type { ShownToken, TokenWay } from '../token-way.ts';
import { accountGroups, accountUserName, commonAudiences, knownUser } from '../users.ts';

/** Clocks may differ by so much. */
const LEEWAY_SECONDS = 60;
/** Tokens whose signatures need not be verified again; a token and its user take about 1 KB. */
const VERIFIED_TOKENS = 4_096;

const NOTHING_TOLD: Told = {};
const DAY_MS = 24 * 3_600_000;
const GENERATED_TOKEN =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of ' +
  'auto-generated secret-based tokens.';
const NODE_CHECK = 'ServiceAccountTokenNodeBindingValidation';
const ACCOUNTS = { group: '', resource: 'serviceaccounts' };
const NODE_NAME = ownName('authentication.cluster.io/node-name');
const NODE_UID = ownName('authentication.cluster.io/node-uid');
const POD_NAME = ownName('authentication.cluster.io/pod-name');
const POD_UID = ownName('authentication.cluster.io/pod-uid');
const AUDITED = ownGroup('authentication.cluster.io');

export interface ServiceAccountOptions {
  readonly tokens: ServiceAccountTokens;
  readonly facts: AccountFacts;
  /** Without it legacy tokens count for ever. */
  readonly looksUpLegacy: boolean;
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

type Told = Pick<Authenticated, 'warnings' | 'annotations'>;

/** A token that is signed, and who shows it. */
interface Verified {
  readonly token: AccountToken;
  readonly user: User;
}

export class ServiceAccounts implements TokenWay {
  readonly #options: ServiceAccountOptions;
  /** The Secrets whose use is being noted. */
  readonly #noting = new Set<string>();
  readonly #verified = new RecentMap<string, Verified>(VERIFIED_TOKENS);

  constructor(options: ServiceAccountOptions) {
    this.#options = options;
  }

  authenticate(
    { text, digest }: ShownToken,
    audiences: readonly string[],
  ): Authenticated | undefined | Promise<Authenticated> {
    const { tokens, nowMs } = this.#options;
    let verified = this.#verified.get(digest);
    if (verified === undefined) {
      const token = tokens.read(text);
      if (token === undefined) return undefined;
      verified = { token, user: userOf(token, tokens.gates) };
      this.#verified.set(digest, verified);
    }
    const { token, user } = verified;
    const common = commonAudiences(token.audiences ?? tokens.apiAudiences, audiences);
    if (common.length === 0) throw wrongAudiences(token, tokens.apiAudiences, audiences);
    const now = nowMs();
    checkTime(token, now);
    const known = ({ warnings, annotations }: Told): Authenticated => {
      const ofToken = toldOf(token, user, now);
      const told = ofToken && annotations ? { ...ofToken, ...annotations } : ofToken;
      return {
        user,
        audiences: common,
        ...(warnings && { warnings }),
        ...(told && { annotations: told }),
      };
    };
    const { legacySecret } = token;
    if (legacySecret === undefined) {
      return whenKnown(this.#checkBound(token, now), () => known(NOTHING_TOLD));
    }
    return whenKnown(this.#checkLegacy(token, legacySecret, text), known);
  }

  #checkBound(token: AccountToken, nowMs: number): void | Promise<void> {
    const { facts, tokens } = this.#options;
    const { namespace, account, secret, pod, node } = token;
    const isGone = ({ deletedMs = nowMs }: ObjectFacts): boolean =>
      deletedMs < nowMs - LEEWAY_SECONDS * 1000;
    return whenKnown(facts.account(namespace, account.name), (found) => {
      if (found === undefined) throw unknownAccount(account);
      const who = `${namespace}/${account.name}`;
      if (isGone(found)) throw problem(`service account ${who} has been deleted`);
      if (found.uid !== account.uid) {
        throw problem(`service account UID (${found.uid}) does not match claim (${account.uid})`);
      }
      const check = (what: string, bound: BoundObject) => (object: ObjectFacts | undefined) => {
        if (object === undefined || isGone(object)) {
          throw problem('service account token has been invalidated');
        }
        if (object.uid === bound.uid) return;
        const claim = `service account ${what} ref claim (${bound.uid})`;
        throw problem(`${what} UID (${object.uid}) does not match ${claim}`);
      };
      if (secret !== undefined) {
        return whenKnown(facts.secret(namespace, secret.name), check('secret', secret));
      }
      if (pod !== undefined) return whenKnown(facts.pod(namespace, pod.name), check('pod', pod));
      if (node === undefined) return;
      if (!tokens.gates.has(NODE_CHECK)) {
        throw problem(
          `token is bound to a Node object but the ${NODE_CHECK} feature gate is disabled`,
        );
      }
      return whenKnown(facts.node(node.name), check('node', node));
    });
  }

  /** Gives what is to be told of it. */
  #checkLegacy(token: AccountToken, secretName: string, text: string): Told | Promise<Told> {
    const { facts, looksUpLegacy } = this.#options;
    const { namespace, account } = token;
    if (!looksUpLegacy) return NOTHING_TOLD;
    return whenKnown(facts.secret(namespace, secretName), (secret) => {
      if (secret === undefined || secret.deletedMs !== undefined) {
        throw problem('Token has been invalidated');
      }
      if (!holdsToken(secret, text)) throw problem("Token does not match server's copy");
      return whenKnown(facts.account(namespace, account.name), (found) => {
        if (found === undefined) throw unknownAccount(account);
        if (found.deletedMs !== undefined) {
          throw problem(`ServiceAccount ${namespace}/${account.name} has been deleted`);
        }
        if (found.uid !== account.uid) {
          throw problem(`ServiceAccount UID (${found.uid}) does not match claim (${account.uid})`);
        }
        return this.#track(token, secretName, secret, found);
      });
    });
  }

  /** Notes that a legacy token is used, where that is a feature, and says what is better. */
  #track(
    { namespace, account }: AccountToken,
    secretName: string,
    { lastUsed, invalidSince = '' }: SecretFacts,
    { secrets = [] }: OwnerFacts,
  ): Told {
    const { facts, tokens, nowMs, logError } = this.#options;
    if (!tokens.gates.has('LegacyServiceAccountTokenTracking')) return NOTHING_TOLD;
    const [today = '', tomorrow] = [0, DAY_MS].map((ms) => dayOf(nowMs() + ms));
    const at = `${namespace}/${secretName}`;
    if (lastUsed !== today && lastUsed !== tomorrow && !this.#noting.has(at)) {
      this.#noting.add(at);
      facts
        .noteUsed(namespace, secretName, today)
        .catch(({ message }: Error) => logError(`noting the use of ${at}: ${message}`))
        .finally(() => this.#noting.delete(at));
    }
    const countsUses = ownRelease().has('legacyTokensMarkedInvalid');
    if (invalidSince !== '' && countsUses) {
      INVALID_TOKEN_USES.add();
      throw problem(
        `the token in secret ${at} for service account ${namespace}/${account.name} has been ` +
          'marked invalid. Use tokens from the TokenRequest API or manually created secret-based ' +
          `tokens, or remove the '${INVALID_SINCE}' label from the secret to temporarily allow ` +
          'use of this token',
      );
    }
    const isGenerated = secrets.includes(secretName);
    const warnings = isGenerated ? { warnings: [GENERATED_TOKEN] } : NOTHING_TOLD;
    if (!countsUses) return warnings;
    (isGenerated ? GENERATED_TOKEN_USES : MANUAL_TOKEN_USES).add();
    const sort = isGenerated ? 'autogenerated' : 'manual';
    const annotations = { [`${AUDITED}/legacy-token-${sort}-secret`]: secretName };
    return { ...warnings, annotations };
  }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function userOf(token: AccountToken, gates: FeatureGates): User {
  const { namespace, account } = token;
  const extra = extraOf(token, gates);
  return knownUser({
    name: accountUserName(namespace, account.name),
    uid: account.uid,
    groups: accountGroups(namespace),
    ...(Object.keys(extra).length > 0 && { extra }),
  });
}

/** Tells of the token itself, and of where it is used. */
function extraOf(
  { id, pod, node }: AccountToken,
  gates: FeatureGates,
): Readonly<Record<string, readonly string[]>> {
  const tellsId = id !== undefined && gates.has('ServiceAccountTokenJTI');
  // The node of a pod is told where that is a feature; one that it is bound to has been looked up.
  const tellsNode = node && (pod === undefined || gates.has('ServiceAccountTokenPodNodeInfo'));
  return {
    ...(tellsId && { [CREDENTIAL_ID]: [tokenCredentialId(id)] }),
    ...(tellsNode && { [NODE_NAME]: [node.name] }),
    ...(tellsNode && node.uid !== '' && { [NODE_UID]: [node.uid] }),
    ...(pod !== undefined && { [POD_NAME]: [pod.name], [POD_UID]: [pod.uid] }),
  };
}

function checkTime({ notBeforeSeconds, expirySeconds }: AccountToken, nowMs: number): void {
  const now = Math.floor(nowMs / 1000);
  if (now + LEEWAY_SECONDS < notBeforeSeconds) {
    throw problem('service account token is not valid yet');
  }
  if (now - LEEWAY_SECONDS > expirySeconds) throw problem('service account token has expired');
}

function holdsToken({ data }: SecretFacts, text: string): boolean {
  const held = Buffer.from(data['token'] ?? '', 'base64');
  const digest = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();
  return timingSafeEqual(digest(held), digest(text));
}

function problem(message: string): AuthenticationError {
  return new AuthenticationError(message);
}

function unknownAccount({ name }: BoundObject): AuthenticationError {
  if (name === '') return problem('resource name may not be empty');
  return problem(notFound(ACCOUNTS, name).message);
}

function wrongAudiences(
  token: AccountToken,
  apiAudiences: readonly string[],
  audiences: readonly string[],
): AuthenticationError {
  const sent = printAudiences(token.audiences ?? apiAudiences);
  const wanted = printAudiences(audiences);
  return problem(`token audiences ${sent} is invalid for the target audiences ${wanted}`);
}

/** As the reference prints lists of strings in texts: `["a" "b"]`. */
function printAudiences(audiences: readonly string[]): string {
  return `[${audiences.map((audience) => JSON.stringify(audience)).join(' ')}]`;
}

/**
 * Counts the token, and says what the audit log is told of it. One that names no audience is a
 * legacy one, as the reference counts them.
 */
function toldOf(
  { audiences, warnAfterSeconds }: AccountToken,
  { name }: User,
  nowMs: number,
): Readonly<Record<string, string>> | undefined {
  if (audiences === undefined) {
    LEGACY_TOKENS.add();
    return { [`${AUDITED}/legacy-token`]: name };
  }
  if (warnAfterSeconds === undefined) return undefined;
  if (nowMs <= warnAfterSeconds * 1_000) {
    VALID_TOKENS.add();
    return undefined;
  }
  STALE_TOKENS.add();
  const seconds = Math.floor(nowMs / 1_000) - warnAfterSeconds;
  const text = `subject: ${name}, seconds after warning threshold: ${seconds}`;
  return { [`${AUDITED}/stale-token`]: text };
}
