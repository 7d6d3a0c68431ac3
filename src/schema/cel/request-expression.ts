/**
 * Checks expressions about requests: of policies, and of the conditions of webhooks
 * (README.md#expressions-about-requests).
 */
import { checkTypes, type Variables } from './check.ts';
import type { CheckedParts } from './cost/estimate.ts';
import { printProblems, type Expression } from './expression.ts';
import { parseExpression } from './parse.ts';
import { NEW_EXPRESSIONS, type Library } from './library/library.ts';
import { PATCH_EXPRESSIONS } from './messages/patch-expressions.ts';
import { accessType, printType, simple, type ObjectType, type Type } from './types.ts';

/** The variables of an expression besides the request and its objects. */
export interface RequestScope {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** Whether it makes a patch: it may construct messages. */
  readonly makesPatch?: boolean;
  /** The types of the objects: only types are checked, and some of them may not be known. */
  readonly typed?: { readonly object: Type | undefined; readonly params: Type | undefined };
}

/** The types that a result may have; `any` stands for all. */
export type RequestResult = 'any' | 'bool' | 'string' | 'null_type' | 'Object' | 'list(JSONPatch)';

export interface RequestExpression {
  /** '' for one that can be evaluated. */
  readonly problem: string;
  /** dyn where it is not known. */
  readonly type: Type;
  /** The expression that is evaluated; absent where that cannot be done. */
  readonly expression?: Expression;
  /** The types of its parts; absent where they were not checked. */
  readonly parts?: CheckedParts;
}

const DYN = simple('dyn');
/** The type of an expression that was not checked. */
const UNKNOWN: Type = { ...DYN };
const STRING = simple('string');
const STRINGS: Type = { kind: 'list', item: STRING };
const TEXT_MAP: Type = { kind: 'map', key: STRING, value: STRING };
const TIME = simple('timestamp');

function object(name: string, fields: Readonly<Record<string, Type>>): ObjectType {
  return {
    kind: 'object',
    name,
    field: (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined),
  };
}

const KIND = object('kubernetes.GroupVersionKind', {
  group: STRING,
  version: STRING,
  kind: STRING,
});
const RESOURCE = object('kubernetes.GroupVersionResource', {
  group: STRING,
  version: STRING,
  resource: STRING,
});
const REQUEST = object('kubernetes.AdmissionRequest', {
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: object('kubernetes.UserInfo', {
    username: STRING,
    uid: STRING,
    groups: STRINGS,
    extra: { kind: 'map', key: STRING, value: STRINGS },
  }),
  dryRun: simple('bool'),
  options: DYN,
});
const NAMESPACE = object('kubernetes.Namespace', {
  metadata: object('kubernetes.NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: TEXT_MAP,
    annotations: TEXT_MAP,
    UID: STRING,
    creationTimestamp: TIME,
    deletionGracePeriodSeconds: simple('int'),
    deletionTimestamp: TIME,
    generation: simple('int'),
    resourceVersion: STRING,
    finalizers: STRINGS,
  }),
  spec: object('kubernetes.NamespaceSpec', { finalizers: STRINGS }),
  status: object('kubernetes.NamespaceStatus', {
    conditions: {
      kind: 'list',
      item: object('kubernetes.NamespaceCondition', {
        status: STRING,
        type: STRING,
        lastTransitionTime: TIME,
        message: STRING,
        reason: STRING,
      }),
    },
    phase: STRING,
  }),
});

/** The variables of a policy: each one is seen by those that are declared after it. */
export class RequestVariables {
  readonly #types = new Map<string, Type>();
  readonly type: ObjectType = {
    kind: 'object',
    name: 'kubernetes.variables',
    field: (name) => this.#types.get(name),
  };

  declare(name: string, type: Type): void {
    this.#types.set(name, type);
  }
}

/**
 * The problem of an expression, and its type. One that constructs messages of the library of
 * protocol buffers is checked by the grammar alone.
 */
export function checkRequestExpression(
  text: string,
  results: readonly RequestResult[],
  scope: RequestScope,
  variables?: RequestVariables,
): RequestExpression {
  const library = scope.makesPatch === true ? PATCH_EXPRESSIONS : NEW_EXPRESSIONS;
  const checked = checkKnownExpression(text, visible(scope, variables), library);
  const { type } = checked;
  if (checked.problem !== '' || type === UNKNOWN) return checked;
  const shown = shownType(type);
  if (results.some((one) => one === 'any' || one === shown)) return checked;
  return failed(`${expected(results)}${shown}`);
}

/**
 * The problem of an expression over variables, and its type. One that constructs messages of the
 * library of protocol buffers is checked by the grammar alone, and its type is not known.
 */
export function checkKnownExpression(
  text: string,
  variables: Variables,
  library: Library = NEW_EXPRESSIONS,
): RequestExpression {
  const expression = parseExpression(text, library);
  if (!('op' in expression)) {
    return failed(`compilation failed: ${printProblems([expression], text, 'grammar')}`);
  }
  if (!isKnown(expression)) return { problem: '', type: UNKNOWN, expression };
  const { type, problems, parts } = checkTypes(expression, variables, library);
  if (problems.length === 0) return { problem: '', type, expression, parts };
  return failed(`compilation failed: ${printProblems(problems, text, 'types')}`);
}

function failed(problem: string): RequestExpression {
  return { problem, type: DYN };
}

function visible(
  { hasParams, hasAuthorizer, typed }: RequestScope,
  more?: RequestVariables,
): Variables {
  const object = typed?.object ?? DYN;
  return new Map<string, Type>([
    ['object', object],
    ['oldObject', object],
    ['namespaceObject', NAMESPACE],
    ['request', REQUEST],
    ...(hasParams ? ([['params', typed?.params ?? DYN]] as const) : []),
    ...(hasAuthorizer
      ? ([
          ['authorizer', accessType('Authorizer')],
          // Where types alone are checked the reference does not know it.
          ...(typed === undefined
            ? ([['authorizer.requestResource', accessType('ResourceCheck')]] as const)
            : []),
        ] as const)
      : []),
    ...(more === undefined ? [] : ([['variables', more.type]] as const)),
  ]);
}

function shownType(type: Type): string {
  return type.kind === 'null' ? 'null_type' : printType(type);
}

function expected(results: readonly RequestResult[]): string {
  const [only, ...others] = results;
  return others.length === 0
    ? `must evaluate to ${only} but got `
    : `must evaluate to one of [${results.join(' ')}] but got `;
}

/** Whether it constructs no message of the library of protocol buffers, which is not known here. */
function isKnown(expression: Expression): boolean {
  const all = (...parts: readonly (Expression | undefined)[]): boolean =>
    parts.every((part) => part === undefined || isKnown(part));
  switch (expression.op) {
    case 'message': {
      const values = expression.fields.map(({ value }) => value);
      return !expression.type.startsWith('google.') && all(...values);
    }
    case 'select':
      return all(expression.of);
    case 'call':
      return all(expression.target, ...expression.args);
    case 'list':
      return all(...expression.items);
    case 'map':
      return expression.entries.every(({ key, value }) => all(key, value));
    case 'let':
      return all(expression.value, expression.body);
    case 'loop':
      return all(expression.range, expression.filter, expression.body);
    default:
      return true;
  }
}
