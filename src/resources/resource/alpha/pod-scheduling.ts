/** PodSchedulingContext, and PodScheduling, which it was called first (README.md). */
import type {
  PodSchedulingContext,
  PodSchedulingContextSpec,
  PodSchedulingContextStatus,
} from '#messages/resource.v1alpha2';
import type { PodScheduling } from '#messages/resource.v1alpha1';
import { addProblems, duplicate, type FieldError } from '../../../semantics/errors/field-error.ts';
import { dnsSubdomain } from '../../../semantics/metadata/names.ts';
import { defineKind, type BuiltInKind } from '../../kind.ts';
import { AGE, NAME } from '../../printer-cells.ts';
import { definePrinter, text } from '../../printer.ts';
import { RESOURCE_GROUP, releasedVersions } from '../released-versions.ts';
import { notLonger } from './named-resources.ts';

const NODES_MAX = 128;

type Names = Pick<BuiltInKind, 'version' | 'kind' | 'plural' | 'message' | 'otherVersions'>;

function podScheduling(names: Names): BuiltInKind {
  return defineKind<PodSchedulingContext | PodScheduling>({
    group: RESOURCE_GROUP,
    ...names,
    namespaced: true,
    nameRule: 'dnsSubdomain',
    statusSubresource: { metadataWritable: false },
    putCreates: false,
    unconditionalUpdate: true,
    deleteReturns: 'object',
    checksFinalizerNames: true,
    printer: definePrinter([
      NAME,
      text('SelectedNode', 'The node that claims are allocated for.', 'spec.selectedNode'),
      AGE,
    ]),

    validate({ spec = {} }, _stored, { part }) {
      return part === 'status' ? [] : nodeErrors(spec);
    },

    validateStatusUpdate: ({ status = {} }) => claimErrors(status),
  });
}

export const POD_SCHEDULING_CONTEXT = podScheduling({
  version: 'v1alpha2',
  kind: 'PodSchedulingContext',
  plural: 'podschedulingcontexts',
  message: 'resource.v1alpha2.PodSchedulingContext',
  otherVersions: releasedVersions('PodSchedulingContext', [{ version: 'v1alpha3' }]),
});

export const POD_SCHEDULING = podScheduling({
  version: 'v1alpha1',
  kind: 'PodScheduling',
  plural: 'podschedulings',
  message: 'resource.v1alpha1.PodScheduling',
});

function nodeErrors({ potentialNodes = [] }: PodSchedulingContextSpec): FieldError[] {
  const errors: FieldError[] = [];
  checkNodes(potentialNodes, 'spec.potentialNodes', errors);
  return errors;
}

function claimErrors({ resourceClaims = [] }: PodSchedulingContextStatus): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  resourceClaims.forEach(({ name = '', unsuitableNodes = [] }, index) => {
    // The reference calls the list so.
    const field = `status.claims[${index}]`;
    checkNodes(unsuitableNodes, `${field}.unsuitableNodes`, errors);
    if (seen.has(name)) errors.push(duplicate(field, name));
    seen.add(name);
  });
  return errors;
}

function checkNodes(nodes: readonly string[], field: string, errors: FieldError[]): void {
  nodes.forEach((node, index) => {
    const at = `${field}[${index}]`;
    if (nodes.indexOf(node) < index) errors.push(duplicate(at, node));
    else addProblems(dnsSubdomain(node), at, node, errors);
  });
  if (nodes.length > NODES_MAX) errors.push(notLonger(field, NODES_MAX));
}
