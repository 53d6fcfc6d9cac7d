import { type WorkspaceScope } from '@domain/access';
import { type CampaignHooks, CAMPAIGN_HOOKS } from '@domain/campaigns';
import { MailboxRepository, type MailboxHooks, MAILBOX_HOOKS } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Listens } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { BounceTallyRecord } from '../schemas/bounce-tally.record';
import { ProtectedSubjectRecord, type ProtectedKind } from '../schemas/protected-subject.record';
import { getSubjectName } from '../tally/bounce-tally';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Restarts the count when a person resumes a mailbox, and erases the counts of deleted mailboxes and campaigns. */
@Injectable()
@Listens(MAILBOX_HOOKS)
@Listens(CAMPAIGN_HOOKS)
export class BounceProtectionListener implements MailboxHooks, CampaignHooks {
  constructor(
    @InjectModel(ProtectedSubjectRecord.name) private readonly subjects: Model<ProtectedSubjectRecord>,
    @InjectModel(BounceTallyRecord.name) private readonly tallies: Model<BounceTallyRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Also resumes the stopped domain; its other mailboxes are resumed one by one. Joins the transaction. */
  async resumed({ workspaceId }: Workspace, mailboxId: string): Promise<boolean> {
    const names = [getSubjectName({ kind: 'mailbox', key: mailboxId })];
    const [mailbox] = await this.mailboxes.listAll(new Types.ObjectId(workspaceId), [new Types.ObjectId(mailboxId)]);
    const domain = mailbox?.email.split('@').at(-1);
    if (domain) names.push(getSubjectName({ kind: 'domain', key: domain }));
    const { modifiedCount } = await this.subjects.updateMany(
      { workspaceId, subject: { $in: names }, stoppedAt: { $ne: null } },
      { $set: { since: this.clock.now(), stoppedAt: null, due: false } },
    );
    return modifiedCount > 0;
  }

  async eraseMailbox(workspace: Workspace, mailboxId: string): Promise<void> {
    await this.#erase(workspace, 'mailbox', mailboxId);
  }

  async eraseCampaign(workspace: Workspace, campaignId: string): Promise<void> {
    await this.#erase(workspace, 'campaign', campaignId);
  }

  async #erase({ workspaceId }: Workspace, kind: ProtectedKind, key: string): Promise<void> {
    const subject = getSubjectName({ kind, key });
    await this.tallies.deleteMany({ workspaceId, subject });
    await this.subjects.deleteMany({ workspaceId, subject });
  }
}
