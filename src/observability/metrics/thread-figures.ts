/** What each thread tells of itself: how late it is, how busy, and its memory. */
import { constants, performance, PerformanceObserver } from 'node:perf_hooks';
import type { PerformanceEntry } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { EVENT_LOOP_LOOK_MS } from '../limits.ts';
import type { Histogram } from './cells.ts';
import { sampleEverySecond, THREAD_SERIES } from './thread-metrics.ts';

/** Begins to tell them, for as long as the thread is there. */
export function tellThreadFigures(thread: string): void {
  tellDelay(thread);
  tellCollections(thread);
  const used = THREAD_SERIES.cell('nodejs_heap_size_used_bytes', { thread });
  const total = THREAD_SERIES.cell('nodejs_heap_size_total_bytes', { thread });
  const external = THREAD_SERIES.cell('nodejs_external_memory_bytes', { thread });
  const busy = THREAD_SERIES.cell('shardplane_event_loop_utilization', { thread });
  let last = performance.eventLoopUtilization();
  sampleEverySecond(() => {
    const heap = getHeapStatistics();
    used.set(heap.used_heap_size);
    total.set(heap.total_heap_size);
    external.set(heap.external_memory);
    const now = performance.eventLoopUtilization();
    busy.set(performance.eventLoopUtilization(now, last).utilization);
    last = now;
  });
}

function tellDelay(thread: string): void {
  const delay = THREAD_SERIES.histogram('shardplane_event_loop_delay_seconds', { thread });
  let dueMs = performance.now() + EVENT_LOOP_LOOK_MS;
  setInterval(() => {
    const nowMs = performance.now();
    delay.observe(Math.max(0, nowMs - dueMs) / 1_000);
    dueMs = nowMs + EVENT_LOOP_LOOK_MS;
  }, EVENT_LOOP_LOOK_MS).unref();
}

const KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

function tellCollections(thread: string): void {
  const durations = new Map<number, Histogram>();
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as PerformanceEntry & { readonly detail: { kind: number } }).detail;
      let duration = durations.get(kind);
      if (duration === undefined) {
        const labels = { kind: KINDS[kind] ?? 'other', thread };
        duration = THREAD_SERIES.histogram('nodejs_gc_duration_seconds', labels);
        durations.set(kind, duration);
      }
      duration.observe(entry.duration / 1_000);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
}
