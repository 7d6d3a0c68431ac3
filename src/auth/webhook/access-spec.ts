/** Writes what is asked for as the spec of a SubjectAccessReview. */
import { fieldTerms, labelRequirements } from '../asked-selectors.ts';
import type { AccessAttributes } from '../authorizer.ts';

/** With members for all that is told, empty ones too, as conditions see it. */
export function accessSpec(asked: AccessAttributes, tellsSelectors: boolean): object {
  const { user, verb, namespace, group, version, resource, subresource, name, path } = asked;
  const attributes = { namespace, verb, group, version, resource, subresource, name };
  const selectors = tellsSelectors && asked.isResource ? selectorsOf(asked) : {};
  return {
    user: user.name,
    groups: user.groups,
    uid: user.uid,
    extra: user.extra ?? {},
    ...(asked.isResource
      ? { resourceAttributes: { ...attributes, ...selectors } }
      : { nonResourceAttributes: { path, verb } }),
  };
}

/** Without what says nothing, as it is sent; the older version has another name for the groups. */
export function sentSpec(
  of: AccessAttributes,
  version: 'v1' | 'v1beta1',
  tellsSelectors: boolean,
): object {
  const { user, ...asked } = of;
  const { verb, namespace, group, version: its, resource, subresource, name, path } = asked;
  const attributes = { namespace, verb, group, version: its, resource, subresource, name };
  const groups = user.groups.length === 0 ? undefined : user.groups;
  return {
    ...(asked.isResource
      ? { resourceAttributes: { ...told(attributes), ...(tellsSelectors && selectorsOf(of)) } }
      : { nonResourceAttributes: told({ path, verb }) }),
    ...told({ user: user.name }),
    ...(version === 'v1' ? { groups } : { group: groups }),
    ...(user.extra !== undefined && { extra: user.extra }),
    ...told({ uid: user.uid }),
  };
}

/** Conditions on numbers are left out: what is asked about then is more than what is wanted. */
function selectorsOf(asked: AccessAttributes): object {
  const fields = fieldTerms(asked).map(({ field: key, operator, value }) => {
    return { key, operator: operator === '=' ? 'In' : 'NotIn', values: [value] };
  });
  const labels = labelRequirements(asked)
    .filter(({ operator }) => operator !== 'GreaterThan' && operator !== 'LessThan')
    .map(({ key, operator, values }) => ({ key, operator, ...(values.length > 0 && { values }) }));
  return {
    ...(fields.length > 0 && { fieldSelector: { requirements: fields } }),
    ...(labels.length > 0 && { labelSelector: { requirements: labels } }),
  };
}

function told(members: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));
}
