import { type OnApplicationShutdown } from '@nestjs/common';
import { type MetricsService } from '@platform/observability';
import { type Model, mongo } from 'mongoose';
import { connectionOptions } from './connection-options';
import { LEASE_MS, LeaseHeartbeat } from './lease-heartbeat';

/** A lease as its record stores it. */
export interface StoredLease {
  readonly _id: unknown;
  /** Unique among all leases. */
  readonly holder: string;
}

interface PendingRenewal extends StoredLease {
  readonly resolve: (isLeased: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** What the driver does not know. */
const OPTIONS_OF_MONGOOSE = ['bufferCommands', 'autoIndex', 'autoCreate'] as const;

/**
 * Renews the leases of this process: all leases of a collection by one command, and on connections of its own, so that a full
 * connection pool costs no lease.
 */
export class LeaseRenewalService implements OnApplicationShutdown {
  readonly #client: mongo.MongoClient;
  /** By collection and field: leases that the next command renews. */
  readonly #pending = new Map<string, PendingRenewal[]>();

  /** The client connects at its first command. */
  constructor(
    uri: string,
    appName: string,
    private readonly metrics: MetricsService,
  ) {
    const options = { ...connectionOptions(appName), maxPoolSize: 2 };
    for (const option of OPTIONS_OF_MONGOOSE) delete options[option];
    this.#client = new mongo.MongoClient(uri, options);
  }

  /**
   * Keeps a lease of 15 seconds until the heartbeat ends.
   * @param field when the lease expires
   * @param stopping also aborts the signal of the heartbeat
   */
  keep<R>(records: Model<R>, field: string, lease: StoredLease, stopping: AbortSignal): LeaseHeartbeat {
    return new LeaseHeartbeat(() => this.#renew(records.collection.collectionName, field, lease), stopping);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#client.close();
  }

  #renew(collection: string, field: string, { _id, holder }: StoredLease): Promise<boolean> {
    const renewal = Promise.withResolvers<boolean>();
    const key = `${collection} ${field}`;
    const pending = this.#pending.get(key) ?? [];
    pending.push({ _id, holder, resolve: renewal.resolve, reject: renewal.reject });
    if (pending.length === 1) {
      this.#pending.set(key, pending);
      // Renewals of the same tick join the command.
      setImmediate(() => {
        this.#pending.delete(key);
        void this.#renewAll(collection, field, pending);
      });
    }
    return renewal.promise;
  }

  async #renewAll(collection: string, field: string, renewals: readonly PendingRenewal[]): Promise<void> {
    try {
      const missing = await this.#writeAll(this.#client.db().collection(collection), field, renewals);
      if (missing.size > 0) this.metrics.leaseExpiries.inc(missing.size);
      for (const { holder, resolve } of renewals) resolve(!missing.has(holder));
    } catch (error) {
      for (const { reject } of renewals) reject(error);
    }
  }

  /** Returns the holders that have lost their lease. */
  async #writeAll(
    records: mongo.Collection,
    field: string,
    leases: readonly StoredLease[],
  ): Promise<ReadonlySet<string>> {
    const holders = leases.map(({ holder }) => holder);
    const filter = {
      _id: { $in: leases.map(({ _id }) => _id) },
      holder: { $in: holders },
    } as mongo.Filter<mongo.Document>;
    const { matchedCount } = await records.updateMany(filter, [{ $set: { [field]: { $add: ['$$NOW', LEASE_MS] } } }]);
    const missing = new Set(holders);
    if (matchedCount === missing.size) return new Set();
    for (const { holder } of await records.find(filter, { projection: { holder: 1 } }).toArray())
      missing.delete(String(holder));
    return missing;
  }
}
