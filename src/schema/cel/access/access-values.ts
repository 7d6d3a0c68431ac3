/** The variable `authorizer` of policies, and what its functions give (../README.md#access). */
import { dnsLabel, dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { Failure, type CallableValue, type Value } from '../values.ts';

/** Who is asked about: the user of the request where it is absent. */
export interface AskedAccount {
  readonly namespace: string;
  readonly name: string;
}

/** A right that is asked about: to a path, or to a resource where `path` is ''. */
export interface AskedAccess {
  readonly account?: AskedAccount;
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AccessDecision {
  readonly isAllowed: boolean;
  readonly reason: string;
  /** '' for none. */
  readonly error: string;
}

/** Undefined where the answer has to be waited for: what is evaluated then counts for nothing. */
export type DecideAccess = (asked: AskedAccess) => AccessDecision | undefined;

type Kind = 'Authorizer' | 'PathCheck' | 'GroupCheck' | 'ResourceCheck';

const NOTHING: AskedAccess = Object.freeze({
  verb: '',
  path: '',
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
});
const EMPTY_TEXT = /^\s*$/;
const NOT_YET = new Failure('the decision is waited for');

/** A question that is being made. */
export class AccessQuestion implements CallableValue {
  readonly kind: Kind;
  readonly #asked: AskedAccess;
  readonly #decide: DecideAccess;

  constructor(decide: DecideAccess, kind: Kind = 'Authorizer', asked: Partial<AskedAccess> = {}) {
    this.kind = kind;
    this.#decide = decide;
    this.#asked = { ...NOTHING, ...asked };
  }

  get typeName(): string {
    return `kubernetes.authorization.${this.kind}`;
  }

  call(name: string, [first = '', second = '']: readonly Value[]): Value | undefined {
    if (typeof first !== 'string' || typeof second !== 'string') return undefined;
    switch (`${this.kind}.${name}`) {
      case 'Authorizer.path':
        return named(first, 'path') ?? this.#with('PathCheck', { path: first });
      case 'Authorizer.group':
        return this.#with('GroupCheck', { group: first });
      case 'Authorizer.serviceAccount':
        return accountProblem(first, second) ?? this.#of({ namespace: first, name: second });
      case 'GroupCheck.resource':
        return named(first, 'resource') ?? this.#with('ResourceCheck', { resource: first });
      case 'ResourceCheck.subresource':
      case 'ResourceCheck.namespace':
      case 'ResourceCheck.name':
      case 'ResourceCheck.fieldSelector':
      case 'ResourceCheck.labelSelector':
        return this.#with('ResourceCheck', { [name]: first });
      case 'PathCheck.check':
      case 'ResourceCheck.check': {
        const decision = this.#decide({ ...this.#asked, verb: first });
        return decision === undefined ? NOT_YET : new AccessResult(decision);
      }
      default:
        return undefined;
    }
  }

  #with(kind: Kind, more: Partial<AskedAccess>): AccessQuestion {
    return new AccessQuestion(this.#decide, kind, { ...this.#asked, ...more });
  }

  #of(account: AskedAccount): AccessQuestion {
    return this.#with('Authorizer', { account });
  }
}

/** A decision, as expressions see it. */
export class AccessResult implements CallableValue {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly #decision: AccessDecision;

  constructor(decision: AccessDecision) {
    this.#decision = decision;
  }

  call(name: string): Value | undefined {
    const { isAllowed, reason, error } = this.#decision;
    switch (name) {
      case 'allowed':
        return isAllowed;
      case 'reason':
        return reason;
      case 'errored':
        return error !== '';
      case 'error':
        return error;
      default:
        return undefined;
    }
  }
}

function named(text: string, what: string): Failure | undefined {
  return EMPTY_TEXT.test(text) ? new Failure(`${what} must not be empty`) : undefined;
}

function accountProblem(namespace: string, name: string): Failure | undefined {
  const [inName] = dnsSubdomain(name);
  if (inName !== undefined) return new Failure('Invalid service account name');
  const [inNamespace] = dnsLabel(namespace);
  return inNamespace === undefined ? undefined : new Failure('Invalid service account namespace');
}
