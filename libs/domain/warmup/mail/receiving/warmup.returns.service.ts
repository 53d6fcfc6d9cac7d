import { MailError } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Transactions } from '@platform/database';
import { type Model } from 'mongoose';
import { type WarmupFigures } from '../../schemas/warmup-day.record';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupCounts } from '../warmup.counts.service';
import { NEVER_FOUND } from './lost.mail';
import { type Report } from './returned.mail';

const MOST_CHARS = 500;

/** What servers say later about mail that they, or others, had accepted. */
@Injectable()
export class WarmupReturns {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly counts: WarmupCounts,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Notes a report about a mail, once: what came back is `failed` from then on and counts as bounced, or, when it was refused as
   * unwanted or somebody complained, as blocked; what is only late counts as deferred. What has been found did arrive, whatever
   * a report says.
   * @param mail the sender's side
   * @throws MailError `temporary` while a worker is still noting down that it was sent
   */
  async record({ _id, workspaceId }: WarmupMailRecord, report: Report): Promise<void> {
    await this.transactions.run(async () => {
      const mail = await this.mails.findOne({ _id, workspaceId }).lean<WarmupMailRecord>();
      if (!mail || mail.receivedAt || mail.state === 'failed') return;
      if (mail.dueAt) throw new MailError({ failure: 'temporary', stage: 'busy', message: 'The mail is being sent' });
      const reason = reasonOf(report);
      if (report.kind === 'delayed') {
        if (mail.reason !== null) return;
        await this.mails.updateOne({ _id, workspaceId }, { $set: { reason } });
        return this.counts.count(mail, { deferred: 1 });
      }
      await this.mails.updateOne({ _id, workspaceId }, { $set: { state: 'failed', reason } });
      const figures = figuresOf(report, mail);
      if (Object.keys(figures).length > 0) await this.counts.count(mail, figures);
    });
  }
}

function figuresOf(report: Report, { reason }: WarmupMailRecord): Partial<WarmupFigures> {
  const isUnwanted =
    report.kind === 'complaint' ||
    (report.kind === 'bounce' && report.failed.some(({ verdict }) => verdict === 'policy'));
  // What was taken for lost has been counted as blocked.
  const wasMissed = reason === NEVER_FOUND;
  if (isUnwanted) return wasMissed ? {} : { blocked: 1 };
  return wasMissed ? { bounced: 1, blocked: -1 } : { bounced: 1 };
}

function reasonOf(report: Report): string {
  if (report.kind === 'complaint') return 'Its receiver’s provider reported a complaint';
  if (report.kind === 'delayed') return 'A server put it off';
  const said = report.failed.map(({ diagnostic }) => diagnostic).find((diagnostic) => diagnostic !== null);
  return (said ?? 'It came back').slice(0, MOST_CHARS);
}
