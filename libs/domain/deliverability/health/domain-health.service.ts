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
import { DomainExaminationService, type ExaminationOptions } from './domain-examination.service';
import { getSettled, getTransitions } from './health-change';
import { nextHealthCheck } from './health-check-interval';
import { HEALTH_CHECKS, type HealthReport, type HealthStatuses, getProblems, getStatuses } from './health-report';
import { getSetup } from './health-setup';
import { MailboxHealthQueue } from './mailbox-health.queue';

/** An unfinished check is repeated after this time, which is longer than any check takes. */
const CLAIMED_MS = 5 * 60_000;
/** A result of this age is returned instead of a new check, to spare foreign DNS servers. */
const FRESH_MS = 10_000;
/** Attempts to claim a check on demand, since another worker may store a result in between. */
const ATTEMPTS = 3;

/** Mailboxes that are updated at once. */
const BATCH = 500;

/** Result of a check. */
interface Found {
  readonly checkedAt: Date;
  readonly healthScore: number | null;
  readonly statuses: HealthStatuses;
  readonly report: HealthReport;
}

/** Checks domains, one check per domain at a time; stores results and updates mailboxes, history and events. */
@Injectable()
export class DomainHealthService {
  /** Running checks on demand, by the id of the record. */
  readonly #running = new Map<string, Promise<DomainHealthRecord | null>>();

  constructor(
    @InjectModel(DomainHealthRecord.name) private readonly healths: Model<DomainHealthRecord>,
    @InjectModel(HealthEntryRecord.name) private readonly entries: Model<HealthEntryRecord>,
    private readonly examiner: DomainExaminationService,
    private readonly queue: MailboxHealthQueue,
    private readonly clock: ClockPort,
    private readonly domains: MailboxDomainRepository,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Checks a due domain unless another worker has claimed it. A stored result that mailboxes have not received is delivered
   * first. Uses cached DNS answers.
   */
  async examineDue(health: DomainHealthRecord, signal: AbortSignal): Promise<void> {
    if (health.pendingEvents) return this.queue.plan([await this.notifyMailboxes(health)]);
    const { _id, workspaceId, nextCheckAt } = health;
    const claimed = await this.#claim({ _id, workspaceId, nextCheckAt });
    if (claimed) await this.#examine(claimed, { fresh: false, signal });
  }

  /**
   * Checks a domain now, without caches. A result of the last ten seconds is returned instead; concurrent calls share one check.
   * @param force also within the ten seconds, because an input of the check has changed
   * @returns the current health; null for a deleted domain
   */
  async examineNow(health: DomainHealthRecord, { force }: { force: boolean }): Promise<DomainHealthRecord | null> {
    const isFresh = health.checkedAt !== null && health.checkedAt > this.clock.in(-FRESH_MS);
    if (isFresh && !force) return health;
    const id = health._id.toHexString();
    const running = this.#running.get(id);
    if (running && !force) return running;
    const current = this.#check(health).finally(() => {
      if (this.#running.get(id) === current) this.#running.delete(id);
    });
    this.#running.set(id, current);
    return current;
  }

  /**
   * Stores a report and notifies the mailboxes. The domain stays due in between, so that the next check completes an interrupted
   * notification.
   * @param claimed the record at the time of the claim
   * @returns the health by this report, which is not stored after another worker has claimed the domain
   */
  async applyReport(
    claimed: DomainHealthRecord,
    report: HealthReport,
  ): Promise<{ health: DomainHealthRecord; isStored: boolean }> {
    const statuses = getStatuses(report);
    const healthScore = report.healthScore ?? claimed.healthScore;
    const found = { checkedAt: this.clock.now(), healthScore, statuses, report };
    const stored = await this.transactions.run(() => this.#saveReport(claimed, found));
    return stored
      ? { health: await this.notifyMailboxes(stored), isStored: true }
      : { health: Object.assign(claimed, found), isStored: false };
  }

  /** Writes the stored result to the mailboxes of the domain and records its events once, however often it is called. */
  async notifyMailboxes(health: DomainHealthRecord): Promise<DomainHealthRecord> {
    const { _id, workspaceId, domain, pendingEvents, nextCheckAt, revision } = health;
    if (!pendingEvents) return health;
    const workspace = { workspaceId: workspaceId.toHexString() };
    if (pendingEvents.transitions.length > 0) await this.#recordEvents(workspace, health);
    await this.domains.writeFindings(workspace, domain, getSetup(health));
    const notified = await this.healths
      .findOneAndUpdate(
        { _id, workspaceId, nextCheckAt, revision },
        { $set: { pendingEvents: null, nextCheckAt: pendingEvents.nextCheckAt } },
        { returnDocument: 'after' },
      )
      .lean<DomainHealthRecord>();
    return notified ?? this.#writeLatest(health);
  }

  /** Takes over the check of another worker, which then stores nothing. */
  async #check({ _id, workspaceId }: DomainHealthRecord): Promise<DomainHealthRecord | null> {
    const current = () => this.healths.findOne({ _id, workspaceId }).lean<DomainHealthRecord>();
    let claimed: DomainHealthRecord | null = null;
    for (let attempt = 0; attempt < ATTEMPTS && !claimed; attempt++) {
      const health = await current();
      if (!health) return null;
      await this.notifyMailboxes(health);
      claimed = await this.#claim({ _id, workspaceId });
    }
    return claimed ? this.#examine(claimed, { fresh: true }) : current();
  }

