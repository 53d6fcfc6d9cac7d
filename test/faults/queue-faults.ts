import { randomBytes } from 'node:crypto';
import { QueuesService, RedisClient } from '@platform/queues';
import { type Platform } from '../harness';
import { type Mailbox } from '../mailboxes/sandbox';

/** Empties Redis for this platform; other keys stay. */
export async function flushRedis({ app }: Platform): Promise<void> {
  const { client } = app.get(RedisClient);
  const { prefix } = app.get(QueuesService);
  const keys = await client.keys(`${prefix}:*`);
  if (keys.length > 0) await client.del(...keys);
}

/** Enqueues three additional jobs for each mailbox. */
export async function tripleJobs(
  { app }: Platform,
  workspaceId: string,
  mailboxes: readonly Pick<Mailbox, '_id'>[],
): Promise<void> {
  const queues = app.get(QueuesService);
  const jobs = mailboxes.flatMap(({ _id: partitionId }) =>
    [1, 2, 3].map(() => ({
      name: 'mailbox-send' as const,
      data: { workspaceId, partitionId },
      opts: { jobId: `again-${randomBytes(6).toString('hex')}` },
    })),
  );
  await queues.get('mailbox-send').addBulk(jobs);
  const resolution = { name: 'send-resolution', data: { task: 'send-resolution' } };
  await queues.get('periodic').addBulk([resolution, resolution, resolution]);
}
