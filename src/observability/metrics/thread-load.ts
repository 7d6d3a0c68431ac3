/**
 * Metrics of each thread: how late it is, how busy, and its memory. An observer of garbage
 * collections makes a small request cost a fifth more, so they are seen by the delay alone.
 */
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { SYSTEM_TIMERS } from '../../base/time/timers.ts';
import { DelayLooks } from '../delay-looks.ts';
import { sampleEverySecond, THREAD_SERIES } from './thread-metrics.ts';

/** Reports them every second until the thread ends. */
export function reportThreadLoad(thread: string): void {
  const looks = delayLooks(thread);
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
    const { utilization } = performance.eventLoopUtilization(now, last);
    busy.set(utilization);
    looks.wasBusy(utilization);
    last = now;
  });
}

function delayLooks(thread: string): DelayLooks {
  const delay = THREAD_SERIES.histogram('shardplane_event_loop_delay_seconds', { thread });
  return new DelayLooks({
    timers: SYSTEM_TIMERS,
    nowMs: () => performance.now(),
    late: (ms) => delay.observe(ms / 1_000),
  });
}
