import { Queues, QUEUE_NAMES } from '@platform/queues';
import { eventually } from './eventually';

/** Waits until every job that may run now has run. Jobs delayed to a later time stay where they are. */
export async function drainQueues(queues: Queues): Promise<void> {
  await eventually('all queues are drained', async () => {
    const counts = await Promise.all(
      QUEUE_NAMES.map((name) => queues.get(name).getJobCounts('waiting', 'active', 'prioritized')),
    );
    return counts.every((count) => Object.values(count).every((jobs) => jobs === 0));
  });
}
