import { type WorkspaceScope } from '@domain/access';
import { MailboxRecord } from '@domain/mailboxes';
import { Types } from 'mongoose';
import { insertLike, type SendingFixture, stored } from '../../../sending/testing';
import { WarmupsService } from '../../config/warmups.service';
import { type UpdateWarmupRequest } from '../../dto/warmup-requests.dto';
import { WarmupRecord } from '../../schemas/warmup.record';

/** A mailbox in warmup, and its workspace. */
export interface WarmMailbox {
  readonly id: string;
  readonly email: string;
  readonly workspace: WorkspaceScope;
}

/** The records of a mailbox whose warmup the service started. */
interface StartedWarmup {
  readonly mailbox: Pick<MailboxRecord, keyof MailboxRecord>;
  readonly warmup: Pick<WarmupRecord, keyof WarmupRecord>;
}

/** Creates mailboxes in warmup. */
export class WarmMailboxes {
  /** The first mailbox of each kind: time, settings and fields. */
  readonly #first = new Map<string, StartedWarmup>();

  constructor(private readonly sending: SendingFixture) {}

  /** Starts a warmup for the first mailbox of a kind and copies it for the others, because a start is slow. */
  async create(config: UpdateWarmupRequest = {}, fields: Partial<MailboxRecord> = {}): Promise<WarmMailbox> {
    const kind = JSON.stringify([this.sending.clock.now(), config, fields]);
    const first = this.#first.get(kind);
    if (!first) return this.#createFirst(kind, config, fields);
    const { workspace } = this.sending;
    const _id = new Types.ObjectId();
    const { email = `like-${_id.toHexString()}@senders.test` } = fields;
    const mailbox = { ...first.mailbox, email, ...this.sending.credentials(_id, email) };
    const ids = new Map([
      [first.mailbox._id.toHexString(), _id],
      [first.mailbox.workspaceId.toHexString(), new Types.ObjectId(workspace.workspaceId)],
    ]);
    await insertLike<StartedWarmup['mailbox']>(this.sending.model(MailboxRecord), [mailbox], ids);
    await insertLike<StartedWarmup['warmup']>(this.sending.model(WarmupRecord), [first.warmup], ids);
    return { id: _id.toHexString(), email, workspace };
  }

  async #createFirst(kind: string, config: UpdateWarmupRequest, fields: Partial<MailboxRecord>): Promise<WarmMailbox> {
    const id = await this.sending.mailbox(fields);
    const { workspace } = this.sending;
    if (Object.keys(config).length > 0) await this.sending.get(WarmupsService).update(workspace, id, config);
    await this.sending.get(WarmupsService).start(workspace, id);
    const _id = new Types.ObjectId(id);
    const [mailbox] = await stored(this.sending.model<StartedWarmup['mailbox']>(MailboxRecord), { _id });
    const [warmup] = await stored(this.sending.model<StartedWarmup['warmup']>(WarmupRecord), { _id });
    if (!mailbox || !warmup) throw new Error('not started');
    this.#first.set(kind, { mailbox, warmup });
    return { id, email: mailbox.email, workspace };
  }
}
