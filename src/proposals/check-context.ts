/**
 * Rules of a kind about what surrounds an object: the namespace that it is in, and what its writer
 * may do besides writing it.
 */
import { appendAll } from '../base/append-all.ts';
import { accessForbidden } from '../auth/access-forbidden.ts';
import type { AccessAttributes, Decision } from '../auth/authorizer.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { NeededRight } from '../resources/write-context.ts';
import { fieldForbidden, type FieldError } from '../semantics/errors/field-error.ts';
import { userOfText } from '../semantics/user.ts';
import type { ResourceType } from '../types/resource-type.ts';
import type { ChangeRequest } from '../protocol/shard-protocol.ts';
import { isPatch } from './admission.ts';
import type { ProposalContext } from './proposal-context.ts';
import type { Steps } from './steps.ts';

interface Written {
  readonly kind: ResourceType;
  readonly object: ApiObject;
  readonly stored: ApiObject | undefined;
}

const NO_LABELS: Readonly<Record<string, string>> = {};

/** Gives the errors of an object that are told before all others. */
export function* contextErrors(
  context: ProposalContext,
  request: ChangeRequest,
  { kind, object, stored }: Written,
): Steps<readonly FieldError[]> {
  const { definition, gates } = kind;
  const { subresource: part, namespace, user: text } = request;
  const errors: FieldError[] = [];
  if (definition.validatePlace !== undefined) {
    const { namespaces } = context;
    if (namespaces?.isCurrent === false) yield namespaces.whenCurrent();
    const labels = namespaces?.get(namespace)?.labels ?? NO_LABELS;
    appendAll(errors, definition.validatePlace(object, stored, { part, labels }));
  }
  if (definition.neededRights === undefined || stored === undefined || text === undefined) {
    return errors;
  }
  const user = userOfText(text);
  const verb = isPatch(request) ? 'patch' : 'update';
  for (const right of definition.neededRights(object, stored, { part, verb, user, gates })) {
    const lack = yield* lackOf(context, request, right, user);
    if (lack !== '') errors.push(fieldForbidden(right.field, `${right.purpose}: ${lack}`));
  }
  return errors;
}

/** Why the user has none of the rights, in the words for the first one; '' where there is one. */
function* lackOf(
  context: ProposalContext,
  { version: index }: ChangeRequest,
  { verbs, subresource, namespace, name }: NeededRight,
  user: AccessAttributes['user'],
): Steps<string> {
  const { resource, version } = context.kind.version(index);
  let first = '';
  for (const verb of verbs) {
    const attributes: AccessAttributes = {
      user,
      verb,
      isResource: true,
      namespace,
      ...resource,
      version,
      subresource,
      name,
      path: '',
    };
    const asked = context.authorizer().authorize(attributes);
    let decision: Decision | undefined;
    if (asked instanceof Promise) yield asked.then((known) => (decision = known));
    else decision = asked;
    const { verdict, reason = '', error = '' } = decision ?? {};
    if (verdict === 'allow') return '';
    const why = [error, reason].filter((part) => part !== '').join(': ');
    first ||= accessForbidden(attributes, why).message;
  }
  return first;
}
