import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { MetricsService } from '@platform/observability';
import { type Model } from 'mongoose';
import { isDuplicateKey } from './database.errors';
import { LEASE_MS } from './lease-heartbeat';
import { LeaseLostError } from './lease-lost.errors';
import { LeaseRecord } from './lease.record';
import { LeaseRenewalService } from './lease-renewal.service';

export interface Lease {
  name: string;
  holder: string;
  fence: number;
}

/**
 * Mutual exclusion across processes: leases with an end and a fence number, stored in MongoDB and timed by its clock, so that
 * workers with different clocks agree.
 */
@Injectable()
export class LeaseService {
  constructor(
    @InjectModel(LeaseRecord.name) private readonly leases: Model<LeaseRecord>,
    private readonly metrics: MetricsService,
    private readonly renewals: LeaseRenewalService,
  ) {}

  /**
   * Runs `work` under a lease of 15 seconds, which the heartbeat of the process renews, and releases it at the end, also after
   * an error. A lost lease aborts the signal of `work`.
   * @param stopping also aborts the signal of `work`
   * @returns the result of `work`; null while another process holds the lease
   * @throws LeaseLostError instead of an error of `work` after the loss of the lease
   */
  async runUnderLease<T>(
    name: string,
    stopping: AbortSignal,
    work: (signal: AbortSignal, lease: Lease) => Promise<T>,
  ): Promise<T | null> {
    const lease = await this.acquire(name, LEASE_MS);
    if (!lease) return null;
    const heartbeat = this.renewals.keep(this.leases, 'expiresAt', { _id: name, holder: lease.holder }, stopping);
    try {
      return await work(heartbeat.signal, lease);
    } catch (error) {
      throw heartbeat.isExpired ? new LeaseLostError() : error;
    } finally {
      heartbeat.end();
      // The lease ends by itself when its release fails; the result of the work counts.
      await this.release(lease).catch(() => undefined);
    }
  }

  /** Returns the lease, or null while another process holds it. */
  async acquire(name: string, milliseconds: number): Promise<Lease | null> {
    const taken = await this.#tryAcquire(name, milliseconds);
    if (taken || !(await this.#create(name))) return taken;
    return this.#tryAcquire(name, milliseconds);
  }

  /** Extends the lease; false when it has expired, and then the work under it must stop. */
  async renew(lease: Lease, milliseconds: number): Promise<boolean> {
    const { matchedCount } = await this.leases.updateOne(
      { _id: lease.name, holder: lease.holder },
      [{ $set: { expiresAt: { $add: ['$$NOW', milliseconds] } } }],
      { updatePipeline: true },
    );
    if (matchedCount !== 1) this.metrics.leaseExpiries.inc();
    return matchedCount === 1;
  }

  /** Ends the lease at once; without effect when another process holds it by now. */
  async release(lease: Lease): Promise<void> {
    await this.leases.updateOne({ _id: lease.name, holder: lease.holder }, { $set: { expiresAt: new Date(0) } });
  }

  async #tryAcquire(name: string, milliseconds: number): Promise<Lease | null> {
    const holder = randomUUID();
    const taken = await this.leases.findOneAndUpdate(
      { _id: name, $expr: { $lte: ['$expiresAt', '$$NOW'] } },
      [{ $set: { holder, fence: { $add: ['$fence', 1] }, expiresAt: { $add: ['$$NOW', milliseconds] } } }],
      { returnDocument: 'after', lean: true, updatePipeline: true },
    );
    return taken && { name, holder, fence: taken.fence };
  }

  /** Creates an expired lease, because not every server supports $$NOW in a concurrent upsert. */
  async #create(name: string): Promise<boolean> {
    const unheld = { holder: 'nobody', fence: 0, expiresAt: new Date(0) };
    try {
      const { upsertedCount } = await this.leases.updateOne({ _id: name }, { $setOnInsert: unheld }, { upsert: true });
      return upsertedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error)) return false; // another process created it first
      throw error;
    }
  }
}
