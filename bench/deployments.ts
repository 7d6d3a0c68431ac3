/** Deployments that three managers own: two appliers, and a controller with their status. */
import { inParallel } from '../test/support/many-kinds.ts';
import { expectEqual } from './bench.ts';
import type { BenchTarget } from './bench-target.ts';
import { COUNTER_DIGITS, NAME_MARK, OBJECT_TEXTS } from './object-texts.ts';
import {
  APPLIER,
  applyDeployment,
  applyReplicas,
  AUTOSCALER,
  CONTROLLER,
  DEPLOYMENT_STATUS,
  FIRST_CONTENT,
  SCALED_REPLICAS,
} from './patch-texts.ts';

const FILL_IN_FLIGHT = 16;

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
}

export interface Item {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly Entry[];
  };
}

export interface Deployment extends Item {
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly Container[] } };
  };
}

interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

/** Makes so many, each as its managers in turn leave it. */
export async function fillDeployments(
  bench: BenchTarget,
  count: number,
  namespace: string,
): Promise<void> {
  await inParallel(count, FILL_IN_FLIGHT, (number) => fillDeployment(bench, number, namespace));
}

/** One Deployment, as each of its managers in turn leaves it. */
async function fillDeployment(
  bench: BenchTarget,
  number: number,
  namespace: string,
): Promise<void> {
  const { collection, name } = OBJECT_TEXTS.deployment;
  const path = `${collection(namespace)}/${name}`;
  const steps = [
    [201, applyDeployment(FIRST_CONTENT)],
    [200, applyReplicas(FIRST_CONTENT)],
    [200, DEPLOYMENT_STATUS],
  ] as const;
  const digits = String(number).padStart(COUNTER_DIGITS, '0');
  const named = (text: string): string => text.replaceAll(NAME_MARK, digits);
  for (const [status, { contentType, target, body }] of steps) {
    const headers = { 'content-type': contentType };
    const request = { method: 'PATCH', headers, body: named(body) };
    await bench.expectStatus(status, named(path + target), request);
  }
}

/** Throws unless all three managers, and no others, have their fields. */
export function checkDeploymentOwners({ metadata, spec }: Deployment): void {
  const owners = (metadata.managedFields ?? []).map(
    ({ manager, operation, subresource = '' }) => `${manager} ${operation} ${subresource}`,
  );
  const expected = [`${APPLIER} Apply `, `${AUTOSCALER} Apply `, `${CONTROLLER} Update status`];
  if (owners.sort().join() !== expected.sort().join()) {
    throw new Error(`${metadata.name} is owned by ${owners.join()}`);
  }
  expectEqual(spec.replicas, SCALED_REPLICAS, `replicas of ${metadata.name}`);
}
