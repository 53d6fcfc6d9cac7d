import { EVENT_TYPES } from '../event-types';
import { type NewEvent } from '../events.service';
import { getEventViolations, sampleData } from '../testing';
import { EVENT_DATA } from './event-data';
import { nullable, object, choice, text } from './shape';

describe('data of events', () => {
  it('are declared for each type, and for nothing else', () => {
    expect(Object.keys(EVENT_DATA).toSorted()).toEqual(EVENT_TYPES.toSorted());
  });

  it.each(EVENT_TYPES)('of %s have an example that matches their schema', (type) => {
    expect(getEventViolations([{ type, data: sampleData(type) }])).toEqual([]);
  });

  it('that are not declared do not compile', () => {
    const about = { webhookId: 'a', name: 'CRM', reason: 'gone', failingSince: null } as const;
    const right: NewEvent = { type: 'webhook.disabled', dedupeKey: 'x', about: {}, data: about };
    // @ts-expect-error: a field is missing
    const missing: NewEvent = { ...right, data: { webhookId: 'a', name: 'CRM', reason: 'gone' } };
    // @ts-expect-error: a value that is not on the list
    const unknown: NewEvent = { ...right, data: { ...about, reason: 'tired' } };
    // @ts-expect-error: data of another type
    const foreign: NewEvent = { ...right, type: 'lead.completed' };
    for (const { type, data } of [missing, unknown, foreign])
      expect(getEventViolations([{ type, data }])).not.toEqual([]);
  });

  it('have one sentence for each field', () => {
    const silent = Object.entries(EVENT_DATA).flatMap(([type, { fields }]) =>
      Object.entries(fields).flatMap(([name, { schema }]) => (schema['description'] ? [] : [`${type}: ${name}`])),
    );
    expect(silent).toEqual([]);
  });
});

describe('a shape', () => {
  it('that may be null declares it, also in its list of values', () => {
    expect(nullable(choice('Which.', ['a', 'b'])).schema).toEqual({
      type: ['string', 'null'],
      description: 'Which.',
      enum: ['a', 'b', null],
      examples: ['a'],
    });
  });

  it('of an object has every field, in their order', () => {
    const shape = object('It.', { b: text('B.', 'x'), a: nullable(text('A.', 'y')) });
    expect(shape.schema).toMatchObject({ type: 'object', required: ['b', 'a'] });
    expect(shape.example).toEqual({ b: 'x', a: 'y' });
  });
});
