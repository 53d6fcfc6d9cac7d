import { SendingFixture } from '../../../sending/testing';
import { WarmupDayRecord } from '../../schemas/warmup-day.record';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { WarmupRecord } from '../../schemas/warmup.record';
import { WarmupModule } from '../../warmup.module';
import { DatabaseSnapshots } from './database-snapshots';
import { WarmMailboxes } from './warm-mailboxes';
import { ALL_WORKSPACES, WarmupRecords } from './warmup-records';
import { WarmupRuns } from './warmup-runs';

export { type WarmMailbox } from './warm-mailboxes';

/** Warmup with its own database and scripted mail servers. */
export class WarmupEngine {
  readonly mailboxes: WarmMailboxes;
  readonly snapshots: DatabaseSnapshots;
  readonly records: WarmupRecords;
  readonly runs: WarmupRuns;

  private constructor(readonly sending: SendingFixture) {
    this.mailboxes = new WarmMailboxes(sending);
    this.snapshots = new DatabaseSnapshots(sending);
    this.records = new WarmupRecords(sending);
    this.runs = new WarmupRuns(sending, this.records);
  }

  static async open(overrides: Record<string, string> = {}): Promise<WarmupEngine> {
    const sending = await SendingFixture.open([WarmupModule], overrides);
    return new WarmupEngine(sending);
  }

  close(): Promise<void> {
    return this.sending.close();
  }

  /** Deletes all warmups, creates a new workspace and sets the clock. */
  async reset(at: Date): Promise<void> {
    for (const record of [WarmupRecord, WarmupThreadRecord, WarmupMailRecord, WarmupDayRecord]) {
      await this.sending.model<unknown>(record).deleteMany({}, ALL_WORKSPACES);
    }
    await this.sending.fresh();
    this.sending.clock.freeze(at);
  }

  /** Creates a workspace for the mailboxes created from now on; the mail server keeps its messages. */
  async switchWorkspace(): Promise<void> {
    const now = this.sending.clock.now();
    const { given } = this.sending.server;
    const received = [...given];
    await this.sending.fresh();
    given.push(...received);
    this.sending.clock.freeze(now);
  }
}
