/**
 * Flags of the reference's API server, of this release and those before it, that this server does
 * not have. All others that it has are those of `FLAGS`, or do nothing that there is here.
 */
import type { FlagName } from './flags.ts';

export interface Counterpart {
  /** The flags that do the same here. */
  readonly use: readonly FlagName[];
  /** It takes the same values. */
  readonly isRenamed?: true;
}

export const COUNTERPARTS: ReadonlyMap<string, Counterpart> = new Map(
  Object.entries({
    address: { use: ['bind-address'] },
    'admission-control': { use: ['enable-admission-plugins', 'disable-admission-plugins'] },
    'cert-dir': { use: ['tls-cert-file', 'tls-private-key-file'] },
    'default-watch-cache-size': { use: ['watch-history'] },
    'enable-garbage-collector': { use: ['controllers'] },
    'endpoint-reconciler-type': { use: ['controllers'] },
    'etcd-compaction-interval': { use: ['watch-history'] },
    'insecure-bind-address': { use: ['bind-address'] },
    'insecure-port': { use: ['port'] },
    'logging-format': { use: ['log-format'], isRenamed: true },
    'service-account-api-audiences': { use: ['api-audiences'], isRenamed: true },
    'watch-cache-sizes': { use: ['watch-history'] },
  } satisfies Record<string, Counterpart>),
);

/** They say how to log, or how to use the database that there is not. */
export const NEEDLESS = /^(?:vmodule|(?:also)?logtostderr|watch-cache.*|(?:etcd|storage)-.+)$/;

/** A hint with the flags to give instead, as `named` writes them; '' where there are none. */
export function insteadOf(name: string, named: (name: FlagName) => string): string {
  const names = COUNTERPARTS.get(name)?.use.map(named) ?? [];
  return names.length === 0 ? '' : `use ${names.join(' and ')} instead`;
}
