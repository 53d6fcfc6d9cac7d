import { MailboxDomainRepository, MailboxHookRegistry } from '@domain/mailboxes';
import { type WorkspaceScope } from '@domain/access';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { DomainHealthRecord } from '../schemas/domain-health.record';
import { getSetup } from './health-setup';
import { getDomain } from './sending-domain';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;
interface Mailbox {
  readonly _id: Types.ObjectId;
  readonly email: string;
}

/** What was found within this time counts for a mailbox that comes to the domain. */
const RECENT_MS = 3_600_000;
/** Mailboxes that are read at once. */
const BATCH = 500;

/** Which domains are looked after: those of the mailboxes that there are. */
@Injectable()
export class DomainEnrolmentService implements OnModuleInit {
  constructor(
    @InjectModel(DomainHealthRecord.name) private readonly healths: Model<DomainHealthRecord>,
    private readonly domains: MailboxDomainRepository,
    private readonly uses: MailboxHookRegistry,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  onModuleInit(): void {
    this.uses.register({ released: (workspace, mailboxId) => this.#released(workspace, mailboxId) });
  }

  /**
   * Finds the mailboxes that nobody looks after yet and makes their domains due; interrupted anywhere, the next call goes on.
   * @returns what they are mailboxes of
   */
  async *enrolNew(): AsyncGenerator<DomainHealthRecord> {
    for (let mailboxes = await this.domains.listUnassigned(BATCH); mailboxes.length > 0;) {
      const groups = Map.groupBy(
        mailboxes,
        ({ workspaceId, email }) => `${workspaceId.toHexString()} ${getDomain(email)}`,
      );
      for (const [first, ...others] of groups.values()) {
        if (first) yield await this.#enrol({ workspaceId: first.workspaceId.toHexString() }, [first, ...others]);
      }
      mailboxes = mailboxes.length < BATCH ? [] : await this.domains.listUnassigned(BATCH);
    }
  }

  /** How the domain of a mailbox stands; from now on it is looked after, if it was not before. */
  async of(workspace: Workspace, mailbox: Mailbox): Promise<DomainHealthRecord> {
    return (await this.find(workspace, mailbox.email)) ?? this.#enrol(workspace, [mailbox]);
  }

  /** How the domain of an address stands; null while nobody looks after it. */
  async find({ workspaceId }: Workspace, email: string): Promise<DomainHealthRecord | null> {
    return this.healths.findOne({ workspaceId, domain: getDomain(email) }).lean<DomainHealthRecord>();
  }

  /** Lets go of a domain that has no mailbox any more. @returns whether that is so */
  async forgetIfEmpty({ workspaceId: of, domain }: DomainHealthRecord): Promise<boolean> {
    const workspaceId = of.toHexString();
    return this.transactions.run(async () => {
      if (await this.domains.hasMailbox({ workspaceId }, domain)) return false;
      await this.healths.deleteOne({ workspaceId, domain });
      return true;
    });
  }

  /** All of them are of one domain. */
  async #enrol({ workspaceId }: Workspace, mailboxes: readonly Mailbox[]): Promise<DomainHealthRecord> {
    const domain = getDomain(mailboxes[0]?.email ?? '');
    return this.transactions.run(async () => {
      const now = this.clock.now();
      const found = await rerunOnWriteConflict(() =>
        this.healths
          .findOneAndUpdate(
            { workspaceId, domain },
            { $inc: { arrivals: 1 }, $setOnInsert: { nextCheckAt: now } },
            { upsert: true, returnDocument: 'after', setDefaultsOnInsert: true },
          )
          .lean<DomainHealthRecord>()
          .orFail(),
      );
      const ids = mailboxes.map(({ _id }) => _id);
      await this.domains.assign({ workspaceId }, ids, domain, getSetup(found));
      const isOld = found.checkedAt !== null && found.checkedAt <= this.clock.in(-RECENT_MS);
      return isOld && found.nextCheckAt > now ? this.#makeDue(found, now) : found;
    });
  }

  async #makeDue({ _id, workspaceId }: DomainHealthRecord, now: Date): Promise<DomainHealthRecord> {
    return this.healths
      .findOneAndUpdate({ _id, workspaceId }, { $set: { nextCheckAt: now } }, { returnDocument: 'after' })
      .lean<DomainHealthRecord>()
      .orFail();
  }

  /** The mailbox is being deleted. Two that go at the same time leave the domain to the next check. */
  async #released(workspace: Workspace, mailboxId: string): Promise<void> {
    const domain = await this.domains.findDomain(workspace, mailboxId);
    if (domain === null || (await this.domains.hasMailbox(workspace, domain, mailboxId))) return;
    await this.healths.deleteOne({ workspaceId: workspace.workspaceId, domain });
  }
}
