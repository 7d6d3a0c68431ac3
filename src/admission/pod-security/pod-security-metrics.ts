/** Metrics of the decisions of PodSecurity (../../observability/README.md#metrics). */
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';
import type { ProposedWrite } from '../proposal.ts';
import { isLaterThanKnown } from './checks.ts';
import { LATEST, type Mode, type Standard } from './levels.ts';

/** Privileged is the same in all versions. */
export function countEvaluation(
  write: ProposedWrite,
  decision: 'allow' | 'deny',
  mode: Mode,
  { level, version }: Standard,
): void {
  const known = isLaterThanKnown(version) ? 'future' : version;
  THREAD_SERIES.cell('pod_security_evaluations_total', {
    ...labelsOf(write),
    decision,
    mode,
    policy_level: level,
    policy_version: level === 'privileged' ? LATEST : known,
  }).add();
}

export function countExemption(write: ProposedWrite): void {
  THREAD_SERIES.cell('pod_security_exemptions_total', labelsOf(write)).add();
}

/** A fatal one keeps the write from being evaluated. */
export function countError(write: ProposedWrite, isFatal: boolean): void {
  const fatal = String(isFatal);
  THREAD_SERIES.cell('pod_security_errors_total', { ...labelsOf(write), fatal }).add();
}

function labelsOf({ operation, group, resource, subresource }: ProposedWrite) {
  return {
    request_operation: operation.toLowerCase(),
    resource: group === '' && resource === 'pods' ? 'pod' : otherThanPod(group, resource),
    subresource,
  };
}

function otherThanPod(group: string, resource: string): string {
  return group === '' && resource === 'namespaces' ? 'namespace' : 'controller';
}
