import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { isDuplicateKey, TransactionService } from '@platform/database';
import { SecretBoxService } from '@platform/secrets';
import { type Model } from 'mongoose';
import { responseUnavailable, keyReused, stillRunning } from './idempotency.errors';
import { getAnswerOwner, IdempotencyRecord, RETENTION_SECONDS } from './idempotency.record';

/** Longer than any request may take: a record that is `running` for longer belongs to a crashed process. */
const RUNNING_MS = 60_000;

export interface IdempotentAttempt {
  id: string;
  attempt: string;
}

export interface StoredAnswer {
  status: number;
  body: unknown;
}

/**
 * Runs a request with an Idempotency-Key at most once. The state `committed` is written in the transaction of the change
 * itself, so that a crash neither repeats nor loses the change.
 */
@Injectable()
export class IdempotencyService {
  constructor(
    @InjectModel(IdempotencyRecord.name) private readonly records: Model<IdempotencyRecord>,
    private readonly transactions: TransactionService,
    private readonly secrets: SecretBoxService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Claims the key for this request, or returns the response of the first one.
   * @throws IDEMPOTENCY_KEY_REUSED for another body, IDEMPOTENCY_CONFLICT while the first request runs
   */
  async begin(scope: readonly string[], body: unknown): Promise<IdempotentAttempt | StoredAnswer> {
    const id = getDigest(scope);
    // The hash includes the key, which is not stored: a password in the body cannot be guessed from the hash.
    const bodyHash = getDigest([...scope, body ?? null]);
    const attempt = randomUUID();
    const now = this.clock.now();
    const fresh = {
      bodyHash,
      attempt,
      state: 'running' as const,
      runningUntil: this.clock.in(RUNNING_MS),
      startedAt: now,
    };
    try {
      await this.records.create({ _id: id, ...fresh });
      return { id, attempt };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const record = await this.records.findById(id).lean();
    // TTL removal lags by up to a minute, so the age is checked as well.
    const expired = !record || record.startedAt.getTime() + RETENTION_SECONDS * 1000 <= now.getTime();
    if (!expired && record.bodyHash !== bodyHash) throw keyReused();
    if (!expired && record.state === 'answered') return this.#answer(record);
    if (!expired && record.state === 'committed' && record.runningUntil <= now) throw responseUnavailable();
    if (!expired && record.runningUntil > now) throw stillRunning();
    return this.#takeOver(id, record, fresh);
  }

  /** Runs the request's work and writes `committed` in its transaction. */
  run<T>({ id, attempt }: IdempotentAttempt, work: () => Promise<T>): Promise<T> {
    return this.transactions.runWithParticipant(async (session) => {
      const { matchedCount } = await this.records.updateOne(
        { _id: id, attempt },
        { $set: { state: 'committed' } },
        { session },
      );
      if (matchedCount !== 1) throw stillRunning(); // another attempt took over after ours expired
    }, work);
  }

  async finish({ id, attempt }: IdempotentAttempt, { status, body }: StoredAnswer): Promise<void> {
    const sealedBody = this.secrets.seal(JSON.stringify(body ?? null), getAnswerOwner(id));
    await this.records.updateOne({ _id: id, attempt }, { $set: { state: 'answered', status, sealedBody } });
  }

  /** Removes the record of a request that failed before any change, so that the client can retry with the same key. */
  async abandon({ id, attempt }: IdempotentAttempt): Promise<void> {
    await this.records.deleteOne({ _id: id, attempt, state: 'running' });
  }

  #answer(record: IdempotencyRecord): StoredAnswer {
    const body = record.sealedBody === null ? null : this.secrets.open(record.sealedBody, getAnswerOwner(record._id));
    return { status: record.status ?? 200, body: body === null ? null : (JSON.parse(body) as unknown) };
  }

  async #takeOver(
    id: string,
    record: IdempotencyRecord | null,
    fresh: Omit<IdempotencyRecord, '_id' | 'status' | 'sealedBody'>,
  ): Promise<IdempotentAttempt> {
    const { modifiedCount } = await this.records.updateOne(
      { _id: id, attempt: record?.attempt ?? '' },
      { $set: { ...fresh, status: null, sealedBody: null } },
    );
    if (modifiedCount !== 1) throw stillRunning();
    return { id, attempt: fresh.attempt };
  }
}

function getDigest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
