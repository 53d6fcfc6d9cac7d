import { type StopReason } from '@domain/leads';
import { LIMIT_NAMES, REASON_NAMES, REASONS } from './reasons';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of a union type of `facts.ts`, which do not exist at run time. */
function namesOf(type: string): string[] {
  const source = readFileSync(join(__dirname, '../decide/facts.ts'), 'utf8');
  const union = new RegExp(`export type ${type} =([^;]+);`).exec(source)?.[1] ?? '';
  return [...union.matchAll(/'([a-z0-9_]+)'/g)].map(([, name]) => name!);
}

describe('the table of reasons', () => {
  it('has a sentence for every limit that a decision may name, and for no other', () => {
    const names = namesOf('LimitName');
    expect(names).toContain('mailbox_gap');
    expect(LIMIT_NAMES.toSorted()).toEqual(names.toSorted());
  });

  it('has a sentence for every reason for which a lead is stopped, here and in the leads library', () => {
    const ofLeads: Readonly<Record<StopReason, string>> = REASONS;
    const names = namesOf('StopReason');
    expect(names).toContain('missing_variable');
    for (const name of names) expect(ofLeads[name as StopReason]).toEqual(expect.any(String));
  });

  it.each(REASON_NAMES)('explains %s in one sentence', (reason) => {
    expect(REASONS[reason]).toMatch(/^[A-Z][^\n]{15,140}\.$/);
  });

  it('has a different sentence for each reason', () => {
    expect(new Set(Object.values(REASONS)).size).toBe(REASON_NAMES.length);
  });
});
