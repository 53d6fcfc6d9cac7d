import { type WorkspaceScope } from '@domain/access';
import { MailboxHookRegistry, MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { WarmupRecord } from '../schemas/warmup.record';
import { shownByMailbox, untouched, type Warmup, type WarmupState } from './warmup-state';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Warmups as they are stored, and the mailboxes in step with them. */
@Injectable()
export class WarmupRepository {
  constructor(
    @InjectModel(WarmupRecord.name) private readonly warmups: Model<WarmupRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly uses: MailboxHookRegistry,
    private readonly transactions: TransactionService,
  ) {}

  /** Every mailbox has one. @throws NOT_FOUND for an unknown mailbox */
  async find(workspace: Workspace, mailboxId: string): Promise<Warmup> {
    const mailbox = await this.mailboxes.require(workspace, mailboxId);
    const { _id, workspaceId } = mailbox;
    const stored = await this.warmups.findOne({ _id, workspaceId }, { createdAt: 0, updatedAt: 0 }).lean<WarmupState>();
    return { mailbox, state: stored ?? untouched(mailbox) };
  }

  /**
   * Stores what has changed, and tells the mailbox; joins the running transaction, in which the warmup was found.
   * @throws NOT_FOUND for a mailbox that is gone
   */
  async write({ mailbox, state }: Warmup, changes: Partial<WarmupState>): Promise<Warmup> {
    const { _id, workspaceId } = mailbox;
    const { revision, ...after } = { ...state, ...changes };
    const written = { mailbox, state: { ...after, revision: revision + 1 } };
    await rerunOnWriteConflict(() =>
      this.warmups.updateOne(
        { _id, workspaceId },
        { $set: withoutKeys(after), $inc: { revision: 1 } },
        { upsert: true },
      ),
    );
    await this.mailboxes.writeWarmup({ workspaceId: workspaceId.toHexString() }, _id, shownByMailbox(written));
    return written;
  }

  /** Notes for how many threads the present day has room: what they do not need of the mailbox's limit is there for campaigns. */
  async notePlanned({ mailbox, state }: Warmup, plannedThreads: number): Promise<void> {
    const { _id, workspaceId } = mailbox;
    const { revision } = state;
    if (state.plannedThreads === plannedThreads) return;
    const workspace = { workspaceId: workspaceId.toHexString() };
    const isNoted = await this.transactions.run(async () => {
      const { matchedCount } = await this.warmups.updateOne(
        { _id, workspaceId, revision },
        { $set: { plannedThreads } },
      );
      if (matchedCount === 0) return false;
      await this.mailboxes.writeWarmup(
        workspace,
        _id,
        shownByMailbox({ mailbox, state: { ...state, plannedThreads } }),
      );
      return true;
    });
    if (isNoted) await this.uses.changed(workspace, _id.toHexString());
  }
}

/** What the filter of the update names. */
function withoutKeys({ _id, workspaceId: _workspaceId, ...fields }: Omit<WarmupState, 'revision'>) {
  return fields;
}
