import { type KeptRule } from './field.rule';
import { LEAD_STAGES, stageOf } from './lead.stage';
import { pulledValues, type PushedLead, pushedFields } from './mapped.values';

const rule = (lead: string, crm: string, more: Partial<KeptRule> = {}): KeptRule => ({
  lead,
  crm,
  direction: 'both',
  overwrite: 'always',
  values: null,
  type: 'text',
  options: null,
  maxLength: null,
  ...more,
});
const LEAD: PushedLead = {
  values: { firstName: 'Ada', jobTitle: '' },
  stage: 'positive',
  optedOut: false,
  lastContactedAt: new Date('2026-11-20T10:00:00.000Z'),
  campaign: 'Autumn',
};

describe('what is pulled of a person', () => {
  it('is what the rules for it name, under the names of leads', () => {
    const rules = [
      rule('firstName', 'first'),
      rule('score', 'points', { type: 'number' }),
      rule('city', 'town', { direction: 'push' }),
    ];
    const { values, faults } = pulledValues(rules, { fields: { first: 'Ada', points: 5, town: 'Paris', more: 'x' } });
    expect(values).toEqual([
      { name: 'firstName', value: 'Ada' },
      { name: 'score', value: '5' },
    ]);
    expect(faults).toEqual([]);
  });

  it('leaves out what the person does not have, what every object has, and says what cannot be taken', () => {
    const rules = [rule('a', 'none'), rule('b', 'constructor'), rule('firstName', 'first')];
    const { values, faults } = pulledValues(rules, { fields: { none: null, first: 'x'.repeat(300) } });
    expect(values).toEqual([]);
    expect(faults).toEqual([{ lead: 'firstName', crm: 'first', reason: expect.stringContaining('200') as string }]);
  });
});

describe('what is pushed of a lead', () => {
  it('is what the rules for it name, empty fields as null', () => {
    const rules = [
      rule('firstName', 'first'),
      rule('jobTitle', 'title'),
      rule('toString', 'odd'),
      rule('city', 'town', { direction: 'pull' }),
    ];
    expect(pushedFields(rules, LEAD)).toEqual({ fields: { first: 'Ada', title: null, odd: null }, faults: [] });
  });

  it('may be what only the platform knows', () => {
    const rules = [
      rule('stage', 'status', { type: 'choice', options: ['QUALIFIED'], values: { positive: 'QUALIFIED' } }),
      rule('lastContactedAt', 'last', { type: 'day' }),
      rule('campaign', 'campaign'),
      rule('optedOut', 'out', { type: 'boolean' }),
    ];
    const fields = { status: 'QUALIFIED', last: '2026-11-20', campaign: 'Autumn', out: false };
    expect(pushedFields(rules, LEAD)).toEqual({ fields, faults: [] });
    expect(pushedFields(rules, { ...LEAD, lastContactedAt: null }).fields['last']).toBeNull();
  });

  it('is no consent: a choice is not told that somebody has not opted out', () => {
    const rules = [
      rule('optedOut', 'marketing', { type: 'choice', options: ['unsubscribed'], values: { true: 'unsubscribed' } }),
    ];
    expect(pushedFields(rules, LEAD)).toEqual({ fields: {}, faults: [] });
    expect(pushedFields(rules, { ...LEAD, optedOut: true }).fields).toEqual({ marketing: 'unsubscribed' });
  });

  it('says what the CRM cannot have, and pushes the rest', () => {
    const rules = [rule('firstName', 'age', { type: 'number' }), rule('campaign', 'campaign')];
    expect(pushedFields(rules, LEAD)).toEqual({
      fields: { campaign: 'Autumn' },
      faults: [{ lead: 'firstName', crm: 'age', reason: 'is no number' }],
    });
  });
});

describe('the stage of a lead', () => {
  const none = {
    bounced: false,
    unsubscribed: false,
    positive: false,
    replied: false,
    opened: false,
    contacted: false,
  };

  it.each(LEAD_STAGES.map((stage, at) => [stage, at] as const))('is %s over all that come behind', (stage, at) => {
    const behind = LEAD_STAGES.slice(at).filter((name) => name !== 'new');
    expect(stageOf({ ...none, ...Object.fromEntries(behind.map((name) => [name, true])) })).toBe(stage);
  });
});
