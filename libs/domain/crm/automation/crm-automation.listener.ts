import { type CrmType } from '@adapters/crm';
import { type EventRecord, type EventSubscriber, EVENT_SUBSCRIBERS, type EventType } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Listens } from '@platform/hooks';
import { type Model } from 'mongoose';
import { CrmActivitiesService } from '../activity/crm-activities.service';
import { CrmWorkPartitionService } from '../work-partitions/crm-work-partition.service';
import { type CrmConnectionHooks, CRM_CONNECTION_HOOKS } from '../connections/crm-connection-hooks';
import {
  SUBSCRIBED_EVENTS,
  isPushTrigger,
  isSubscribedToActivity,
  type AutomationSubscription,
} from './automation-subscription';
import { CrmPushQueueRepository } from './crm-push-queue.repository';
import { CrmAutomationRecord } from './schemas/crm-automation.record';

/** Creates activities and pushes from events, and removes the automation with its connection. */
@Injectable()
@Listens(CRM_CONNECTION_HOOKS)
@Listens(EVENT_SUBSCRIBERS)
export class CrmAutomationListener implements EventSubscriber, CrmConnectionHooks {
  readonly name = 'crm-automation';
  readonly types: ReadonlySet<EventType> = SUBSCRIBED_EVENTS;

  constructor(
    @InjectModel(CrmAutomationRecord.name) private readonly automations: Model<CrmAutomationRecord>,
    private readonly activities: CrmActivitiesService,
    private readonly pushes: CrmPushQueueRepository,
    private readonly partitions: CrmWorkPartitionService,
  ) {}

  async handle(events: readonly EventRecord[]): Promise<void> {
    const all = await this.#findSubscriptions(events);
    const inputs = all.flatMap((subscription) =>
      events
        .filter((event) => isSubscribedToActivity(subscription, event))
        .map((event) => ({ crmType: subscription.crmType, event })),
    );
    if ((await this.activities.create(inputs)) > 0) {
      for (const { workspaceId, crmType } of filterSubscribed(all, events)) {
        await this.partitions.schedule(workspaceId.toHexString(), crmType);
      }
    }
    await this.pushes.plan(
      all.flatMap((subscription) =>
        events
          .filter((event) => isPushTrigger(subscription, event))
          .flatMap(({ workspaceId, leadId }) =>
            leadId ? [{ workspaceId, crmType: subscription.crmType, leadId }] : [],
          ),
      ),
    );
  }

  async afterCommit(events: readonly EventRecord[]): Promise<void> {
    for (const { workspaceId, crmType } of filterSubscribed(await this.#findSubscriptions(events), events)) {
      await this.partitions.enqueue(workspaceId.toHexString(), crmType);
    }
  }

  async disconnected(
    workspaceId: string,
    crmType: CrmType,
    why: 'refused' | 'switched_off' | 'removed',
  ): Promise<void> {
    if (why !== 'removed') return;
    await this.automations.deleteOne({ workspaceId, crmType });
    await this.pushes.removeAll(workspaceId, crmType);
  }

  #findSubscriptions(events: readonly EventRecord[]): Promise<AutomationSubscription[]> {
    const workspaceId = { $in: [...new Set(events.map((event) => event.workspaceId.toHexString()))] };
    return this.automations
      .find({ workspaceId }, { workspaceId: 1, crmType: 1, activities: 1, pushOn: 1, campaignIds: 1, since: 1 })
      .setOptions({ allWorkspaces: 'the worker relays the events of all workspaces' })
      .lean<AutomationSubscription[]>();
  }
}

/** Subscriptions that match at least one event. */
function filterSubscribed(
  all: readonly AutomationSubscription[],
  events: readonly EventRecord[],
): readonly AutomationSubscription[] {
  return all.filter((subscription) => events.some((event) => isSubscribedToActivity(subscription, event)));
}
