import { EVENT_TYPES } from '@domain/events';
import { Types } from 'mongoose';
import { getEventViolations, sampleData } from '../events/testing';
import {
  createErasedAddress,
  eraseAuditEntry,
  eraseEnvelope,
  eraseEvent,
  eraseMessage,
  eraseSend,
  eraseSyncFaults,
  eraseSyncResult,
} from './erasure-rules';
import { hasMention, type Subject, removeAddress } from './subject';

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

describe('an address in a text', () => {
  it.each([
    [`<${ADA}>`, true],
    [`mailto:${ADA}?subject=x`, true],
    ['ADA+X@ACME.TEST.', true],
    [`x${ADA}`, false],
    [`x-${ADA}`, false],
    [`${ADA}.au`, false],
    [`${ADA}er`, false],
    ['ada@acme.test', false],
    ['adaax@acmeetest', false],
  ])('%s: %s', (text, isMentioned) => {
    expect(hasMention(text, ADA)).toBe(isMentioned);
  });

  it('is removed at any depth, and values other than texts stay unchanged', () => {
    const at = new Date();
    const value = { list: [{ text: `to ${ADA}`, at, leadId, nothing: null, count: 3 }] };
    expect(removeAddress(value, ADA)).toEqual({
      list: [{ text: 'to [erased]', at, leadId, nothing: null, count: 3 }],
    });
    const other = { list: [{ at, leadId }] };
    expect(removeAddress(other, ADA)).toBe(other);
  });
});

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

  it('of a send is its counted fields and its Message-ID', () => {
    const send = {
      leadId,
      email: ADA,
      subject: 'Hi Ada',
      links: ['x'],
      messageId: '<a@b>',
      state: 'sent',
      lastReply: { code: '550', enhancedCode: '5.1.1', command: 'RCPT TO', response: `<${ADA}>: unknown user` },
    };
    const erasure = eraseSend(send);
    expect(erasure).toMatchObject({
      set: {
        email: createErasedAddress(leadId),
        subject: '',
        links: [],
        lastReply: { code: '550', response: '' },
        places: null,
      },
    });
    expect(erasure).not.toHaveProperty('set.messageId');
    expect(eraseSend({ ...send, email: createErasedAddress(leadId) })).toBe('keep');
    expect(eraseSend({ ...send, state: 'retry' })).not.toHaveProperty('set.places');
  });

  it('of messages excludes the person’s own conversations, and keeps the texts of others in other conversations', () => {
    const other = {
      conversationId: new Types.ObjectId(),
      from: { name: 'Bob', address: 'bob@x.test' },
      to: [],
      cc: [],
    };
    const texts = { subject: 's', text: 't', fullText: 't', html: null };
    expect(eraseMessage({ ...other, ...texts, conversationId }, subject)).toBe('delete');
    expect(eraseMessage({ ...other, ...texts }, subject)).toBe('keep');
    const cc = [
      { name: 'Ada', address: ADA.toUpperCase() },
      { name: 'Eve', address: 'eve@x.test' },
    ];
    expect(eraseMessage({ ...other, ...texts, cc }, subject)).toMatchObject({
      set: { cc: [{ name: '', address: '' }, { name: 'Eve' }], text: 't' },
    });
    const from = { name: 'Ada', address: ADA };
    expect(eraseMessage({ ...other, ...texts, from }, subject)).toMatchObject({
      set: { from: { name: '' }, text: '[erased]' },
    });
  });

  it('of an envelope is its place, so that the message is not taken in again, without open tasks', () => {
    const envelope = {
      from: { name: 'A', address: ADA },
      to: [],
      subject: 's',
      tasks: [{ do: 'opt_out', address: ADA }],
      state: 'judged',
    };
    expect(eraseEnvelope(envelope, subject)).toMatchObject({
      set: { from: null, subject: '', state: 'done', tasks: [] },
    });
    const others = { ...envelope, from: { name: 'B', address: 'bob@x.test' }, tasks: [] };
    expect(eraseEnvelope(others, subject)).toBe('keep');
  });

  it('of the audit log is the actor, the action and the time', () => {
    const changes = { firstName: { from: 'Ada', to: '' }, count: { from: 1, to: null } };
    expect(eraseAuditEntry({ target: { type: 'lead', id: leadId.toHexString() }, changes }, subject)).toEqual({
      set: { changes: { firstName: { from: '[erased]', to: '[erased]' }, count: { from: 1, to: null } } },
    });
    expect(eraseAuditEntry({ target: { type: 'lead', id: 'x' }, changes }, subject)).toBe('keep');
    expect(eraseAuditEntry({ target: { type: 'lead', id: 'x' }, changes: null }, subject)).toBe('keep');
  });
});

describe('a sync with a CRM', () => {
  it('keeps the result without the person', () => {
    expect(eraseSyncResult()).toEqual({ set: { email: '', externalId: '', leadId: null, message: '', changes: '' } });
  });

  it('still names other failed people, and makes a concurrent writer read the job again', () => {
    const other = { email: 'bob@acme.test', externalId: '2', code: 'invalid', message: 'bob' };
    const faults = [{ email: ADA, externalId: '1', code: 'invalid', message: `${ADA} is wrong` }, other];
    expect(eraseSyncFaults({ faults, revision: 7 }, subject)).toEqual({
      set: { faults: [{ email: '', externalId: '', code: 'invalid', message: '' }, other], revision: 8 },
    });
  });
});
