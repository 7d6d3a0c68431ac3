/** The messages to users who may not do what they ask (src/auth/rbac/README.md). */
import type { AccessAttributes } from './authorizer.ts';
import { quoteText } from '../codec/json/strict-quote.ts';
import { escapeHtml } from '../base/text/escape-html.ts';
import { forbidden } from '../semantics/errors/status.ts';
import type { StatusError } from '../semantics/errors/status.ts';

/** `reason` is why, '' where nobody says. */
export function accessForbidden(attributes: AccessAttributes, reason: string): StatusError {
  const { group, resource, name } = attributes;
  const why = escapeHtml(deniedText(attributes));
  return forbidden({ group, resource }, name, reason === '' ? why : `${why}: ${reason}`);
}

function deniedText(attributes: AccessAttributes): string {
  const { user, verb, isResource, group, resource, subresource, namespace, path } = attributes;
  const who = `User ${quoteText(user.name)} cannot ${verb}`;
  if (!isResource) return `${who} path ${quoteText(path)}`;
  const what = quoteText(subresource === '' ? resource : `${resource}/${subresource}`);
  const where =
    namespace === '' ? 'at the cluster scope' : `in the namespace ${quoteText(namespace)}`;
  return `${who} resource ${what} in API group ${quoteText(group)} ${where}`;
}
