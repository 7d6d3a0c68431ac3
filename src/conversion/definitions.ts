/**
 * Custom resource definitions before v1: all versions shared members that now each has of its own,
 * and unknown members of objects were kept unless told otherwise.
 */
import { deepEqual } from '../base/deep-equal.ts';
import { apiApproval, isProtectedGroup } from '../resources/apiextensions/api-approval.ts';
import { structuralErrors } from '../resources/apiextensions/structural-schema.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { RemovedVersion, Report } from './manifest-version.ts';
import { isMembers, itemsAt, objectAt, rename, type Members } from './members.ts';

const PRESERVES = 'x-kubernetes-preserve-unknown-fields';

/** Members that all versions share before v1, with their names in each version. */
const SHARED = [
  ['validation', 'schema'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
] as const;

function toStored(object: ApiObject, report: Report): ApiObject {
  const spec = objectAt(object, 'spec');
  if (spec === undefined) return object;
  versionsToStored(spec);
  webhookToStored(spec);
  reportApproval(object, String(spec['group']), report);
  const preserves = spec['preserveUnknownFields'] !== false;
  delete spec['preserveUnknownFields'];
  for (const [version, place] of itemsAt(object, 'spec', 'versions')) {
    for (const [column] of itemsAt(version, 'additionalPrinterColumns')) {
      rename(column, 'JSONPath', 'jsonPath');
    }
    settleSchema(version, `${place}.schema.openAPIV3Schema`, preserves, report);
  }
  return object;
}

/** Definitions before v1 needed none. */
function reportApproval({ metadata }: ApiObject, group: string, report: Report): void {
  const { state, message } = apiApproval(metadata.annotations);
  const isApproved = state === 'approved' || state === 'bypassed';
  if (isProtectedGroup(group) && !isApproved) report('metadata.annotations:', message);
}

function versionsToStored(spec: Members): void {
  const { version } = spec;
  const versions = spec['versions'] ?? [];
  if (version !== undefined && Array.isArray(versions) && versions.length === 0) {
    spec['versions'] = [{ name: version, served: true, storage: true }];
  }
  delete spec['version'];
  for (const [before, now] of SHARED) {
    const shared = spec[before];
    delete spec[before];
    if (shared === undefined) continue;
    for (const [item] of itemsAt(spec, 'versions')) item[now] ??= structuredClone(shared);
  }
}

function webhookToStored(spec: Members): void {
  const conversion = objectAt(spec, 'conversion');
  if (conversion === undefined) return;
  const { webhookClientConfig: clientConfig, conversionReviewVersions: reviews } = conversion;
  delete conversion['webhookClientConfig'];
  delete conversion['conversionReviewVersions'];
  if (conversion['strategy'] !== 'Webhook') return;
  conversion['webhook'] = {
    ...(clientConfig === undefined ? {} : { clientConfig }),
    conversionReviewVersions: reviews ?? ['v1beta1'],
  };
}

/** A schema is required; where all was kept, it says so itself, in each object. */
function settleSchema(version: Members, place: string, preserves: boolean, report: Report): void {
  const schema = objectAt(version, 'schema', 'openAPIV3Schema');
  if (schema === undefined) {
    if (preserves) {
      version['schema'] = { openAPIV3Schema: { type: 'object', [PRESERVES]: true } };
    } else report(place, 'is required');
    return;
  }
  if (preserves) {
    schema['type'] ??= 'object';
    preserveUnknown(schema);
  }
  for (const { field, message } of structuralErrors(schema, place)) report(field, message);
}

/** Marks every object that the schema leaves open, so that none of its members is dropped. */
function preserveUnknown(schema: Members): void {
  const isObject = schema['type'] === 'object' || isMembers(schema['properties']);
  if (isObject && schema['additionalProperties'] === undefined) schema[PRESERVES] = true;
  const { items, properties, additionalProperties } = schema;
  const below = isMembers(properties) ? Object.values(properties) : [];
  for (const each of [items, additionalProperties, ...below]) {
    if (isMembers(each)) preserveUnknown(each);
  }
}

function fromStored(object: ApiObject): ApiObject {
  const spec = objectAt(object, 'spec');
  if (spec === undefined) return object;
  const versions = itemsAt(object, 'spec', 'versions').map(([version]) => version);
  for (const version of versions) {
    for (const [column] of itemsAt(version, 'additionalPrinterColumns')) {
      rename(column, 'jsonPath', 'JSONPath');
    }
  }
  const [first] = versions;
  if (first !== undefined) spec['version'] = first['name'];
  for (const [before, now] of SHARED) {
    const shared = first?.[now];
    // A part that differs, or that only some versions have, stays with each version.
    if (shared === undefined || !versions.every((one) => deepEqual(one[now], shared))) continue;
    spec[before] = shared;
    for (const version of versions) delete version[now];
  }
  webhookFromStored(spec);
  spec['preserveUnknownFields'] ??= false;
  return object;
}

function webhookFromStored(spec: Members): void {
  const conversion = objectAt(spec, 'conversion');
  const webhook = objectAt(spec, 'conversion', 'webhook');
  if (conversion === undefined || webhook === undefined) return;
  delete conversion['webhook'];
  const { clientConfig, conversionReviewVersions } = webhook;
  if (clientConfig !== undefined) conversion['webhookClientConfig'] = clientConfig;
  if (conversionReviewVersions !== undefined) {
    conversion['conversionReviewVersions'] = conversionReviewVersions;
  }
}

export const REMOVED_DEFINITIONS: readonly RemovedVersion[] = [
  {
    kinds: ['CustomResourceDefinition'],
    groupVersion: 'apiextensions.cluster.io/v1beta1',
    removedIn: '1.22',
    replacement: 'apiextensions.cluster.io/v1',
    defaults: [{ path: 'spec.scope', here: 'Namespaced', stored: undefined }],
    toStored,
    fromStored,
  },
];
