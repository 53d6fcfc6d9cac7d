import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { comparableEmailAddress } from '@platform/validation';
import { type Model } from 'mongoose';
import { CrmPushQueueRepository } from '../automation/crm-push-queue.repository';
import { CrmAutomationRecord } from '../automation/schemas/crm-automation.record';
import { type CrmWorkContext } from '../work-partitions/crm-work-handler';
import { CrmLinkRepository } from '../links/crm-link.repository';
import { type ActivityDraft } from './crm-activities.service';
import { CrmActivityRecord } from './schemas/crm-activity.record';

/** Meanwhile a push creates the person. */
const NEXT_SEARCH_MS = 5 * 60_000;
const MAX_SEARCHES = 6;

const ERASED_REASON = 'The person or the event was erased';
const NOT_FOUND_REASON = 'The CRM has no person with this address';
const PENDING_REASON = 'The person is being created in the CRM';

/** Finds the CRM people of activities. */
@Injectable()
export class CrmActivityPeopleService {
  constructor(
    @InjectModel(CrmActivityRecord.name) private readonly activities: Model<CrmActivityRecord>,
    @InjectModel(CrmAutomationRecord.name) private readonly automations: Model<CrmAutomationRecord>,
    private readonly links: CrmLinkRepository,
    private readonly pushes: CrmPushQueueRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Person ids by activity key: from the links, otherwise from the CRM. @throws CrmError */
  async findExternalIds(
    context: CrmWorkContext,
    activities: readonly ActivityDraft[],
  ): Promise<ReadonlyMap<string, string>> {
    const addresses = [...new Set(activities.map(({ email }) => email))];
    const { workspaceId, type } = context;
    const links = await this.links.findByEmails(
      { workspaceId, type, connectionId: context.crm.connectionId },
      addresses,
    );
    const found = new Map<string, string>();
    for (const { email, externalId } of links.values()) if (externalId !== '') found.set(email, externalId);
    const unlinked = addresses.filter((address) => !found.has(address));
    const { session } = context.crm;
    for (let at = 0; at < unlinked.length; at += session.limits.find) {
      const people = await session.find(unlinked.slice(at, at + session.limits.find), [], context.signal);
      // Of several people with one address, the last updated one.
      for (const person of people.toSorted((one, other) => one.updatedAt.getTime() - other.updatedAt.getTime())) {
        for (const email of person.emails) found.set(comparableEmailAddress(email), person.externalId);
      }
    }
    return new Map(
      activities.flatMap(({ key, email }) => {
        const externalId = found.get(email);
        return externalId === undefined ? [] : [[key, externalId] as const];
      }),
    );
  }

  /** Postpones activities whose person is being created, and skips the others without a person. */
  async deferUnresolved(
    context: CrmWorkContext,
    batch: readonly CrmActivityRecord[],
    { worded, found }: { worded: readonly ActivityDraft[]; found: ReadonlyMap<string, string> },
  ): Promise<void> {
    const { workspaceId, type: crmType } = context;
    const left = batch.filter(({ _id }) => !found.has(_id.toHexString()));
    if (left.length === 0) return;
    const automation = await this.automations.findOne({ workspaceId, crmType }, { createPeople: 1 }).lean();
    const keys = new Set(worded.map(({ key }) => key));
    const isMade = (activity: CrmActivityRecord): boolean =>
      automation?.createPeople === true && activity.searches + 1 < MAX_SEARCHES && keys.has(activity._id.toHexString());
    const waiting = left.filter(isMade);
    const over = left.filter((activity) => !isMade(activity));
    const erased = over.filter(({ _id }) => !keys.has(_id.toHexString()));
    const missing = over.filter(({ _id }) => keys.has(_id.toHexString()));
    await this.transactions.run(async () => {
      await context.requireLease();
      await this.#update(workspaceId, waiting, {
        $set: { dueAt: this.clock.in(NEXT_SEARCH_MS), reason: PENDING_REASON },
        $inc: { searches: 1 },
      });
      await this.#update(workspaceId, erased, { $set: { state: 'skipped', reason: ERASED_REASON } });
      await this.#update(workspaceId, missing, { $set: { state: 'skipped', reason: NOT_FOUND_REASON } });
      await this.pushes.plan(waiting.map(({ workspaceId: of, leadId }) => ({ workspaceId: of, crmType, leadId })));
    });
  }

  async #update(
    workspaceId: string,
    some: readonly CrmActivityRecord[],
    update: Record<string, object>,
  ): Promise<void> {
    if (some.length === 0) return;
    const _id = { $in: some.map((activity) => activity._id) };
    await this.activities.updateMany({ _id, workspaceId, state: 'pending' }, update, { timestamps: false });
  }
}
