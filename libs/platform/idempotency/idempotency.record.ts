import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';

/** Seconds in which a response is replayed. */
export const RETENTION_SECONDS = 24 * 3600;

/** The owner that an encrypted response is bound to. */
export function getAnswerOwner(id: string): string {
  return `idempotency/${id}`;
}

@Collection('idempotency_keys', {
  tenant: { notBecause: 'scoped to the key owner, method and path in its id' },
  indexes: [
    { serves: 'the removal of responses after 24 h', fields: { startedAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
  ],
  impersonal: {
    'digests of requests': ['_id', 'bodyHash', 'state', 'attempt'],
    'a ciphertext that nobody can search; expires after 24 hours': ['sealedBody'],
  },
})
export class IdempotencyRecord {
  /** SHA-256 of owner, method, path and key. */
  @Prop({ type: String, required: true })
  _id!: string;

  /** SHA-256 of owner, method, path, key and the request body. */
  @Prop({ type: String, required: true })
  bodyHash!: string;

  /** `running` -> `committed` (the change is in the database) -> `answered` (the response is stored here). */
  @Prop({ type: String, required: true })
  state!: 'running' | 'committed' | 'answered';

  /** Distinguishes an attempt from one that took over after a crash. */
  @Prop({ type: String, required: true })
  attempt!: string;

  /** End of the time in which the attempt counts as running. */
  @Prop({ type: Date, required: true })
  runningUntil!: Date;

  @Prop({ type: Number, default: null })
  status!: number | null;

  /** The encrypted response: it may contain a key that is shown only once. */
  @Prop({ type: String, default: null })
  sealedBody!: string | null;

  @Prop({ type: Date, required: true })
  startedAt!: Date;
}
