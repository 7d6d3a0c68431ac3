/** What `npm run move` can be asked for. */
import { storeConfig, STORE_FLAGS, type EtcdStoreConfig } from '../../src/config/store.ts';
import { OptionsError, parseOptions } from '../flags.ts';

export interface MoveOptions {
  readonly folder: string;
  readonly isToEtcd: boolean;
  readonly etcd: EtcdStoreConfig;
}

const ETCD = 'etcd';
const ETCD_FLAGS = [
  'etcd-servers',
  'etcd-prefix',
  'etcd-cafile',
  'etcd-certfile',
  'etcd-keyfile',
] as const;

export function helpText(): string {
  return [
    'Usage: npm run move -- --from FOLDER --to etcd --etcd-servers URL,…',
    '       npm run move -- --from etcd --to FOLDER --etcd-servers URL,…',
    '',
    'Moves all objects, settings and keys between the data folder of a server and an etcd.',
    'No server may use either of them; what is moved to must be empty.',
    '',
    ...ETCD_FLAGS.map((name) => {
      const { value, help } = STORE_FLAGS[name];
      return `  --${name} ${value}`.padEnd(28) + help;
    }),
    '',
  ].join('\n');
}

/** Undefined for `--help`. Throws OptionsError and ConfigError. */
export function readOptions(args: readonly string[]): MoveOptions | undefined {
  const flags = Object.fromEntries(ETCD_FLAGS.map((name) => [name, STORE_FLAGS[name]]));
  const folder = { value: 'FOLDER|etcd' };
  const given = parseOptions({ from: folder, to: folder, ...flags }, args);
  if (given['help'] === true) return undefined;
  const { from, to } = given;
  if (typeof from !== 'string' || typeof to !== 'string') {
    throw new OptionsError('give --from and --to: one is etcd, the other a data folder');
  }
  if ((from === ETCD) === (to === ETCD)) {
    throw new OptionsError(`--from is ${from} and --to is ${to}: one is to be etcd, the other not`);
  }
  const presets = Object.entries(STORE_FLAGS).map(([name, { preset }]) => [name, preset]);
  const texts = ETCD_FLAGS.flatMap((name) => {
    const text = given[name];
    return typeof text === 'string' ? [[name, text]] : [];
  });
  const values = { ...Object.fromEntries([...presets, ...texts]), store: ETCD };
  const etcd = storeConfig(values as Parameters<typeof storeConfig>[0]);
  if (etcd === undefined) throw new OptionsError('give --etcd-servers');
  return { folder: from === ETCD ? to : from, isToEtcd: to === ETCD, etcd };
}
