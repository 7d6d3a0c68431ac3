/**
 * Headers by which a user asks to act as somebody else. Nobody may do that here yet: such a request
 * is refused like one whose user lacks the right, and is never served as its real user.
 */
import { ownGroup } from '../semantics/dialect/own-names.ts';
import type { User } from '../semantics/user.ts';
import { forbidden } from '../semantics/status.ts';
import type { GroupResource } from '../semantics/status.ts';
import type { HeaderLine } from './http.ts';

const AUTHENTICATION = ownGroup('authentication.cluster.io');
const EXTRA_PREFIX = 'impersonate-extra-';
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** Whom or what a header asks for, as a resource that one may have the right to impersonate. */
interface Impersonated extends GroupResource {
  readonly name: string;
  readonly namespace?: string;
  readonly subresource?: string;
}

/** Throws StatusError 403 when one of the headers asks for something. */
export function refuseImpersonation(headers: readonly HeaderLine[], user: User): void {
  const asked = headers.flatMap((header) => impersonatedBy(header) ?? []);
  // The one that the reference looks at first.
  const [first] = asked.sort((a, b) => ORDER.indexOf(a.resource) - ORDER.indexOf(b.resource));
  if (first === undefined) return;
  const { group, resource, name, namespace, subresource } = first;
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  const where =
    namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const why =
    `User "${user.name}" cannot impersonate resource "${what}" in API group "${group}" ${where}: ` +
    'impersonation is not served';
  throw forbidden({ group, resource }, name, why);
}

const ORDER = ['serviceaccounts', 'users', 'groups', 'userextras', 'uids'];

function impersonatedBy({ name: header, value }: HeaderLine): Impersonated | undefined {
  switch (header) {
    case 'impersonate-user': {
      if (value === '') return undefined;
      const [, namespace, name] = SERVICE_ACCOUNT.exec(value) ?? [];
      return namespace === undefined || name === undefined
        ? { group: '', resource: 'users', name: value }
        : { group: '', resource: 'serviceaccounts', name, namespace };
    }
    case 'impersonate-group':
      return { group: '', resource: 'groups', name: value };
    case 'impersonate-uid':
      return value === '' ? undefined : { group: AUTHENTICATION, resource: 'uids', name: value };
    default: {
      if (!header.startsWith(EXTRA_PREFIX)) return undefined;
      const subresource = header.slice(EXTRA_PREFIX.length);
      return { group: AUTHENTICATION, resource: 'userextras', name: value, subresource };
    }
  }
}
