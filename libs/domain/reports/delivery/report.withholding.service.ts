import { type WorkspaceScope } from '@domain/access';
import { type SuppressionEffect, SuppressionEffects, Suppressions } from '@domain/suppressions';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { ReportRecord } from '../schemas/report.record';

export const SUPPRESSED = 'The address is on the suppression list of the workspace';

/**
 * Takes back reports that no server was given yet. Whoever forbids them writes that first: whoever is about to hand one over then sees
 * that, or finds the report withheld.
 */
@Injectable()
export class ReportWithholding implements SuppressionEffect, OnModuleInit {
  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    @InjectModel(ReportRecord.name) private readonly reports: Model<ReportRecord>,
    private readonly suppressions: Suppressions,
    private readonly effects: SuppressionEffects,
  ) {}

  onModuleInit(): void {
    this.effects.register(this);
  }

  /** Joins the transaction that changes the recipient. */
  async ofRecipient(
    { _id: recipientId, workspaceId }: Pick<ReportRecipientRecord, '_id' | 'workspaceId'>,
    reason: string,
  ): Promise<void> {
    await this.reports.updateMany({ workspaceId, recipientId, state: 'planned' }, withheld(reason));
  }

  async suppressed({ workspaceId }: WorkspaceScope): Promise<void> {
    const known = await this.recipients
      .find({ workspaceId }, { email: 1 })
      .lean<Pick<ReportRecipientRecord, 'email'>[]>();
    const listed = await this.suppressions.matching(
      workspaceId,
      known.map(({ email }) => email),
    );
    if (listed.size === 0) return;
    await this.reports.updateMany({ workspaceId, email: { $in: [...listed] }, state: 'planned' }, withheld(SUPPRESSED));
  }

  /** What was withheld stays so: the next period has a report of its own. */
  lifted(): Promise<void> {
    return Promise.resolve();
  }
}

function withheld(reason: string) {
  return { $set: { state: 'withheld', reason }, $unset: { dueAt: 1 } } as const;
}
