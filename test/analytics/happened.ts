import { systemScope } from '@domain/access';
import { EventRelayService, EventsService, type EventType } from '@domain/events';
import { happening } from '../../libs/domain/events/testing';
import { type Platform, type SeededWorkspace } from '../harness';

let serial = 0;

/** Records events of one type for the first leads of a campaign. */
export async function happened(
  platform: Platform,
  { workspaceId }: Pick<SeededWorkspace, 'workspaceId'>,
  about: { campaignId?: string; mailboxId?: string; leadId?: string },
  happenings: readonly { type: EventType; at: string; count?: number; firstOfLead?: boolean }[],
): Promise<void> {
  const events = happenings.flatMap(({ type, at, count = 1, firstOfLead = false }) =>
    Array.from({ length: count }, () => {
      serial += 1;
      return happening(type, `recorded:${serial}`, { about, firstOfLead, at: new Date(at) });
    }),
  );
  await platform.app.get(EventsService, { strict: false }).recordAll(systemScope(workspaceId), events);
}

/** Relays the recorded events now. */
export async function relayed(platform: Platform): Promise<void> {
  await platform.app.get(EventRelayService, { strict: false }).relay();
}
