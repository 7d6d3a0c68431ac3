/**
 * The namespaces that a thread knows, by which creates are judged and plugins choose: a copy that
 * follows them, and is waited for where it lacks a change that was answered
 * (src/shard/README.md#namespaces).
 */
import type { Namespace } from '#messages/core.v1';
import type { FollowedType, FollowType, TypeIndex } from '../replicas/follow-type.ts';
import type { ApiObject } from '../resources/kind.ts';
import { namespaceTerminating, notFound } from '../semantics/errors/status.ts';
import type { GroupResource } from '../semantics/errors/status.ts';

const NAMESPACES: GroupResource = { group: '', resource: 'namespaces' };
const NONE: Readonly<Record<string, string>> = Object.freeze({});

export interface KnownNamespace {
  readonly isTerminating: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export class NamespaceReplica implements TypeIndex, FollowedType {
  readonly #known = new Map<string, KnownNamespace>();
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

  put({ metadata, status }: Namespace): void {
    const { name = '', labels = NONE, annotations = NONE } = metadata;
    const isTerminating = status?.phase === 'Terminating';
    this.#known.set(name, { isTerminating, labels, annotations });
  }

  remove({ metadata: { name = '' } }: ApiObject): void {
    this.#known.delete(name);
  }

  /** Undefined when there is none of this name. */
  get(namespace: string): KnownNamespace | undefined {
    return this.#known.get(namespace);
  }

  isTerminating(namespace: string): boolean {
    return this.#known.get(namespace)?.isTerminating === true;
  }

  /**
   * Throws what a create in the namespace is refused with: 404 when it does not exist, 403 with
   * cause NamespaceTerminating when it is being deleted (src/shard/README.md#namespaces).
   */
  checkCreate(namespace: string, resource: GroupResource, name: string): void {
    const known = this.#known.get(namespace);
    if (known === undefined) throw notFound(NAMESPACES, namespace);
    if (known.isTerminating) throw namespaceTerminating(resource, name, namespace);
  }
}
