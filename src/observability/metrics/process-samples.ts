/** Takes samples of the process when it is scraped. */
import { readdirSync, readFileSync } from 'node:fs';
import { gatesOf, stateOf, type FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { ownMetrics } from './own-metrics.ts';
import { labelText } from './thread-metrics.ts';
import { PROCESS_METRICS } from './process-metric-table.ts';
import type { Sample } from './exposition.ts';

/** `build` has the labels of the build's metric. */
export function processSamples(build: Readonly<Record<string, string>>): readonly Sample[] {
  const { user, system } = process.cpuUsage();
  const { kubernetes_build_info: info } = PROCESS_METRICS;
  return [
    sample('kubernetes_build_info', 1, labelText(info.labels, build)),
    sample('nodejs_version_info', 1, labelText(['version'], { version: process.version })),
    sample('process_cpu_seconds_total', (user + system) / 1e6),
    sample('process_resident_memory_bytes', process.memoryUsage.rss()),
    sample('process_start_time_seconds', Math.round(STARTED_MS) / 1_000),
    ...systemSamples(),
  ];
}

/** The stage of each gate of the release, and whether it is on. */
export function featureSamples(gates: FeatureGates): readonly Sample[] {
  const release = ownRelease();
  const [name] = ownMetrics(['kubernetes_feature_enabled']);
  if (name === undefined) return [];
  return gatesOf(release).map((gate) => {
    const { stage } = stateOf(gate, release);
    const labels = { name: gate, stage: STAGE_LABELS[stage] };
    return sample(name, gates.has(gate) ? 1 : 0, labelText(PROCESS_METRICS[name].labels, labels));
  });
}

const STAGE_LABELS = { alpha: 'ALPHA', beta: 'BETA', GA: '', deprecated: 'DEPRECATED' } as const;

export const STARTED_MS = Date.now() - process.uptime() * 1_000;

function sample(metric: keyof typeof PROCESS_METRICS, value: number, labels = ''): Sample {
  return { metric, labels, value };
}

/** Stands for no limit, as other programs tell it: the largest number of 64 bits. */
const UNLIMITED = 2 ** 64;
/** The size of the memory, among what follows the name of the program. */
const MEMORY_FIELD = 20;

/** Where the system tells them. */
function systemSamples(): readonly Sample[] {
  if (process.platform !== 'linux') return [];
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [
    sample('process_open_fds', readdirSync('/proc/self/fd').length),
    sample('process_max_fds', limitOf(limits, 'open files')),
    sample('process_virtual_memory_bytes', Number(fields[MEMORY_FIELD])),
    sample('process_virtual_memory_max_bytes', limitOf(limits, 'address space')),
  ];
}

function limitOf(limits: string, name: string): number {
  const limit = new RegExp(`^Max ${name} +(\\d+)`, 'm').exec(limits)?.[1];
  return limit === undefined ? UNLIMITED : Number(limit);
}
