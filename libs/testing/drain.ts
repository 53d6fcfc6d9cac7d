import { type QueueName, QueuesService, QUEUE_NAMES } from '@platform/queues';
import { eventually } from './eventually';

/** Waits until every due job has run. Delayed jobs stay in their queues. */
export async function drainQueues(queues: QueuesService): Promise<void> {
  let checked: readonly QueueName[] = QUEUE_NAMES;
  await eventually('all queues are drained', async () => {
    const busy = await listBusyQueues(queues, checked);
    // Busy queues are checked again, and all of them at the end, because a job may have added another one.
    const isDrained = busy.length === 0 && checked.length === QUEUE_NAMES.length;
    checked = busy.length > 0 ? busy : QUEUE_NAMES;
    return isDrained;
  });
}

/** Checks all queues in one request: `getJobCounts` needs one script call per queue. */
async function listBusyQueues(queues: QueuesService, names: readonly QueueName[]): Promise<readonly QueueName[]> {
  const found = names.map((name) => queues.get(name));
  const [first] = found;
  if (!first) return [];
  // All queues share one connection.
  const pipeline = (await first.getBackend().client).pipeline();
  for (const queue of found) {
    pipeline.llen(queue.toKey('wait')).llen(queue.toKey('active')).zrange(queue.toKey('prioritized'), 0, 0);
  }
  const answers = ((await pipeline.exec()) ?? []).map(([error, answer]) => {
    if (error) throw error;
    return Array.isArray(answer) ? answer.length : Number(answer);
  });
  return names.filter((_name, at) => answers.slice(at * 3, at * 3 + 3).some((jobs) => jobs > 0));
}
