import { type WorkspaceScope } from '@domain/access';
import { EventsService, type NewEvent } from '@domain/events';
import { MailboxDomainRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { getDay } from '@platform/time';
import { type Model, type Types } from 'mongoose';
import { DomainHealthRecord } from '../schemas/domain-health.record';
import { HealthEntryRecord } from '../schemas/health-entry.record';
import { HEALTH_CHECKS, type HealthReport, type HealthStatuses, getProblems, getStatuses } from './health-report';
import { settledAfter, getTransitions } from './health-change';
import { nextHealthCheck } from './health-check-interval';
import { getSetup } from './health-setup';

/** Mailboxes that are told at once. */
const BATCH = 500;

/** What a check found of a domain. */
interface Found {
  readonly checkedAt: Date;
  readonly healthScore: number | null;
  readonly statuses: HealthStatuses;
  readonly report: HealthReport;
}

/** What follows from a check: the stored result, its history, what mailboxes show, and events. */
@Injectable()
export class HealthOutcomesService {
  constructor(
    @InjectModel(DomainHealthRecord.name) private readonly healths: Model<DomainHealthRecord>,
    @InjectModel(HealthEntryRecord.name) private readonly entries: Model<HealthEntryRecord>,
    private readonly domains: MailboxDomainRepository,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Stores what was found and tells everybody. Between the two the domain stays due: whoever dies there is followed by the next
   * check, which tells first (`tell`).
   * @param claimed as it was when its check was claimed
   * @returns how the domain stands by this check; nothing of it is stored when somebody else has claimed the domain since
   */
  async apply(
    claimed: DomainHealthRecord,
    report: HealthReport,
  ): Promise<{ health: DomainHealthRecord; isStored: boolean }> {
    const statuses = getStatuses(report);
    const healthScore = report.healthScore ?? claimed.healthScore;
    const found = { checkedAt: this.clock.now(), healthScore, statuses, report };
    const stored = await this.transactions.run(() => this.#store(claimed, found));
    return stored
      ? { health: await this.notify(stored), isStored: true }
      : { health: Object.assign(claimed, found), isStored: false };
  }

  /** Tells the mailboxes of the domain what was stored; each event once, however often it is called. */
  async notify(health: DomainHealthRecord): Promise<DomainHealthRecord> {
    const { _id, workspaceId, domain, untold, nextCheckAt, revision } = health;
    if (!untold) return health;
    const workspace = { workspaceId: workspaceId.toHexString() };
    if (untold.transitions.length > 0) await this.#record(workspace, health);
    await this.domains.writeFindings(workspace, domain, getSetup(health));
    const told = await this.healths
      .findOneAndUpdate(
        { _id, workspaceId, nextCheckAt, revision },
        { $set: { untold: null, nextCheckAt: untold.nextCheckAt } },
        { returnDocument: 'after' },
      )
      .lean<DomainHealthRecord>();
    return told ?? this.#overtaken(health);
  }

  /** Somebody else has told it meanwhile, and may have stored a later result since: mailboxes are left with that one. */
  async #overtaken(written: DomainHealthRecord): Promise<DomainHealthRecord> {
    const { _id, workspaceId, domain, revision } = written;
    const latest = await this.healths.findOne({ _id, workspaceId }).lean<DomainHealthRecord>();
    if (!latest || latest.revision === revision) return latest ?? written;
    await this.domains.writeFindings({ workspaceId: workspaceId.toHexString() }, domain, getSetup(latest));
    return this.#overtaken(latest);
  }

  async #store(claimed: DomainHealthRecord, found: Found): Promise<DomainHealthRecord | null> {
    const { _id, workspaceId, domain, nextCheckAt, revision } = claimed;
    const { checkedAt: now, healthScore, statuses, report } = found;
    const transitions = getTransitions(claimed.settled, statuses, getProblems(report));
    const today = getDay(now, 'UTC');
    const isNews = claimed.notedOn !== today || healthScore !== claimed.healthScore || differ(claimed, statuses);
    const stored = await this.healths
      .findOneAndUpdate(
        { _id, workspaceId, nextCheckAt, revision },
        {
          $set: {
            ...found,
            settled: settledAfter(claimed.settled, statuses),
            untold: { transitions, nextCheckAt: nextHealthCheck(statuses, `${String(workspaceId)} ${domain}`, now) },
            notedOn: today,
          },
          $inc: { revision: 1 },
        },
        { returnDocument: 'after' },
      )
      .lean<DomainHealthRecord>();
    if (stored && isNews) await this.entries.create({ workspaceId, domain, healthScore, statuses, transitions });
    return stored;
  }

  async #record(workspace: Pick<WorkspaceScope, 'workspaceId'>, health: DomainHealthRecord): Promise<void> {
    let after: Types.ObjectId | undefined;
    do {
      const mailboxes = await this.domains.listPage(workspace, health.domain, BATCH, after);
      await this.events.recordAll(
        workspace,
        mailboxes.flatMap((mailbox) => eventsOf(health, mailbox)),
      );
      after = mailboxes.length < BATCH ? undefined : mailboxes.at(-1)?._id;
    } while (after);
  }
}

function differ(before: DomainHealthRecord, statuses: HealthStatuses): boolean {
  return HEALTH_CHECKS.some((check) => before.statuses[check] !== statuses[check]);
}

function eventsOf(
  { domain, healthScore, revision, checkedAt, untold }: DomainHealthRecord,
  mailbox: { _id: Types.ObjectId; email: string },
): NewEvent[] {
  const mailboxId = mailbox._id.toHexString();
  return (untold?.transitions ?? []).map(({ check, from, to, problems }) => ({
    type: 'mailbox.health_changed',
    dedupeKey: `mailbox.health_changed:${mailboxId}:${check}:${revision}`,
    about: { mailboxId },
    data: { email: mailbox.email, domain, check, from, to, healthScore, problems },
    ...(checkedAt && { at: checkedAt }),
  }));
}
