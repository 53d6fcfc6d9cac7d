import { type Type } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { DatabaseModule, TransactionService } from '@platform/database';
import { QueuesModule, QueuesService, RedisClient } from '@platform/queues';
import { type Model } from 'mongoose';
import { openTestDatabase } from '../../../testing';
import { type WorkPartitionFields } from '../work-partition-fields';
import { type WorkPartitionService } from '../work-partition.service';
import { type PartitionKey, type PartitionTestEnvironment } from './work-partition-conformance';

/** The classes of a domain, and how it schedules a run. */
export interface PartitionClasses<R extends WorkPartitionFields, S extends WorkPartitionService<R>> {
  readonly record: Type<R>;
  readonly queue: Type<unknown>;
  readonly service: Type<S>;
  readonly schedule: (partitions: S, key: PartitionKey, at: Date) => Promise<void>;
  readonly enqueue: (partitions: S, key: PartitionKey) => Promise<void>;
}

/** Opens the partitions of a domain on a database of their own, without the rest of the domain. */
export async function openPartitions<R extends WorkPartitionFields, S extends WorkPartitionService<R>>({
  record,
  queue,
  service,
  schedule,
  enqueue,
}: PartitionClasses<R, S>): Promise<PartitionTestEnvironment> {
  const imports = [QueuesModule, DatabaseModule.collections(record)];
  const database = await openTestDatabase({ imports, providers: [queue, service] });
  const { module, clock } = database;
  const partitions = module.get<S>(service);
  const queues = module.get(QueuesService, { strict: false });
  return {
    partitions: partitions as unknown as WorkPartitionService<WorkPartitionFields>,
    records: module.get<Model<WorkPartitionFields>>(getModelToken(record.name), { strict: false }),
    queues,
    redis: module.get(RedisClient, { strict: false }),
    transactions: module.get(TransactionService, { strict: false }),
    clock,
    schedule: (key, at) => schedule(partitions, key, at),
    enqueue: (key) => enqueue(partitions, key),
    close: async () => {
      await queues.obliterate();
      await database.close();
    },
  };
}
