/** Probes and lifecycle handlers of a container. */
import type {
  Container,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  Probe,
  ProbeHandler,
} from '#messages/core.v1';
import {
  addProblems,
  fieldForbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../../../semantics/errors/field-error.ts';
import { httpHeaderName } from '../../../../semantics/metadata/names.ts';
import { ownRelease } from '../../../../release/release.ts';
import { checkPortNumberOrName } from '../../../../semantics/validation/network-validation.ts';
import type { ContainerRules } from './container-rules.ts';
import { checkStopSignal } from './stop-signal.ts';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;
const GRPC_MODES = ['Plaintext', 'TLS'];
const HTTP_PROTOCOLS = ['HTTP1', 'HTTP2'];

type Handler = ProbeHandler & LifecycleHandler;

/** Adds the problems of the probes of the container at the path `field`. */
export function checkProbes(
  container: Container,
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  if (livenessProbe) checkSingleSuccess(livenessProbe, rules, `${field}.livenessProbe`, errors);
  if (readinessProbe) {
    const at = `${field}.readinessProbe`;
    const { terminationGracePeriodSeconds: seconds } = readinessProbe;
    if (seconds !== undefined) {
      const detail = 'must not be set for readinessProbes';
      errors.push(invalid(`${at}.terminationGracePeriodSeconds`, seconds, detail));
    }
    checkProbe(readinessProbe, rules, at, errors);
  }
  if (startupProbe) checkSingleSuccess(startupProbe, rules, `${field}.startupProbe`, errors);
}

function checkSingleSuccess(
  probe: Probe,
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  checkProbe(probe, rules, field, errors);
  const { successThreshold = 0 } = probe;
  if (successThreshold === 1) return;
  errors.push(invalid(`${field}.successThreshold`, successThreshold, 'must be 1'));
}

function checkProbe(
  probe: Probe,
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  checkHandler(probe, rules, field, errors);
  const { terminationGracePeriodSeconds: seconds } = probe;
  if (seconds === undefined || seconds > 0) return;
  const at = `${field}.terminationGracePeriodSeconds`;
  errors.push(invalid(at, seconds, 'must be greater than 0'));
}

/** Adds the problems of the handlers that run when a container starts and ends. */
export function checkLifecycle(
  { postStart, preStop, stopSignal }: Lifecycle,
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  if (postStart) checkHandler(postStart, rules, `${field}.postStart`, errors);
  if (preStop) checkHandler(preStop, rules, `${field}.preStop`, errors);
  if (stopSignal === undefined) return;
  checkStopSignal(stopSignal, rules.spec.os, `${field}.stopSignal`, errors);
}

/** Exactly one kind of action. */
function checkHandler(
  handler: Handler,
  rules: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  const [first, ...others] = HANDLERS.filter((member) => handler[member] !== undefined);
  if (first === undefined) errors.push(required(field, 'must specify a handler type'));
  for (const member of others) {
    const detail = 'may not specify more than 1 handler type';
    errors.push(fieldForbidden(`${field}.${member}`, detail));
  }
  if (first === undefined || first === 'exec') return;
  if (first === 'sleep') {
    checkSleep(Number(handler.sleep?.seconds ?? 0), rules, `${field}.sleep`, errors);
    return;
  }
  checkPortNumberOrName(handler[first]?.port ?? 0, `${field}.${first}.port`, errors);
  if (first === 'httpGet') checkHttp(handler.httpGet ?? {}, `${field}.httpGet`, errors);
  const mode = first === 'grpc' ? handler.grpc?.mode : undefined;
  if (mode === undefined || GRPC_MODES.includes(mode)) return;
  errors.push(notSupported(`${field}.grpc.mode`, mode, GRPC_MODES));
}

function checkHttp(
  { httpHeaders = [], protocol, scheme, host = '' }: HTTPGetAction,
  field: string,
  errors: FieldError[],
): void {
  for (const { name = '' } of httpHeaders) {
    addProblems(httpHeaderName(name), `${field}.httpHeaders`, name, errors);
  }
  if (protocol === undefined) return;
  const at = `${field}.protocol`;
  if (!HTTP_PROTOCOLS.includes(protocol)) {
    errors.push(notSupported(at, protocol, HTTP_PROTOCOLS));
  } else if (protocol === 'HTTP2' && scheme !== 'HTTP') {
    errors.push(invalid(at, protocol, 'is only supported with HTTP (H2C)'));
  } else if (protocol === 'HTTP2' && host !== '') {
    const detail = 'must be empty when `protocol` is "HTTP2"';
    errors.push(invalid(`${field}.host`, host, detail));
  }
}

/** No longer than the pod has to end. */
function checkSleep(
  seconds: number,
  { spec, gates }: ContainerRules,
  field: string,
  errors: FieldError[],
): void {
  const most = Number(spec.terminationGracePeriodSeconds ?? 0);
  const allowsNone = gates.has('PodLifecycleSleepActionAllowZero');
  if (seconds <= most && (seconds > 0 || (allowsNone && seconds === 0))) return;
  const rest = `less than terminationGracePeriodSeconds (${most})`;
  const hint = ownRelease().has('sleepsOfNoTime')
    ? '. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.'
    : '';
  const detail = allowsNone
    ? `must be non-negative and ${rest}`
    : `must be greater than 0 and ${rest}${hint}`;
  errors.push(invalid(field, seconds, detail));
}
