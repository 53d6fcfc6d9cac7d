import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { BY_SECRET, KeyRecord } from './key-record';

/** A platform key: of a user. */
@Collection('user_keys', {
  tenant: { notBecause: 'a platform key acts in every workspace of its user' },
  indexes: [BY_SECRET, { serves: 'the keys of a user, newest first', fields: { userId: 1, createdAt: -1, _id: -1 } }],
  impersonal: {
    'a key of a user, its secrets as digests': ['name', 'secrets', 'createdBy'],
  },
})
export class UserKeyRecord extends KeyRecord {
  @Prop({ type: Schema.Types.ObjectId, required: true })
  userId!: Types.ObjectId;
}
