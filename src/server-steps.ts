/** The steps of a start, which health checks tell of (src/front/README.md#health). */
import type { Config } from './config/config.ts';
import { beginning, controllerSteps } from './controllers/registry.ts';
import { StartSteps } from './front/documents/start-steps.ts';
import { stepsIn } from './release/start-steps.ts';

export const SHARDS_STEPS = [
  'poststarthook/start-shards',
  'poststarthook/start-kube-apiserver-admission-initializer',
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/storage-readiness',
];
export const TYPES_STEP = 'autoregister-completion';
const INFORMER_SYNC = 'informer-sync';
export const FOLLOWED_STEPS = ['poststarthook/generic-apiserver-start-informers', INFORMER_SYNC];

/** All of them, with those of the controllers that run. */
export function startSteps({ controllers, release, featureGates }: Config): StartSteps {
  const ofTypes = beginning(controllers, 'withTypes');
  const others = [...controllers].filter((name) => !ofTypes.includes(name));
  const steps = [
    ...SHARDS_STEPS,
    ...ofTypes.flatMap(controllerSteps),
    TYPES_STEP,
    ...FOLLOWED_STEPS,
    ...others.flatMap(controllerSteps),
  ];
  return new StartSteps(stepsIn(steps, release, featureGates), {
    [INFORMER_SYNC]: ['livez', 'healthz'],
  });
}
