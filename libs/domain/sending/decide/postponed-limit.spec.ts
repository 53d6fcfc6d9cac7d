import { decideSend } from './decide';
import { at, NOW, describeDecision, sendingFacts } from './testing/facts';

const TODAY = '2026-11-20';

it.each([
  [
    'waits for the limit that postponed it',
    { postponed: { until: at('12:00:00'), reason: 'domain_day' } },
    '12:00:00',
    0,
  ],
  [
    'waits for the end of its postponement, even if the limit ends before',
    { domainUsedToday: { day: TODAY, used: 1 }, postponed: { until: at('12:00:00', 4), reason: 'domain_day' } },
    '12:00:00',
    4,
  ],
] as const)('a postponed lead %s', (_what, lead, time, days) => {
  const decision = decideSend(sendingFacts({ campaign: { domainDailyLimit: 1 }, lead }));
  expect(describeDecision(decision)).toBe(`wait domain_day until ${at(time, days).toISOString()}`);
});

it('a lead whose postponement has ended waits no longer', () => {
  const lead = { postponed: { until: NOW, reason: 'campaign_window' } } as const;
  expect(decideSend(sendingFacts({ lead }))).toEqual({ kind: 'send' });
});
