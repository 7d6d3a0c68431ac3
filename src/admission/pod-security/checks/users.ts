/** Checks of the users as whom the containers of a pod run. */
import { containersThat, named, sayers, type CheckedPod, type Violation } from '../pod-check.ts';

export function runAsNonRoot(pod: CheckedPod): Violation | undefined {
  const reason = 'runAsNonRoot != true';
  const said = pod.spec?.securityContext?.runAsNonRoot;
  const denying = containersThat(pod, (context) => context.runAsNonRoot === false);
  const who = sayers(said === false, denying);
  if (who !== '') {
    return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  }
  if (said === true) return undefined;
  const silent = containersThat(pod, (context) => context.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  const rule = 'must set securityContext.runAsNonRoot=true';
  return { reason, detail: `pod or ${named('container', silent)} ${rule}` };
}

export function runAsUser(pod: CheckedPod): Violation | undefined {
  const containers = containersThat(pod, (context) => isRoot(context.runAsUser));
  const who = sayers(isRoot(pod.spec?.securityContext?.runAsUser), containers);
  if (who === '') return undefined;
  return { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` };
}

function isRoot(user: number | bigint | undefined): boolean {
  return user === 0 || user === 0n;
}
