import { type WorkspaceScope } from '@domain/access';
import { MailboxDomainRepository, MAILBOX_HOOKS, type MailboxHooks } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { Listens } from '@platform/hooks';
import { type Model, type Types } from 'mongoose';
import { DomainHealthRecord } from '../schemas/domain-health.record';
import { getSetup } from './health-setup';
import { getDomain } from './sending-domain';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;
interface Mailbox {
  readonly _id: Types.ObjectId;
  readonly email: string;
}

/** A result of this age is valid for a new mailbox of the domain. */
const RECENT_MS = 3_600_000;
/** Mailboxes that are read at once. */
const BATCH = 500;

/** Enrolled domains: those of all mailboxes. */
@Injectable()
@Listens(MAILBOX_HOOKS)
export class DomainEnrolmentService implements MailboxHooks {
  constructor(
    @InjectModel(DomainHealthRecord.name) private readonly healths: Model<DomainHealthRecord>,
    private readonly domains: MailboxDomainRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Enrols the domains of new mailboxes and makes them due. If interrupted, the next call continues.
   * @returns the enrolled domains
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

  /** Returns the health of a mailbox's domain; enrols it first if necessary. */
  async findOrEnrol(workspace: Workspace, mailbox: Mailbox): Promise<DomainHealthRecord> {
    return (await this.find(workspace, mailbox.email)) ?? this.#enrol(workspace, [mailbox]);
  }

  /** Returns the health of an address's domain; null before its enrolment. */
  async find({ workspaceId }: Workspace, email: string): Promise<DomainHealthRecord | null> {
    return this.healths.findOne({ workspaceId, domain: getDomain(email) }).lean<DomainHealthRecord>();
  }

  /** Deletes a domain without mailboxes. @returns whether it was deleted */
  async forgetIfEmpty({ workspaceId: of, domain }: DomainHealthRecord): Promise<boolean> {
    const workspaceId = of.toHexString();
    return this.transactions.run(async () => {
      if (await this.domains.hasMailbox({ workspaceId }, domain)) return false;
      await this.healths.deleteOne({ workspaceId, domain });
      return true;
    });
  }

  /** Joins the deletion of the mailbox. After two concurrent deletions the next check deletes the domain. */
  async released(workspace: Workspace, mailboxId: string): Promise<void> {
    const domain = await this.domains.findDomain(workspace, mailboxId);
    if (domain === null || (await this.domains.hasMailbox(workspace, domain, mailboxId))) return;
    await this.healths.deleteOne({ workspaceId: workspace.workspaceId, domain });
  }

  /** All mailboxes are of one domain. */
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
}
