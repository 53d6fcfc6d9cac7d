import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type Platform, type SeededWorkspace } from '../harness';

/** Enables HubSpot activities for sent emails, and stores two recorded ones. */
export async function makeActivities(platform: Platform, { workspaceId, key }: SeededWorkspace): Promise<void> {
  const url = '/v1/integrations/crm/hubspot/automation';
  await platform.api
    .as(key)
    .put(url)
    .send({ activities: ['email.sent'] })
    .expect(200);
  const activities = platform.app.get<Model<object>>(getModelToken('CrmActivityRecord'), { strict: false });
  const at = platform.clock.now();
  const posted = { workspaceId: new Types.ObjectId(workspaceId), crmType: 'hubspot', event: 'email.sent' };
  const recorded = { ...posted, state: 'recorded', at, dueAt: at, createdAt: at, externalId: '1', activityId: '2' };
  const event = () => ({ ...recorded, eventId: new Types.ObjectId(), leadId: new Types.ObjectId() });
  await activities.create([event(), event()]);
}
