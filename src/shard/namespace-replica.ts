/**
 * What a shard knows of the namespaces, by which creates are judged: a copy that follows them, and
 * is waited for where it lacks a change that was answered (README.md#namespaces).
 */
import type { FollowedType, FollowType, TypeIndex } from '../replicas/follow-type.ts';
import type { ApiObject } from '../resources/kind.ts';
import { namespaceTerminating, notFound } from '../semantics/status.ts';
import type { GroupResource } from '../semantics/status.ts';

const NAMESPACES: GroupResource = { group: '', resource: 'namespaces' };

interface Namespace extends ApiObject {
  readonly status?: { readonly phase?: string };
}

export class NamespaceReplica implements TypeIndex, FollowedType {
  readonly #isTerminating = new Map<string, boolean>();
  readonly #followed: FollowedType;

  constructor(follow: FollowType) {
    this.#followed = follow(NAMESPACES.resource, this);
  }

  get isCurrent(): boolean {
    return this.#followed.isCurrent;
  }

  whenCurrent(): Promise<void> {
    return this.#followed.whenCurrent();
  }

  put({ metadata: { name = '' }, status }: Namespace): void {
    this.#isTerminating.set(name, status?.phase === 'Terminating');
  }

  remove({ metadata: { name = '' } }: ApiObject): void {
    this.#isTerminating.delete(name);
  }

  isTerminating(namespace: string): boolean {
    return this.#isTerminating.get(namespace) === true;
  }

  /**
   * Throws what a create in the namespace is refused with: 404 when it does not exist, 403 with
   * cause NamespaceTerminating when it is being deleted (README.md#namespaces).
   */
  checkCreate(namespace: string, resource: GroupResource, name: string): void {
    const isTerminating = this.#isTerminating.get(namespace);
    if (isTerminating === undefined) throw notFound(NAMESPACES, namespace);
    if (isTerminating) throw namespaceTerminating(resource, name, namespace);
  }
}
