import { Prop, raw } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The figures that campaigns return: the contract's `stats`. */
const SHOWN_FIGURES = ['sent', 'delivered', 'opened', 'clicked', 'replied', 'bounced', 'unsubscribed'] as const;
export type ShownFigure = (typeof SHOWN_FIGURES)[number];

/** The figures of a campaign. Machines and auto-replies are counted apart from people; docs/users/analytics.md defines each. */
export const CAMPAIGN_FIGURES = [
  ...SHOWN_FIGURES,
  'machineOpened',
  'machineClicked',
  'autoReplied',
  'positiveReplied',
  'complained',
] as const;
export type CampaignFigure = (typeof CAMPAIGN_FIGURES)[number];

/** The figures of each step. */
export const STEP_FIGURES = ['sent', 'opened', 'clicked', 'bounced'] as const;
export type StepFigure = (typeof STEP_FIGURES)[number];

/** Leads by status; `total` is their sum. */
export const LEAD_TALLIES = ['total', 'active', 'paused', 'completed', 'bounced', 'removed'] as const;
export type LeadTally = (typeof LEAD_TALLIES)[number];

const whole = { type: Number, required: true, default: 0 };
const wholes = (names: readonly string[]) => raw(Object.fromEntries(names.map((name) => [name, whole])));

/**
 * What one mailbox has to do with a campaign: when it last sent for it, and its share of the campaign's figures. One more,
 * without a mailbox, holds changes outside of mailbox runs (leads added, opens). Figures are split like this because
 * a mailbox has one run at a time, so that writers do not conflict. Their sum is exact at all times (decision 6).
 */
@Collection('campaign_mailboxes', {
  tenant: true,
  indexes: [
    {
      serves: 'the figures of a campaign, and that there is one share each',
      fields: { workspaceId: 1, campaignId: 1, mailboxId: 1 },
      unique: true,
    },
    { serves: 'the campaigns that a mailbox works for', fields: { workspaceId: 1, mailboxId: 1, lastServedAt: 1 } },
  ],
  impersonal: {
    figures: ['steps'],
  },
})
export class CampaignMailboxRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  campaignId!: Types.ObjectId;

  /** Null for changes outside of mailbox runs. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  /** Whether the campaign uses the mailbox now; the figures stay after its removal. */
  @Prop({ type: Boolean, required: true, default: true })
  assigned!: boolean;

  /** When the mailbox last claimed a lead of the campaign. The campaign served longest ago goes first. */
  @Prop({ type: Date, default: null })
  lastServedAt!: Date | null;

  /** The end of the campaign's interval for the mailbox. */
  @Prop({ type: Date, default: null })
  nextAt!: Date | null;

  /** Number of new leads that the mailbox claimed: rotation balances it. */
  @Prop(whole)
  newLeads!: number;

  @Prop(wholes(CAMPAIGN_FIGURES))
  stats!: Record<CampaignFigure, number>;

  /** Changes of the leads' statuses; a share may be negative, the sum never is. */
  @Prop(wholes(LEAD_TALLIES))
  leads!: Record<LeadTally, number>;

  /** By step id. */
  @Prop({ type: Schema.Types.Mixed, required: true, default: {} })
  steps!: Record<string, Partial<Record<StepFigure, number>>>;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
