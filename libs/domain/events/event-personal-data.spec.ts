import { createErasedAddress, type Subject } from '@platform/personal-data';
import { Types } from 'mongoose';
import { eraseEvent } from './event-personal-data';
import { EVENT_TYPES } from './event-types';
import { getEventViolations, sampleData } from './testing';

const ABOUT_PEOPLE = EVENT_TYPES.filter((type) => /^(?:email|lead)\./.test(type));
const ADA = 'ada+x@acme.test';
const leadId = new Types.ObjectId();
const conversationId = new Types.ObjectId();
const subject: Subject = {
  workspaceId: new Types.ObjectId(),
  address: ADA,
  leadIds: [leadId],
  sendIds: [],
  conversationIds: [conversationId],
};

describe('the remainder after an erasure', () => {
  it('of an event is its ids, numbers and fixed texts', () => {
    const data = {
      email: ADA,
      step: 1,
      stepId: 'a',
      sendId: 'b',
      firstOfLead: true,
      rule: 'human',
      text: 'x',
      url: 'https://x',
      reason: 'unsubscribed',
      previous: null,
      anythingNew: 'x',
    };
    expect(eraseEvent({ leadId, data }, subject)).toEqual({
      set: {
        data: {
          email: createErasedAddress(leadId),
          step: 1,
          stepId: 'a',
          sendId: 'b',
          firstOfLead: true,
          rule: 'human',
          text: '[erased]',
          url: '[erased]',
          reason: 'unsubscribed',
          previous: null,
          anythingNew: '[erased]',
        },
      },
    });
    const sentence = eraseEvent({ leadId, data: { reason: `452 <${ADA}> is full`, step: 1 } }, subject);
    expect(sentence).toEqual({ set: { data: { reason: '[erased]', step: 1 } } });
    expect(eraseEvent({ leadId, data: { step: 1 } }, subject)).toBe('keep');
  });

  it.each(ABOUT_PEOPLE)('of an event, %s: matches its schema, and a second erasure changes nothing', (type) => {
    const record = { leadId, data: { ...sampleData(type) } };
    const { set } = eraseEvent(record, subject) as { set: { data: Record<string, unknown> } };
    expect(getEventViolations([{ type, data: set.data }])).toEqual([]);
    expect(eraseEvent({ ...record, data: set.data }, subject)).toBe('keep');
  });

  it('of an event about another person is everything except texts about the erased one', () => {
    const other = { leadId: new Types.ObjectId() };
    const data = { email: 'bob@acme.test', from: 'Ada+X@acme.test', subject: 's', text: 't', step: 1 };
    expect(eraseEvent({ ...other, data }, subject)).toEqual({
      set: { data: { email: 'bob@acme.test', from: null, subject: '', text: '[erased]', step: 1 } },
    });
    expect(eraseEvent({ ...other, data: { email: 'bob@acme.test' } }, subject)).toBe('keep');
  });
});
