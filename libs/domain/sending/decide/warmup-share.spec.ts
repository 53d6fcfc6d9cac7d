import { decideSend } from './decide';
import { NOW, mailboxFacts, sendingFacts } from './testing/facts';
import { nextShared } from './warmup-share';

describe('the next day that warmup does not fill', () => {
  // NOW is a Friday.
  it.each([
    [
      'is the next day, if warmup leaves a part of the limit',
      { mails: 9, weekdaysOnly: false },
      '2026-11-20T23:00:00.000Z',
    ],
    ['is a Saturday, if warmup fills weekdays', { mails: 10, weekdaysOnly: true }, '2026-11-20T23:00:00.000Z'],
    ['never comes, if warmup fills every day', { mails: 10, weekdaysOnly: false }, undefined],
  ])('%s', (_what, warmupShare, expected) => {
    expect(nextShared(mailboxFacts({ warmupShare }), NOW)?.toISOString()).toBe(expected);
  });

  it('is a Saturday also after a weekend', () => {
    const mailbox = mailboxFacts({ warmupShare: { mails: 12, weekdaysOnly: true } });
    expect(nextShared(mailbox, new Date('2026-11-22T12:00:00Z'))).toEqual(new Date('2026-11-27T23:00:00Z'));
  });

  it('never comes for a mailbox with a limit of 0', () => {
    const mailbox = mailboxFacts({ dailySendLimit: 0, warmupShare: { mails: 0, weekdaysOnly: true } });
    expect(nextShared(mailbox, NOW)).toBeNull();
  });
});

it('is found half a year ahead, for a lead whose Sunday ends within the mailbox’s weekend only in winter', () => {
  const decision = decideSend(
    sendingFacts({
      now: new Date('2027-03-29T09:00:00.000Z'),
      mailbox: { warmupShare: { mails: 10, weekdaysOnly: true } },
      lead: { timezone: 'Pacific/Pago_Pago' },
      campaign: {
        useLeadTimezone: true,
        schedule: { timezone: 'Europe/Berlin', startTime: '11:00', endTime: '23:59', workingDays: [7] },
      },
    }),
  );
  expect(decision).toMatchObject({ kind: 'wait', nextEligibleAt: new Date('2027-10-31T22:00:00.000Z') });
});
