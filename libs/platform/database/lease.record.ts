import { Prop } from '@nestjs/mongoose';
import { Collection } from './collection.decorator';

/** The lease of one task of the installation. */
@Collection('leases', {
  tenant: { notBecause: 'a lease guards a task of the installation or carries the id of its owner in its name' },
  indexes: [],
  impersonal: {
    'work and its worker': ['_id', 'holder'],
  },
})
export class LeaseRecord {
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ type: String, required: true })
  holder!: string;

  /** Grows by one with each new holder, so that a late write of an earlier holder is recognised. */
  @Prop({ type: Number, required: true })
  fence!: number;

  @Prop({ type: Date, required: true })
  expiresAt!: Date;
}
