import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type SuppressionAct, SuppressionEntryRecord } from './schemas/suppression-entry.record';
import { type SuppressionSource } from './schemas/suppression.record';
import { type SuppressionValue } from './suppression-values';

export interface SuppressedHow {
  source: SuppressionSource;
  reason: string | null;
  /** The message that led to it. */
  sendId: string | null;
}

/** The append-only record of opt-outs. Write in the transaction of the change: then neither exists without the other. */
@Injectable()
export class SuppressionLedgerService {
  constructor(@InjectModel(SuppressionEntryRecord.name) private readonly entries: Model<SuppressionEntryRecord>) {}

  async write(
    { workspaceId, actor }: WorkspaceScope,
    act: SuppressionAct,
    values: readonly SuppressionValue[],
    how: SuppressedHow,
  ): Promise<void> {
    if (values.length === 0) return;
    await this.entries.insertMany(values.map(({ kind, value }) => ({ workspaceId, act, kind, value, ...how, actor })));
  }

  /** Keeps that a message led to opt-outs that were on record already, once for each message. */
  async repeat(workspace: WorkspaceScope, values: readonly SuppressionValue[], how: SuppressedHow): Promise<void> {
    const { source, sendId } = how;
    if (sendId === null || values.length === 0) return;
    const { workspaceId } = workspace;
    const value = { $in: values.map((one) => one.value) };
    const kept = await this.entries
      .find({ workspaceId, value, source, sendId, act: { $ne: 'removed' } }, { value: 1 })
      .lean();
    const known = new Set(kept.map((entry) => entry.value));
    await this.write(
      workspace,
      'repeated',
      values.filter((one) => !known.has(one.value)),
      how,
    );
  }
}
