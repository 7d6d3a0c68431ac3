/** Probes and lifecycle handlers of a container (README.md#pods). */
import type { Container, Lifecycle, Probe, ProbeHandler } from '#messages/core.v1';
import {
  addProblems,
  fieldForbidden,
  invalid,
  required,
  type FieldError,
} from '../../../semantics/errors/field-error.ts';
import { httpHeaderName } from '../../../semantics/metadata/names.ts';
import { checkPortNumberOrName } from '../../../semantics/validation/network-validation.ts';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

/** Adds the problems of the probes of the container at the path `field`. */
export function checkProbes(container: Container, field: string, errors: FieldError[]): void {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  if (livenessProbe) checkSingleSuccess(livenessProbe, `${field}.livenessProbe`, errors);
  if (readinessProbe) {
    const at = `${field}.readinessProbe`;
    const { terminationGracePeriodSeconds: seconds } = readinessProbe;
    if (seconds !== undefined) {
      const detail = 'must not be set for readinessProbes';
      errors.push(invalid(`${at}.terminationGracePeriodSeconds`, seconds, detail));
    }
    checkProbe(readinessProbe, at, errors);
  }
  if (startupProbe) checkSingleSuccess(startupProbe, `${field}.startupProbe`, errors);
}

function checkSingleSuccess(probe: Probe, field: string, errors: FieldError[]): void {
  checkProbe(probe, field, errors);
  const { successThreshold = 0 } = probe;
  if (successThreshold === 1) return;
  errors.push(invalid(`${field}.successThreshold`, successThreshold, 'must be 1'));
}

function checkProbe(probe: Probe, field: string, errors: FieldError[]): void {
  checkHandler(probe, field, errors);
  const { terminationGracePeriodSeconds: seconds } = probe;
  if (seconds === undefined || seconds > 0) return;
  const at = `${field}.terminationGracePeriodSeconds`;
  errors.push(invalid(at, seconds, 'must be greater than 0'));
}

/** Adds the problems of the handlers that run when a container starts and ends. */
export function checkLifecycle(
  { postStart, preStop }: Lifecycle,
  field: string,
  errors: FieldError[],
): void {
  if (postStart) checkHandler(postStart, `${field}.postStart`, errors);
  if (preStop) checkHandler(preStop, `${field}.preStop`, errors);
}

/** Exactly one kind of action. */
function checkHandler(handler: ProbeHandler, field: string, errors: FieldError[]): void {
  const [first, ...others] = HANDLERS.filter((member) => handler[member] !== undefined);
  if (first === undefined) errors.push(required(field, 'must specify a handler type'));
  for (const member of others) {
    const detail = 'may not specify more than 1 handler type';
    errors.push(fieldForbidden(`${field}.${member}`, detail));
  }
  if (first === undefined || first === 'exec') return;
  checkPortNumberOrName(handler[first]?.port ?? 0, `${field}.${first}.port`, errors);
  if (first !== 'httpGet') return;
  for (const { name = '' } of handler.httpGet?.httpHeaders ?? []) {
    addProblems(httpHeaderName(name), `${field}.httpGet.httpHeaders`, name, errors);
  }
}
