import { type WorkspaceScope } from '@domain/access';
import {
  type SuppressedValues,
  type SuppressionHooks,
  SUPPRESSION_HOOKS,
  SuppressionsService,
} from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Listens } from '@platform/hooks';
import { type Model } from 'mongoose';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { ReportRecord, type ReportTrigger } from '../schemas/report.record';
import { WITHHELD } from './report-decision';

/**
 * Withholds reports before their handover. The reason is written first, so a worker that is about to submit one sees
 * the reason or the withheld report.
 */
@Injectable()
@Listens(SUPPRESSION_HOOKS)
export class ReportWithholdingListener implements SuppressionHooks {
  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    @InjectModel(ReportRecord.name) private readonly reports: Model<ReportRecord>,
    private readonly suppressions: SuppressionsService,
  ) {}

  /** Joins the transaction that changes the recipient. @param trigger only reports with this trigger; all without it */
  async withholdForRecipient(
    { _id: recipientId, workspaceId }: Pick<ReportRecipientRecord, '_id' | 'workspaceId'>,
    reason: string,
    trigger?: ReportTrigger,
  ): Promise<void> {
    const begun = trigger && { trigger };
    await this.reports.updateMany({ workspaceId, recipientId, state: 'planned', ...begun }, toWithheldUpdate(reason));
  }

  async suppressed({ workspaceId }: WorkspaceScope, { addresses, domains }: SuppressedValues): Promise<void> {
    const listed = domains.length === 0 ? addresses : await this.#listSuppressed(workspaceId);
    if (listed.length === 0) return;
    await this.reports.updateMany(
      { workspaceId, email: { $in: listed }, state: 'planned' },
      toWithheldUpdate(WITHHELD.suppressed),
    );
  }

  /** The suppressed addresses of the at most 200 recipients. */
  async #listSuppressed(workspaceId: string): Promise<readonly string[]> {
    const known = await this.recipients
      .find({ workspaceId }, { email: 1 })
      .lean<Pick<ReportRecipientRecord, 'email'>[]>();
    const emails = known.map(({ email }) => email);
    return [...(await this.suppressions.matching(workspaceId, emails))];
  }
}

function toWithheldUpdate(reason: string) {
  return { $set: { state: 'withheld', reason }, $unset: { dueAt: 1 } } as const;
}
