/** What is found out about the process when it is scraped. */
import { readdirSync, readFileSync } from 'node:fs';
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
    ...descriptors(),
  ];
}

const STARTED_MS = Date.now() - process.uptime() * 1_000;

function sample(metric: keyof typeof PROCESS_METRICS, value: number, labels = ''): Sample {
  return { metric, labels, value };
}

/** Where the system tells them. */
function descriptors(): readonly Sample[] {
  if (process.platform !== 'linux') return [];
  const open = readdirSync('/proc/self/fd').length;
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return [
    sample('process_open_fds', open),
    ...(limit === undefined ? [] : [sample('process_max_fds', Number(limit))]),
  ];
}
