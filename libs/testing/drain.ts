import { Queues, QUEUE_NAMES } from '@platform/queues';
import { eventually } from './eventually';

/** Waits until every job that may run now has run. Jobs delayed to a later time stay where they are. */
export async function drainQueues(queues: Queues): Promise<void> {
  let looked = QUEUE_NAMES;
  await eventually('all queues are drained', async () => {
    const counts = await Promise.all(
      looked.map((name) => queues.get(name).getJobCounts('waiting', 'active', 'prioritized')),
    );
    const busy = looked.filter((_name, at) => Object.values(counts[at] ?? {}).some((jobs) => jobs > 0));
    // Those that are busy are asked again, and all of them at the end: a job may have made another one.
    const isDrained = busy.length === 0 && looked.length === QUEUE_NAMES.length;
    looked = busy.length > 0 ? busy : QUEUE_NAMES;
    return isDrained;
  });
}
