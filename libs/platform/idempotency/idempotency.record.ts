import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';

/** How long an answer is replayed (seconds). */
export const RETENTION_SECONDS = 24 * 3600;

/** Whom a kept answer is sealed for. */
export function answerOwner(id: string): string {
  return `idempotency/${id}`;
}

@Collection('idempotency_keys', {
  tenant: { notBecause: 'scoped to the key owner, method and path in its id' },
  indexes: [
    { serves: 'forgets an answer after 24 h', fields: { startedAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
  ],
})
export class IdempotencyRecord {
  /** SHA-256 of owner, method, path and key. */
  @Prop({ type: String, required: true })
  _id!: string;

  /** SHA-256 of owner, method, path, key and the request body. */
  @Prop({ type: String, required: true })
  bodyHash!: string;

  /** `running` -> `committed` (the change is in the database) -> `answered` (and its answer is here). */
  @Prop({ type: String, required: true })
  state!: 'running' | 'committed' | 'answered';

  /** Tells one attempt from another that took over after a crash. */
  @Prop({ type: String, required: true })
  attempt!: string;

  /** Until then the attempt counts as running. */
  @Prop({ type: Date, required: true })
  runningUntil!: Date;

  @Prop({ type: Number, default: null })
  status!: number | null;

  /** The answer, encrypted: it may hold a key that is shown only once. */
  @Prop({ type: String, default: null })
  sealedBody!: string | null;

  @Prop({ type: Date, required: true })
  startedAt!: Date;
}
