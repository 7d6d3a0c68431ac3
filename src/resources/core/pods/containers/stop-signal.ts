/** The signal that stops a container. */
import type { PodOS } from '#messages/core.v1';
import {
  fieldForbidden,
  notSupported,
  type FieldError,
} from '../../../../semantics/errors/field-error.ts';

const numbered = (start: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${start}${index + 1}`);

const NAMED = [
  'SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL',
  'SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTOP SIGSYS',
  'SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU',
  'SIGXFSZ',
];
const LINUX = [
  ...NAMED.flatMap((names) => names.split(' ')),
  ...numbered('SIGRTMIN+', 15),
  ...numbered('SIGRTMAX-', 14),
].sort();
const WINDOWS = ['SIGKILL', 'SIGTERM'];

/** Which there are depends on the operating system, which the pod must name. */
export function checkStopSignal(
  signal: string,
  os: PodOS | undefined,
  field: string,
  errors: FieldError[],
): void {
  if (os === undefined) {
    const detail = 'may not be set for containers with empty `spec.os.name`';
    errors.push(fieldForbidden(field, detail));
    return;
  }
  const known = os.name === 'windows' ? WINDOWS : os.name === 'linux' ? LINUX : [signal];
  if (!known.includes(signal)) errors.push(notSupported(field, signal, known));
}
