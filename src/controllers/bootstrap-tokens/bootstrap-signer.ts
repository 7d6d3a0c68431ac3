/** Signs `cluster-info` with each bootstrap token (src/controllers/README.md#bootstrap-tokens). */
import type { ConfigMap } from '#messages/core.v1';
import { deepEqual } from '../../base/deep-equal.ts';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { ownNamespace } from '../../semantics/dialect/own-names.ts';
import { controllerAccount } from '../controller-account.ts';
import { Informer, keyOf } from '../informer.ts';
import { portOf, runController } from '../run-controller.ts';
import type { Ports } from '../run-controller.ts';
import { WorkQueue } from '../work-queue.ts';
import { BOOTSTRAP_TOKENS, signingToken } from './bootstrap-token.ts';
import type { BootstrapToken } from './bootstrap-token.ts';
import { signedData } from './signature.ts';

const CONFIG_MAPS = 'configmaps';
const SECRETS = 'secrets';
const SIGNED = { namespace: ownNamespace('cluster-public'), name: 'cluster-info' };

export interface BootstrapSignerOptions {
  readonly nowMs: () => number;
  readonly logError: (text: string) => void;
}

/** Resolves when it was told to stop. */
export async function signClusterInfo(
  ports: Ports,
  { nowMs, logError }: BootstrapSignerOptions,
): Promise<void> {
  const look = (): void => queue.add(keyOf(SIGNED));
  const tokens = new Informer<BootstrapToken | undefined>({
    resource: SECRETS,
    port: portOf(ports, SECRETS),
    followed: BOOTSTRAP_TOKENS,
    keep: signingToken,
    onChange: look,
  });
  const signed = new Informer<ConfigMap>({
    resource: CONFIG_MAPS,
    port: portOf(ports, CONFIG_MAPS),
    writer: controllerAccount('bootstrap-signer'),
    followed: {
      fieldSelector: `metadata.name=${SIGNED.name},metadata.namespace=${SIGNED.namespace}`,
    },
    keep: (object) => object,
    onChange: look,
  });
  const queue = new WorkQueue({
    name: 'bootstrap_signer_queue',
    work: async () => {
      const info = signed.get(SIGNED);
      if (info === undefined) return;
      const valid = [...tokens.values()].flatMap((token) => {
        const isValid = token !== undefined && (token.endMs ?? Number.MAX_VALUE) > nowMs();
        return isValid ? token : [];
      });
      const data = signedData(info.data ?? {}, valid);
      if (data === undefined || deepEqual(data, info.data)) return;
      await signed.client.update(SIGNED, { ...info, data });
    },
    timers: SYSTEM_TIMERS,
    logError,
  });
  // Signed when all tokens are known: those that are not yet would lose their signatures.
  await tokens.start();
  await signed.start();
  await runController(ports, { begin: () => undefined, stop: () => queue.stop() });
  tokens.close();
  signed.close();
}
