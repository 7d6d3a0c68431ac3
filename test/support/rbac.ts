/** Roles and bindings for tests of who may do what: an authorizer that knows them, and requests. */
import type { PolicyRule, RoleRef, Subject } from '#messages/rbac.v1';
import type { AccessAttributes } from '../../src/auth/authorizer.ts';
import type { FollowType, TypeIndex } from '../../src/replicas/follow-type.ts';
import { RbacAuthorizer } from '../../src/auth/rbac/rbac-authorizer.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import type { User } from '../../src/semantics/user.ts';

export type RbacType = 'roles' | 'clusterroles' | 'rolebindings' | 'clusterrolebindings';

export interface TestRole {
  readonly namespace?: string;
  readonly name: string;
  readonly rules?: readonly PolicyRule[];
}

export interface TestBinding {
  readonly namespace?: string;
  readonly name: string;
  readonly subjects?: readonly Subject[];
  readonly roleRef: RoleRef;
}

/** Types that are followed by hand. */
export class HandFed {
  readonly #indexes = new Map<string, TypeIndex>();
  #behind: Promise<void> | undefined;
  #catchUp: () => void = () => undefined;

  readonly follow: FollowType = (resource, index) => {
    this.#indexes.set(resource.split('.')[0] ?? '', index);
    const isBehind = (): boolean => this.#behind !== undefined;
    return {
      get isCurrent() {
        return !isBehind();
      },
      whenCurrent: () => this.#behind ?? Promise.resolve(),
    };
  };

  put(type: string, { namespace, name, ...rest }: TestRole | TestBinding): void {
    this.putObject(type, objectOf(namespace, name, rest));
  }

  putObject(type: string, object: ApiObject): void {
    this.#index(type).put(object);
  }

  isFollowed(type: string): boolean {
    return this.#indexes.has(type);
  }

  remove(type: string, namespace: string, name: string): void {
    this.#index(type).remove(objectOf(namespace, name, {}));
  }

  /** Something was answered that the indexes do not know yet. */
  fallBehind(): void {
    this.#behind = new Promise((resolve) => (this.#catchUp = resolve));
  }

  catchUp(): void {
    this.#behind = undefined;
    this.#catchUp();
  }

  #index(type: string): TypeIndex {
    const index = this.#indexes.get(type);
    if (index === undefined) throw new Error(`nobody follows ${type}`);
    return index;
  }
}

function objectOf(namespace: string | undefined, name: string, rest: object): ApiObject {
  return { metadata: { name, ...(namespace !== undefined && { namespace }) }, ...rest };
}

export type RbacObjects = Partial<Record<RbacType, readonly (TestRole | TestBinding)[]>>;

export function rbacOf(objects: RbacObjects): { rbac: RbacAuthorizer; fed: HandFed } {
  const fed = new HandFed();
  const rbac = new RbacAuthorizer(fed.follow);
  for (const [type, list] of Object.entries(objects)) for (const one of list) fed.put(type, one);
  return { rbac, fed };
}

export function person(name: string, ...groups: string[]): User {
  return { name, uid: '', groups };
}

/** `get - pods/log`, `list apps deployments`: `-` is the core group. */
export function access(
  user: User,
  text: string,
  {
    name = '',
    namespace = 'ns',
    ...more
  }: Partial<Pick<AccessAttributes, 'name' | 'namespace' | 'fieldSelector'>> = {},
): AccessAttributes {
  const [verb = '', group = '', path = ''] = text.split(' ');
  const [resource = '', subresource = ''] = path.split('/');
  return {
    user,
    verb,
    isResource: true,
    namespace,
    group: group === '-' ? '' : group,
    version: 'v1',
    resource,
    subresource,
    name,
    path: '',
    ...more,
  };
}

export function pathAccess(user: User, verb: string, path: string): AccessAttributes {
  return { ...access(user, '', { namespace: '' }), isResource: false, verb, path };
}
