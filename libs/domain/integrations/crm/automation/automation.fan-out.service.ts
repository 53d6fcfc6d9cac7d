import { type EventRecord, type EventSubscriber, EventSubscriberRegistry, type EventType } from '@domain/events';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { NewActivities } from '../activity/new.activities.service';
import { CrmLanes } from '../lanes/crm.lanes.service';
import { HEARD_EVENTS, wantsPushed, wantsTold, type Wishes } from './automation.wishes';
import { DuePushes } from './due.pushes.service';
import { CrmAutomationRecord } from './schemas/crm-automation.record';

/** Makes of each event what CRMs are to be told, and whom they are to be pushed. */
@Injectable()
export class AutomationFanOut implements EventSubscriber, OnModuleInit {
  readonly name = 'crm-automation';
  readonly types: ReadonlySet<EventType> = HEARD_EVENTS;

  constructor(
    @InjectModel(CrmAutomationRecord.name) private readonly automations: Model<CrmAutomationRecord>,
    private readonly activities: NewActivities,
    private readonly pushes: DuePushes,
    private readonly lanes: CrmLanes,
    private readonly subscribers: EventSubscriberRegistry,
  ) {}

  onModuleInit(): void {
    this.subscribers.register(this);
  }

  async take(events: readonly EventRecord[]): Promise<void> {
    const all = await this.#wishes(events);
    const tales = all.flatMap((wishes) =>
      events.filter((event) => wantsTold(wishes, event)).map((event) => ({ crmType: wishes.crmType, event })),
    );
    if ((await this.activities.make(tales)) > 0) {
      for (const { workspaceId, crmType } of toldOf(all, events)) {
        await this.lanes.plant(workspaceId.toHexString(), crmType);
      }
    }
    await this.pushes.plan(
      all.flatMap((wishes) =>
        events
          .filter((event) => wantsPushed(wishes, event))
          .flatMap(({ workspaceId, leadId }) => (leadId ? [{ workspaceId, crmType: wishes.crmType, leadId }] : [])),
      ),
    );
  }

  async taken(events: readonly EventRecord[]): Promise<void> {
    for (const { workspaceId, crmType } of toldOf(await this.#wishes(events), events)) {
      await this.lanes.announce(workspaceId.toHexString(), crmType);
    }
  }

  #wishes(events: readonly EventRecord[]): Promise<Wishes[]> {
    const workspaceId = { $in: [...new Set(events.map((event) => event.workspaceId.toHexString()))] };
    return this.automations
      .find({ workspaceId }, { workspaceId: 1, crmType: 1, activities: 1, pushOn: 1, campaignIds: 1, since: 1 })
      .setOptions({ allWorkspaces: 'the worker hands on the events of all workspaces' })
      .lean<Wishes[]>();
  }
}

/** CRMs that are told of at least one of them. */
function toldOf(all: readonly Wishes[], events: readonly EventRecord[]): readonly Wishes[] {
  return all.filter((wishes) => events.some((event) => wantsTold(wishes, event)));
}