  /** @returns the result, also when another worker has taken the check over and stores its own */
  async #examine(claimed: DomainHealthRecord, options: ExaminationOptions): Promise<DomainHealthRecord> {
    const report = await this.examiner.examine(claimed, options);
    const { health, isStored } = await this.applyReport(claimed, report);
    if (isStored) await this.queue.plan([health]);
    return health;
  }

  /** Null when another worker has claimed the domain, and while a result is not delivered: results must keep their order. */
  async #claim(
    where: Pick<DomainHealthRecord, '_id' | 'workspaceId'> & Partial<DomainHealthRecord>,
  ): Promise<DomainHealthRecord | null> {
    const claim = { $set: { nextCheckAt: this.clock.in(CLAIMED_MS) } };
    return this.healths
      .findOneAndUpdate({ ...where, pendingEvents: null }, claim, { returnDocument: 'after' })
      .lean<DomainHealthRecord>();
  }

  /** Another worker has delivered the result and may have stored a later one: mailboxes receive the latest. */
  async #writeLatest(written: DomainHealthRecord): Promise<DomainHealthRecord> {
    const { _id, workspaceId, domain, revision } = written;
    const latest = await this.healths.findOne({ _id, workspaceId }).lean<DomainHealthRecord>();
    if (!latest || latest.revision === revision) return latest ?? written;
    await this.domains.writeFindings({ workspaceId: workspaceId.toHexString() }, domain, getSetup(latest));
    return this.#writeLatest(latest);
  }

  async #saveReport(claimed: DomainHealthRecord, found: Found): Promise<DomainHealthRecord | null> {
    const { _id, workspaceId, domain, nextCheckAt, revision } = claimed;
    const { checkedAt: now, healthScore, statuses, report } = found;
    const transitions = getTransitions(claimed.settled, statuses, getProblems(report));
    const today = getDay(now, 'UTC');
    const isNews = claimed.notedOn !== today || healthScore !== claimed.healthScore || hasChanged(claimed, statuses);
    const stored = await this.healths
      .findOneAndUpdate(
        { _id, workspaceId, nextCheckAt, revision },
        {
          $set: {
            ...found,
            settled: getSettled(claimed.settled, statuses),
            pendingEvents: {
              transitions,
              nextCheckAt: nextHealthCheck(statuses, `${String(workspaceId)} ${domain}`, now),
            },
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

  async #recordEvents(workspace: Pick<WorkspaceScope, 'workspaceId'>, health: DomainHealthRecord): Promise<void> {
    let after: Types.ObjectId | undefined;
    do {
      const mailboxes = await this.domains.listPage(workspace, health.domain, BATCH, after);
      await this.events.recordAll(
        workspace,
        mailboxes.flatMap((mailbox) => toEvents(health, mailbox)),
      );
      after = mailboxes.length < BATCH ? undefined : mailboxes.at(-1)?._id;
    } while (after);
  }
}

function hasChanged(before: DomainHealthRecord, statuses: HealthStatuses): boolean {
  return HEALTH_CHECKS.some((check) => before.statuses[check] !== statuses[check]);
}

function toEvents(
  { domain, healthScore, revision, checkedAt, pendingEvents }: DomainHealthRecord,
  mailbox: { _id: Types.ObjectId; email: string },
): NewEvent[] {
  const mailboxId = mailbox._id.toHexString();
  return (pendingEvents?.transitions ?? []).map(({ check, from, to, problems }) => ({
    type: 'mailbox.health_changed',
    dedupeKey: `mailbox.health_changed:${mailboxId}:${check}:${revision}`,
    about: { mailboxId },
    data: { email: mailbox.email, domain, check, from, to, healthScore, problems },
    ...(checkedAt && { at: checkedAt }),
  }));
}
