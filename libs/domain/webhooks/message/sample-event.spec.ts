import { EVENT_TYPES } from '@domain/events';
import { Types } from 'mongoose';
import { getViolations } from '../../events/testing';
import { messageSchema } from './message-shape';
import { sampleEvent } from './sample-event';
import { webhookBody } from './webhook-message';

describe('a sample message', () => {
  it.each(EVENT_TYPES)('of %s is as its schema says', (type) => {
    expect(getViolations(messageSchema(type), sampleEvent(type))).toEqual([]);
  });

  it.each(EVENT_TYPES)('of %s is what an event like it is told as', (type) => {
    const { id, timestamp, workspaceId, data } = sampleEvent(type);
    const { mailboxId, mailboxEmail, campaignId, campaignName, leadId, ...recorded } = data;
    const idOf = (text: unknown) => (typeof text === 'string' ? new Types.ObjectId(text) : null);
    const body = webhookBody(
      {
        _id: new Types.ObjectId(id),
        type,
        at: new Date(timestamp),
        workspaceId: new Types.ObjectId(workspaceId),
        mailboxId: idOf(mailboxId),
        campaignId: idOf(campaignId),
        leadId: idOf(leadId),
        data: recorded,
      },
      { mailboxEmail: mailboxEmail as string | null, campaignName: campaignName as string | null },
    );
    expect(JSON.parse(body)).toEqual(sampleEvent(type));
  });

  it('has what is not made up about it', () => {
    const own = { id: 'a'.repeat(24), timestamp: '2027-01-01T00:00:00.000Z', workspaceId: 'b'.repeat(24) };
    expect(sampleEvent('email.sent', own)).toMatchObject(own);
  });
});

describe('the schema of a message', () => {
  const sample = sampleEvent('email.bounced');
  const broken = (data: object) => getViolations(messageSchema('email.bounced'), { ...sample, data });

  it.each([
    ['a field that is missing', () => broken({ ...sample.data, verdict: undefined })],
    ['a field that it does not know', () => broken({ ...sample.data, token: 'secret' })],
    ['a value of another kind', () => broken({ ...sample.data, step: '0' })],
    ['a word that is not on its list', () => broken({ ...sample.data, verdict: 'medium' })],
    ['null where there always is something', () => broken({ ...sample.data, email: null })],
    ['the message of another type', () => getViolations(messageSchema('email.sent'), sample)],
  ])('refuses %s', (_name, violations) => {
    expect(violations()).not.toEqual([]);
  });
});
