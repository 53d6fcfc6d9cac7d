import { decide } from './decide';
import { at, NOW, said, sendingFacts } from './testing/facts';

const TODAY = '2026-11-20';

it.each([
  ['waits for what has postponed it', { postponed: { until: at('12:00:00'), reason: 'domain_day' } }, '12:00:00', 0],
  [
    'waits for the end of its postponement, also where the limit ends before',
    { domainUsedToday: { day: TODAY, used: 1 }, postponed: { until: at('12:00:00', 4), reason: 'domain_day' } },
    '12:00:00',
    4,
  ],
] as const)('a lead that was postponed %s', (_what, lead, time, days) => {
  const decision = decide(sendingFacts({ campaign: { domainDailyLimit: 1 }, lead }));
  expect(said(decision)).toBe(`wait domain_day until ${at(time, days).toISOString()}`);
});

it('a lead whose postponement is over waits no longer', () => {
  const lead = { postponed: { until: NOW, reason: 'campaign_window' } } as const;
  expect(decide(sendingFacts({ lead }))).toEqual({ kind: 'send' });
});
