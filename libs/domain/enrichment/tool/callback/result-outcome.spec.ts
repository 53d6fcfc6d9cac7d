import { toUnassignedValue, decideResultOutcome } from './result-outcome';

const AT = new Date('2026-11-25T12:00:00.000Z');
const filled = { name: 'city', value: 'Bern', outcome: 'filled' } as const;
const kept = { name: 'country', value: 'CH', outcome: 'kept' } as const;
const found = { name: 'jobTitle', value: 'CEO', outcome: 'found' } as const;
const refused = { name: 'phone', value: '1'.repeat(51), outcome: 'refused', reason: 'must be short' } as const;
const unknown = { name: 'role', reason: 'must be a text' };

describe('the outcome of a tool result', () => {
  it.each([
    ['a field that landed', [filled], [], 'enriched', true, ['found']],
    ['a field that the lead had', [kept], [], 'enriched', true, ['found']],
    ['a field without a lead', [found], [], 'enriched', true, ['found']],
    ['one that landed and one that could not', [filled, refused], [unknown], 'enriched', true, ['found', 'refused']],
    ['one that could not', [refused], [], 'unknown', false, ['refused']],
    ['one that is no value', [], [unknown], 'unknown', false, ['refused']],
    ['nothing', [], [], 'unknown', false, ['not_found']],
  ])('%s', (_what, values, strangers, result, isDecisive, reasons) => {
    const outcome = decideResultOutcome(values, strangers, AT);
    expect(outcome).toMatchObject({ kind: 'done', result, isDecisive, reasons, checkedAt: AT });
  });

  it('reports the outcome of each field, without the refused values', () => {
    expect(decideResultOutcome([filled, refused], [unknown], AT)).toMatchObject({
      detail: {
        fields: [
          { name: 'city', value: 'Bern', outcome: 'filled' },
          { name: 'phone', outcome: 'refused', reason: 'must be short' },
          { name: 'role', outcome: 'refused', reason: 'must be a text' },
        ],
        omitted: 0,
      },
    });
    expect(JSON.stringify(decideResultOutcome([refused], [], AT))).not.toContain('111');
  });

  it.each([
    [{ name: 'jobTitle', value: 'CEO' }, { outcome: 'found' }],
    [
      { name: 'phone', value: '1'.repeat(51) },
      { outcome: 'refused', reason: 'must be a text of at most 50 characters' },
    ],
    [{ name: 'email', value: 'eve@example.com' }, { outcome: 'refused' }],
  ])('follows the rules of leads even without a lead: %j', (found, expected) => {
    expect(toUnassignedValue(found)).toMatchObject({ ...found, ...expected });
  });

  it('is stored up to the size limit', () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ ...filled, name: `v${at}`, value: '"'.repeat(2_000) }));
    const outcome = decideResultOutcome([...many, filled], [], AT);
    expect(JSON.stringify(outcome).length).toBeLessThan(13_000);
    expect(outcome).toMatchObject({ result: 'enriched', detail: { omitted: 49 } });
  });
});
