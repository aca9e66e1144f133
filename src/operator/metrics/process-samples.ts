import { performance } from 'node:perf_hooks';
import type { Sample } from './exposition.ts';

/** Samples about this process. Each call gives the event loop's utilization since the last one. */
export function watchProcess(version: string): () => readonly Sample[] {
  const startedAt = (Date.now() - process.uptime() * 1000) / 1000;
  let before = performance.eventLoopUtilization();
  return () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return [
      { metric: 'calsyncd_build_info', labels: { version, node: process.version }, value: 1 },
      { metric: 'process_cpu_seconds_total', value: (user + system) / 1e6 },
      { metric: 'process_resident_memory_bytes', value: rss },
      { metric: 'process_start_time_seconds', value: startedAt },
      { metric: 'nodejs_heap_used_bytes', value: heapUsed },
      { metric: 'nodejs_eventloop_utilization_ratio', value: utilization },
    ];
  };
}
