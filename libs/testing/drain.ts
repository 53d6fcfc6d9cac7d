import { type QueueName, QueuesService, QUEUE_NAMES } from '@platform/queues';
import { eventually } from './eventually';

/** Waits until every job that is due has run. Delayed jobs remain. */
export async function drainQueues(queues: QueuesService): Promise<void> {
  let checked: readonly QueueName[] = QUEUE_NAMES;
  await eventually('all queues are drained', async () => {
    const busy = await listBusyQueues(queues, looked);
    // Busy queues are checked again, and all of them at the end: a job may have enqueued another one.
    const isDrained = busy.length === 0 && looked.length === QUEUE_NAMES.length;
    looked = busy.length > 0 ? busy : QUEUE_NAMES;
    return isDrained;
  });
}

/** One request for all queues: `getJobCounts` runs a script and a response for each. */
async function listBusyQueues(queues: QueuesService, names: readonly QueueName[]): Promise<readonly QueueName[]> {
  const asked = names.map((name) => queues.get(name));
  const [first] = asked;
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
