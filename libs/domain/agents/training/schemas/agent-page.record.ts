import { PAGE_REASONS, PAGE_STATUSES, type PageReason, type PageStatus } from '@adapters/web';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** A page of a website that an agent has read or skipped. Immutable; deleted with its training. */
@Collection('agent_pages', {
  tenant: true,
  indexes: [
    {
      serves: 'the pages of a training, in the order in which they were read; each place once',
      fields: { workspaceId: 1, trainingId: 1, place: 1 },
      unique: true,
    },
    { serves: 'the list of pages', fields: { workspaceId: 1, trainingId: 1, createdAt: 1, _id: 1 } },
    { serves: 'the pages of an agent, for erasure', fields: { workspaceId: 1, agentId: 1 } },
    { serves: 'expiry of pages that are no longer used', fields: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
})
export class AgentPageRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  agentId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  trainingId!: Types.ObjectId;

  /** Position in reading order, from 0. */
  @Prop({ type: Number, required: true })
  place!: number;

  @Prop({ type: String, required: true })
  url!: string;

  @Prop({ type: String, required: true, enum: PAGE_STATUSES })
  status!: PageStatus;

  @Prop({ type: String, enum: [...PAGE_REASONS, null], default: null })
  reason!: PageReason | null;

  @Prop({ type: String, default: null })
  title!: string | null;

  @Prop({ type: String, default: null })
  description!: string | null;

  @Prop({ type: String, default: '' })
  text!: string;

  /** Length of the text, so that lists need not read it. */
  @Prop({ type: Number, required: true, default: 0 })
  characters!: number;

  /** Equal for pages with equal text. */
  @Prop({ type: String, default: null })
  hash!: string | null;

  /** Links of the page, from which an interrupted training continues. Removed after reading. */
  @Prop({ type: [String], default: [] })
  links!: string[];

  @Prop({ type: Date })
  expiresAt?: Date;

  @Prop({ type: Date })
  createdAt!: Date;
}
