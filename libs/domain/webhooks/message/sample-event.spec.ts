import { EVENT_TYPES } from '@domain/events';
import { Types } from 'mongoose';
import { getViolations } from '../../events/testing';
import { getMessageSchema } from './message-shape';
import { createSampleEvent } from './sample-event';
import { composeWebhookBody } from './webhook-message';

describe('a sample event', () => {
  it.each(EVENT_TYPES)('of %s matches its schema', (type) => {
    expect(getViolations(getMessageSchema(type), createSampleEvent(type))).toEqual([]);
  });

  it.each(EVENT_TYPES)('of %s equals the composed body of a real event', (type) => {
    const { id, timestamp, workspaceId, data } = createSampleEvent(type);
    const { mailboxId, mailboxEmail, campaignId, campaignName, leadId, ...recorded } = data;
    const idOf = (text: unknown) => (typeof text === 'string' ? new Types.ObjectId(text) : null);
    const body = composeWebhookBody(
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
    expect(JSON.parse(body)).toEqual(createSampleEvent(type));
  });

  it('contains the given envelope values', () => {
    const own = { id: 'a'.repeat(24), timestamp: '2027-01-01T00:00:00.000Z', workspaceId: 'b'.repeat(24) };
    expect(createSampleEvent('email.sent', own)).toMatchObject(own);
  });
});

describe('the schema of a message', () => {
  const sample = createSampleEvent('email.bounced');
  const broken = (data: object) => getViolations(getMessageSchema('email.bounced'), { ...sample, data });

  it.each([
    ['a missing field', () => broken({ ...sample.data, verdict: undefined })],
    ['an unknown field', () => broken({ ...sample.data, token: 'secret' })],
    ['a value of another type', () => broken({ ...sample.data, step: '0' })],
    ['a value outside its list', () => broken({ ...sample.data, verdict: 'medium' })],
    ['null for a required value', () => broken({ ...sample.data, email: null })],
    ['the message of another type', () => getViolations(getMessageSchema('email.sent'), sample)],
  ])('rejects %s', (_name, violations) => {
    expect(violations()).not.toEqual([]);
  });
});
