import { type WorkspaceScope } from '@domain/access';
import { MailboxRecord } from '@domain/mailboxes';
import { type InboxFixture } from '../../../../inbox/testing';
import { insertLike, stored } from '../../../../sending/testing';
import { WarmupsService } from '../../../config/warmups.service';
import { type WarmupConfig, WarmupRecord } from '../../../schemas/warmup.record';

/** A mailbox in warmup. */
export interface Member {
  readonly workspace: WorkspaceScope;
  readonly mailbox: MailboxRecord;
}

const NO_REPLIES = { inbox: { min: 0, max: 0 }, promotions: { min: 0, max: 0 }, spam: 0 };

/** The first warmup that the service started at this time; further ones are copies of it. */
interface StartedWarmup {
  readonly at: number;
  readonly record: Pick<WarmupRecord, keyof WarmupRecord>;
  readonly warmup: MailboxRecord['warmup'];
}

/** Creates mailboxes in warmup that answer nothing unless `config` says so. */
export class WarmupMembers {
  #first: StartedWarmup | null = null;

  constructor(private readonly inbox: InboxFixture) {}

  /** In a workspace of its own. */
  async create(config: Partial<WarmupConfig> = {}): Promise<Member> {
    await this.inbox.fresh();
    return this.#start(this.inbox.workspace, this.inbox.mailbox, config);
  }

  /** In the workspace of another member. */
  async createColleague({ workspace }: Pick<Member, 'workspace'>, config: Partial<WarmupConfig> = {}): Promise<Member> {
    this.inbox.workspace = workspace;
    return this.#start(workspace, await this.inbox.connected(), config);
  }

  /** Connects the same mailbox to another workspace. */
  async connectAgain({ mailbox: { email } }: Member): Promise<Member> {
    const { workspace, mailbox } = await this.create();
    const { _id, workspaceId } = mailbox;
    const same = await this.inbox
      .model<MailboxRecord>(MailboxRecord)
      .findOneAndUpdate({ _id, workspaceId }, { $set: { email } }, { returnDocument: 'after' })
      .orFail()
      .lean<MailboxRecord>();
    return { workspace, mailbox: same };
  }

  /** Copies the first warmup of this time, because a start by the service is slow. */
  async #start(workspace: WorkspaceScope, mailbox: MailboxRecord, config: Partial<WarmupConfig>): Promise<Member> {
    const at = this.inbox.clock.now().getTime();
    const { _id, workspaceId } = mailbox;
    const [warmups, mailboxes] = [this.inbox.model(WarmupRecord), this.inbox.model<MailboxRecord>(MailboxRecord)];
    if (this.#first?.at === at) {
      const { record, warmup } = this.#first;
      const own = { ...record, config: { ...record.config, replyRates: NO_REPLIES, ...config } };
      const ids = new Map([
        [record._id.toHexString(), _id],
        [record.workspaceId.toHexString(), workspaceId],
      ]);
      await insertLike(this.inbox.model<StartedWarmup['record']>(WarmupRecord), [own], ids);
      await mailboxes.updateOne({ _id, workspaceId }, { $set: { warmup } });
      return { workspace, mailbox };
    }
    await this.inbox.get(WarmupsService).start(workspace, _id.toHexString());
    const [record] = await stored(this.inbox.model<StartedWarmup['record']>(WarmupRecord), { _id });
    const { warmup } = await mailboxes.findOne({ _id, workspaceId }).orFail().lean<MailboxRecord>();
    if (!record) throw new Error('not started');
    this.#first = { at, record, warmup };
    const changes = { replyRates: NO_REPLIES, ...config };
    const $set = Object.fromEntries(Object.entries(changes).map(([field, value]) => [`config.${field}`, value]));
    await warmups.updateOne({ _id, workspaceId }, { $set });
    return { workspace, mailbox };
  }
}
