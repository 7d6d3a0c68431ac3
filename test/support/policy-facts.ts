/** The roles and bindings of a start as facts that can be compared: one line for each object. */
import { createHash } from 'node:crypto';
import type { PolicyObject } from '../../src/auth/bootstrap-policy/bootstrap-policy.ts';

/** An object of the policy as documents have it. */
export interface PolicyDocument {
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly rules?: unknown;
  readonly subjects?: unknown;
  readonly roleRef?: unknown;
  readonly aggregationRule?: unknown;
}

/** By kind, namespace and name, with all that counts; rules stay in their order. */
export function policyFacts(objects: readonly PolicyDocument[]): ReadonlyMap<string, string> {
  const lines = objects.map(({ kind, metadata, ...content }) => {
    const { name, namespace = '', ...others } = metadata;
    const { rules, subjects, roleRef, aggregationRule } = content;
    const facts = {
      ...others,
      creationTimestamp: undefined,
      rules: rules ?? undefined,
      subjects: subjects ?? undefined,
      roleRef,
      aggregationRule,
    };
    return [`${kind} ${namespace}/${name}`, canonicalJson(facts)] as const;
  });
  return new Map(lines.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Gives the objects that the server makes as documents. */
export function asDocuments(policy: readonly PolicyObject[]): readonly PolicyDocument[] {
  return policy.map(({ resource, wanted }) => {
    const kind = KINDS.find((one) => resource.startsWith(`${one.toLowerCase()}s.`)) ?? '';
    return { kind, ...wanted } as PolicyDocument;
  });
}

const KINDS = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'];

/** Members in the order of their names. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Twelve digits that differ where a fact does. */
export function policyDigest(facts: ReadonlyMap<string, string>): string {
  const text = JSON.stringify([...facts]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
