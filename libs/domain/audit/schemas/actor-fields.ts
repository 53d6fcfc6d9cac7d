import { type Actor } from '@domain/access';
import { Schema } from 'mongoose';

/** An actor, embedded in a record. */
export const actorFields = new Schema<Actor>(
  {
    kind: { type: String, required: true },
    userId: { type: String, default: null },
    keyId: { type: String, default: null },
  },
  { _id: false, id: false },
);
