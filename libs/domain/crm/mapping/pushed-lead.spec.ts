import { type MappingRule } from './field-rule';
import { LEAD_STAGES, getStage } from './lead-stage';
import { type PushedLead, filterPushRules, getLeadText } from './pushed-lead';

const rule = (lead: string, more: Partial<MappingRule> = {}): MappingRule => ({
  lead,
  crm: `${lead}-there`,
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

describe('the pushed values of a lead', () => {
  it.each([
    ['firstName', 'Ada'],
    ['jobTitle', ''],
    ['nobody_has_it', ''],
    ['toString', ''],
    ['stage', 'positive'],
    ['optedOut', 'false'],
    ['lastContactedAt', '2026-11-20T10:00:00.000Z'],
    ['campaign', 'Autumn'],
  ])('under %s is %j', (name, text) => {
    expect(getLeadText(LEAD, name)).toBe(text);
  });

  it('is empty for the last contact of a lead without sends', () => {
    expect(getLeadText({ ...LEAD, lastContactedAt: null }, 'lastContactedAt')).toBe('');
  });

  it('filters rules by direction and by lead', () => {
    const rules = [rule('firstName'), rule('jobTitle', { direction: 'push' }), rule('city', { direction: 'pull' })];
    expect(filterPushRules(rules, LEAD).map(({ lead }) => lead)).toEqual(['firstName', 'jobTitle']);
  });

  it.each<[string, Partial<MappingRule>, boolean, boolean]>([
    ['a choice that has no word for it', { type: 'choice', values: { true: 'unsubscribed' } }, false, false],
    ['a choice that has one', { type: 'choice', values: { true: 'out', false: 'in' } }, false, true],
    ['a flag', { type: 'boolean' }, false, true],
    ['a choice, of a person with an opt-out', { type: 'choice', values: { true: 'unsubscribed' } }, true, true],
  ])('never pushes a missing opt-out as consent: %s', (_what, more, optedOut, isTold) => {
    const rules = filterPushRules([rule('optedOut', { direction: 'push', ...more })], { ...LEAD, optedOut });
    expect(rules).toHaveLength(isTold ? 1 : 0);
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

  it.each(LEAD_STAGES.map((stage, at) => [stage, at] as const))('is %s before all later ones', (stage, at) => {
    const behind = LEAD_STAGES.slice(at).filter((name) => name !== 'new');
    expect(getStage({ ...none, ...Object.fromEntries(behind.map((name) => [name, true])) })).toBe(stage);
  });
});
