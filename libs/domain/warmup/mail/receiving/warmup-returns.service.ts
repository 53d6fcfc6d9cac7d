import { MailError } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { type Loss, WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupCountsRepository } from '../../config/warmup-counts.repository';
import { type Report } from './returned-mail';
import { WarmupPlacementService } from './warmup-placement.service';

const MOST_CHARS = 500;

/** What servers say later about mail that they, or others, had accepted. */
@Injectable()
export class WarmupReturnsService {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly counts: WarmupCountsRepository,
    private readonly sender: WarmupPlacementService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Notes a report about a mail, once: what came back is `failed` from then on and counts as bounced, or, when it was refused as
   * unwanted or somebody complained, as blocked; what is only late counts as deferred, unless it was put off before it was
   * accepted. What has been found did arrive, whatever a report says.
   * @param mail the sender's side
   * @throws MailError `temporary` while a worker is still noting down that it was sent
   */
  async record({ _id, workspaceId }: WarmupMailRecord, report: Report): Promise<void> {
    await this.transactions.run(async () => {
      const before = await this.mails.findOne({ _id, workspaceId }).lean<WarmupMailRecord>();
      if (!before || before.receivedAt || before.state === 'failed') return;
      const mail = await this.sender.markDelivered(before);
      if (mail.dueAt) throw new MailError({ failure: 'temporary', stage: 'busy', message: 'The mail is being sent' });
      const reason = reasonOf(report);
      if (report.kind === 'delayed') {
        if (mail.reason !== null) return;
        await this.mails.updateOne({ _id, workspaceId }, { $set: { reason } });
        if (mail.attempt === 1) await this.counts.count(mail, { deferred: 1 });
        return;
      }
      const lostAs = lossBy(report);
      await this.mails.updateOne({ _id, workspaceId }, { $set: { state: 'failed', reason, lostAs } });
      if (mail.lostAs === lostAs) return;
      await this.counts.count(mail, { [lostAs]: 1, ...(mail.lostAs && { [mail.lostAs]: -1 }) });
    });
  }
}

function lossBy(report: Exclude<Report, { kind: 'delayed' }>): Loss {
  const isUnwanted = report.kind === 'complaint' || report.failed.some(({ verdict }) => verdict === 'policy');
  return isUnwanted ? 'blocked' : 'bounced';
}

function reasonOf(report: Report): string {
  if (report.kind === 'complaint') return 'Its receiver’s provider reported a complaint';
  if (report.kind === 'delayed') return 'A server put it off';
  const said = report.failed.map(({ diagnostic }) => diagnostic).find((diagnostic) => diagnostic !== null);
  return (said ?? 'It came back').slice(0, MOST_CHARS);
}
