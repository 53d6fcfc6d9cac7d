import { BootError } from '@platform/lifecycle';
import { QUEUE_NAMES, type ScheduleRow, selectQueues } from '@platform/queues';
import { type JobProcessor } from './job.processor';

/**
 * Each queue has exactly one processor, each schedule has a known queue and a unique name, and each queue of
 * `WORKER_QUEUES` exists.
 * @throws BootError with all problems
 */
export function checkProcessors(
  processors: readonly JobProcessor[],
  schedules: readonly ScheduleRow[],
  wanted: readonly string[],
): void {
  const problems: string[] = [];
  for (const name of QUEUE_NAMES) {
    const count = processors.filter(({ queue }) => queue === name).length;
    if (count !== 1) problems.push(`queue ${name} has ${count} processors, it needs exactly one`);
  }
  const names = schedules.map(({ name }) => name);
  for (const name of new Set(names)) {
    if (names.filter((other) => other === name).length > 1) problems.push(`schedule ${name} is in the table twice`);
  }
  for (const name of selectQueues(wanted).unknown) {
    problems.push(`WORKER_QUEUES names ${name}, which is not one of ${QUEUE_NAMES.join(', ')}`);
  }
  if (problems.length > 0)
    throw new BootError(`The worker cannot start:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
}
