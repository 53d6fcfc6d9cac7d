import { type LimitName, type Opening } from '../decide/facts';
import { type ConstraintFacts, getConstraint } from './constraint';

const NOW = new Date('2026-11-20T09:00:00.000Z');
const SOON = new Date('2026-11-20T09:10:00.000Z');
const LATE = new Date('2026-11-23T08:00:00.000Z');

const OPEN: Opening = { kind: 'open' };
const shut = (reason: LimitName, nextEligibleAt: Date | null): Opening => ({
  kind: 'wait',
  reason,
  nextEligibleAt,
  limits: [],
});

describe('what binds', () => {
  const base: ConstraintFacts = {
    openings: [OPEN],
    newOpenings: [OPEN],
    dueFollowUps: true,
    dueNew: false,
    inFlight: false,
    noSender: false,
    isVerifying: false,
    nextDue: null,
    nextPostponedBy: null,
  };
  const nothingDue = { dueFollowUps: false };

  it.each<[string, Partial<ConstraintFacts>, string | null, Date | null]>([
    ['nothing while a mailbox is open and somebody is due', {}, null, NOW],
    ['that there is no mailbox', { openings: [], newOpenings: [] }, 'no_sender', null],
    [
      'of several mailboxes the one that opens first',
      { openings: [shut('mailbox_day', LATE), shut('mailbox_gap', SOON), shut('mailbox_paused', null)] },
      ...(['mailbox_gap', SOON] as const),
    ],
    ['nothing when one of several is open', { openings: [shut('mailbox_day', LATE), OPEN] }, null, NOW],
    ['what only a person ends', { openings: [shut('mailbox_paused', null)] }, 'mailbox_paused', null],
    [
      'the limit of new leads when only new leads are due',
      { dueFollowUps: false, dueNew: true, newOpenings: [shut('new_leads_day', LATE)] },
      ...(['new_leads_day', LATE] as const),
    ],
    ['no limit of new leads for a follow-up', { dueNew: true, newOpenings: [shut('new_leads_day', LATE)] }, null, NOW],
    ['that addresses are being verified', { ...nothingDue, isVerifying: true }, 'lead_verifying', null],
    ['that nobody is due yet', { ...nothingDue, nextDue: LATE }, 'step_delay', LATE],
    [
      'what has postponed the lead that is looked at next',
      { ...nothingDue, nextDue: LATE, nextPostponedBy: 'domain_day' },
      ...(['domain_day', LATE] as const),
    ],
    [
      'the delay of the step where it ends after the limit',
      { ...nothingDue, nextDue: LATE, openings: [shut('mailbox_gap', SOON)] },
      ...(['step_delay', LATE] as const),
    ],
    [
      'the limit where it ends after the delay',
      { ...nothingDue, nextDue: SOON, openings: [shut('campaign_window', LATE)] },
      ...(['campaign_window', LATE] as const),
    ],
    ['that emails are on their way', { ...nothingDue, inFlight: true }, 'in_flight', null],
    ['that all who are left have no mailbox', { ...nothingDue, noSender: true }, 'no_sender', null],
    ['that nobody is left', nothingDue, 'no_leads', null],
  ])('is %s', (_case, given, reason, at) => {
    expect(getConstraint({ ...base, ...given }, NOW)).toEqual({ reason, at });
  });
});
