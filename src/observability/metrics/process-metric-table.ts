/** Figures of the process and of the runtime, by the names that everybody uses. */
import type { MetricDefinition } from './metric-definition.ts';

export const PROCESS_METRICS = {
  kubernetes_build_info: {
    type: 'gauge',
    help:
      "A metric with a constant '1' value labeled by major, minor, git version, git " +
      'commit, git tree state, build date, Go version, and compiler from which ' +
      'Kubernetes was built, and platform on which it is running.',
    labels: [
      'build_date',
      'compiler',
      'git_commit',
      'git_tree_state',
      'git_version',
      'go_version',
      'major',
      'minor',
      'platform',
    ],
    stability: 'ALPHA',
  },
  kubernetes_feature_enabled: {
    type: 'gauge',
    help: 'This metric records the data about the stage and enablement of a k8s feature.',
    labels: ['name', 'stage'],
    stability: 'ALPHA',
  },
  process_cpu_seconds_total: {
    type: 'counter',
    help: 'Total user and system CPU time spent in seconds.',
    labels: [],
  },
  process_max_fds: {
    type: 'gauge',
    help: 'Maximum number of open file descriptors.',
    labels: [],
  },
  process_open_fds: { type: 'gauge', help: 'Number of open file descriptors.', labels: [] },
  process_resident_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory size in bytes.',
    labels: [],
  },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'Start time of the process since unix epoch in seconds.',
    labels: [],
  },
  process_virtual_memory_bytes: {
    type: 'gauge',
    help: 'Virtual memory size in bytes.',
    labels: [],
  },
  process_virtual_memory_max_bytes: {
    type: 'gauge',
    help: 'Maximum amount of virtual memory available in bytes.',
    labels: [],
  },
  nodejs_version_info: { type: 'gauge', help: 'Version of Node.js.', labels: ['version'] },
  nodejs_heap_size_total_bytes: {
    type: 'gauge',
    help: 'Heap of a thread in bytes.',
    labels: ['thread'],
  },
  nodejs_heap_size_used_bytes: {
    type: 'gauge',
    help: 'Used heap of a thread in bytes.',
    labels: ['thread'],
  },
  nodejs_external_memory_bytes: {
    type: 'gauge',
    help: 'Memory outside of the heap that objects of a thread hold, in bytes.',
    labels: ['thread'],
  },
} as const satisfies Record<string, MetricDefinition>;
