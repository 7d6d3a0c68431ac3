/** Warnings about files in one volume that are at the same place, or below each other. */
import type { Volume, VolumeProjection } from '#messages/core.v1';
import { trimEndOf } from '../../../base/text/trim-end.ts';

/** More than these nobody reads: answers have room for few warnings. */
const OVERLAPS_MAX = 100;
const DEPTH_MAX = 64;

interface Placed {
  readonly path: string;
  /** The kind of object of which the file is; '' where the volume is of one object. */
  readonly source: string;
  /** Its name, where the source is told with it. */
  readonly named?: string;
}

/** Warns of them in the volumes of a pod. */
export function warnOfOverlaps(volumes: readonly Volume[], warnings: string[]): void {
  for (const { name = '', configMap, secret, downwardAPI, projected } of volumes) {
    const warn = (what: string, files: readonly Placed[], ofVolume?: string): void => {
      if (files.length < 2) return;
      const told = ofVolume === undefined ? what : `${what} ${quoted(ofVolume)}`;
      for (const overlap of overlapsOf(files)) {
        warnings.push(`volume ${quoted(name)} (${told}): overlapping paths: ${overlap}`);
      }
    };
    if (configMap?.items) warn('ConfigMap', placed(configMap.items), configMap.name ?? '');
    if (secret?.items) warn('Secret', placed(secret.items), secret.secretName ?? '');
    if (downwardAPI?.items) warn('DownwardAPI', placed(downwardAPI.items));
    const sources = projected?.sources ?? [];
    for (const source of sources) {
      if (Object.keys(source).length > 0) continue;
      warnings.push(`volume ${quoted(name)} (Projected) has no sources provided`);
    }
    if (projected) warn('Projected', sources.flatMap(projectedFiles));
  }
}

const quoted = (text = ''): string => JSON.stringify(text);

function placed(
  items: readonly { readonly path?: string }[] = [],
  source = '',
  named?: string,
): Placed[] {
  return items.map(({ path = '' }) => ({ path, source, ...(named !== undefined && { named }) }));
}

/** The files of the first kind that a source is of. */
function projectedFiles(source: VolumeProjection): Placed[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap?.items) return placed(configMap.items, 'ConfigMap', configMap.name ?? '');
  if (secret?.items) return placed(secret.items, 'Secret', secret.name ?? '');
  if (downwardAPI?.items) return placed(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken) return placed([serviceAccountToken], 'ServiceAccountToken');
  const { clusterTrustBundle: bundle, podCertificate } = source;
  if (bundle) return placed([bundle], 'ClusterTrustBundle', bundle.name ?? bundle.signerName ?? '');
  const { certificateChainPath, keyPath, credentialBundlePath } = podCertificate ?? {};
  const files: readonly (readonly [path: string | undefined, source: string])[] = [
    [certificateChainPath, 'PodCertificate chain'],
    [keyPath, 'PodCertificate key'],
    [credentialBundlePath, 'PodCertificate credential bundle'],
  ];
  return files.flatMap(([path = '', of]) => (path === '' ? [] : [{ path, source: of }]));
}

/** Each file with the earlier ones at its path, above it and below it. */
function overlapsOf(files: readonly Placed[]): string[] {
  if (areApart(files)) return [];
  const at = new Map<string, number[]>();
  const below = new Map<string, number[]>();
  const overlaps: string[] = [];
  const before = files.map((file) => ({ ...file, path: trimEndOf(file.path, '/') }));
  before.forEach((file, index) => {
    const { path } = file;
    if (path === '') return;
    const above = ancestorsOf(path);
    const others = [path, ...above].flatMap((one) => at.get(one) ?? []);
    for (const other of [...others, ...(below.get(path) ?? [])].sort((a, b) => a - b)) {
      if (overlaps.length >= OVERLAPS_MAX) return;
      overlaps.push(`${textOf(file)} with ${textOf(before[other] ?? file)}`);
    }
    addTo(at, path, index);
    for (const one of above) addTo(below, one, index);
  });
  return overlaps;
}

/** Whether all files begin with parts of their own, as those of an account in nearly every pod. */
function areApart(files: readonly Placed[]): boolean {
  const tops = new Set<string>();
  for (const { path } of files) {
    const end = path.indexOf('/');
    tops.add(end < 0 ? path : path.slice(0, end));
  }
  return tops.size === files.length;
}

function addTo(places: Map<string, number[]>, path: string, index: number): void {
  const known = places.get(path) ?? [];
  if (known.length < OVERLAPS_MAX) known.push(index);
  places.set(path, known);
}

function ancestorsOf(path: string): string[] {
  const parts = path.split('/', DEPTH_MAX);
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function textOf({ path, source, named }: Placed): string {
  if (source === '') return quoted(path);
  const told = named === undefined ? source : `${source} ${quoted(named)}`;
  return `${quoted(path)} (${told})`;
}
