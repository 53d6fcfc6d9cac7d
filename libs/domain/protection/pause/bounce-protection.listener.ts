import { type CampaignUse, CampaignHookRegistry } from '@domain/campaigns';
import { MailboxRepository, type MailboxHooks, MailboxHookRegistry } from '@domain/mailboxes';
import { type WorkspaceScope } from '@domain/access';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, Types } from 'mongoose';
import { BounceTallyRecord } from '../schemas/bounce-tally.record';
import { ProtectedSubjectRecord, type ProtectedKind } from '../schemas/protected-subject.record';
import { subjectName } from '../tally/bounce-tally';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** A person resumes a mailbox: what came back until then is taken as looked at. What is deleted leaves nothing behind. */
@Injectable()
export class BounceProtectionListener implements Partial<MailboxHooks>, OnModuleInit {
  constructor(
    @InjectModel(ProtectedSubjectRecord.name) private readonly subjects: Model<ProtectedSubjectRecord>,
    @InjectModel(BounceTallyRecord.name) private readonly tallies: Model<BounceTallyRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly mailboxUses: MailboxHookRegistry,
    private readonly campaignUses: CampaignHookRegistry,
    private readonly clock: ClockPort,
  ) {}

  onModuleInit(): void {
    this.mailboxUses.register(this);
    const campaigns: CampaignUse = {
      erase: (workspace, campaignId) => this.#erase(workspace, 'campaign', campaignId),
    };
    this.campaignUses.register(campaigns);
  }

  /** Its domain, too, where that was stopped: the other mailboxes of it are resumed one by one. Joins the transaction. */
  async resumed({ workspaceId }: Workspace, mailboxId: string): Promise<boolean> {
    const names = [subjectName({ kind: 'mailbox', key: mailboxId })];
    const [mailbox] = await this.mailboxes.listAll(new Types.ObjectId(workspaceId), [new Types.ObjectId(mailboxId)]);
    const domain = mailbox?.email.split('@').at(-1);
    if (domain) names.push(subjectName({ kind: 'domain', key: domain }));
    const { modifiedCount } = await this.subjects.updateMany(
      { workspaceId, subject: { $in: names }, stoppedAt: { $ne: null } },
      { $set: { since: this.clock.now(), stoppedAt: null, due: false } },
    );
    return modifiedCount > 0;
  }

  async erase(workspace: Workspace, mailboxId: string): Promise<void> {
    await this.#erase(workspace, 'mailbox', mailboxId);
  }

  async #erase({ workspaceId }: Workspace, kind: ProtectedKind, key: string): Promise<void> {
    const subject = subjectName({ kind, key });
    await this.tallies.deleteMany({ workspaceId, subject });
    await this.subjects.deleteMany({ workspaceId, subject });
  }
}
