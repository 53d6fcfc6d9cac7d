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

describe('the binding constraint', () => {
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
    ['nothing while a mailbox is open and a lead is due', {}, null, NOW],
    ['the lack of a mailbox', { openings: [], newOpenings: [] }, 'no_sender', null],
    [
      'the mailbox that opens first, of several',
      { openings: [shut('mailbox_day', LATE), shut('mailbox_gap', SOON), shut('mailbox_paused', null)] },
      ...(['mailbox_gap', SOON] as const),
    ],
    ['nothing if one of several mailboxes is open', { openings: [shut('mailbox_day', LATE), OPEN] }, null, NOW],
    ['a limit that only a person ends', { openings: [shut('mailbox_paused', null)] }, 'mailbox_paused', null],
    [
      'the limit of new leads if only new leads are due',
      { dueFollowUps: false, dueNew: true, newOpenings: [shut('new_leads_day', LATE)] },
      ...(['new_leads_day', LATE] as const),
    ],
    ['no limit of new leads for a follow-up', { dueNew: true, newOpenings: [shut('new_leads_day', LATE)] }, null, NOW],
    ['the verification of addresses', { ...nothingDue, isVerifying: true }, 'lead_verifying', null],
    ['the delay of the next step', { ...nothingDue, nextDue: LATE }, 'step_delay', LATE],
    [
      'the limit that has postponed the next lead',
      { ...nothingDue, nextDue: LATE, nextPostponedBy: 'domain_day' },
      ...(['domain_day', LATE] as const),
    ],
    [
      'the delay of the step if it ends after the limit',
      { ...nothingDue, nextDue: LATE, openings: [shut('mailbox_gap', SOON)] },
      ...(['step_delay', LATE] as const),
    ],
    [
      'the limit where it ends after the delay',
      { ...nothingDue, nextDue: SOON, openings: [shut('campaign_window', LATE)] },
      ...(['campaign_window', LATE] as const),
    ],
    ['an email in flight', { ...nothingDue, inFlight: true }, 'in_flight', null],
    ['the lack of a mailbox for all remaining leads', { ...nothingDue, noSender: true }, 'no_sender', null],
    ['the lack of leads', nothingDue, 'no_leads', null],
  ])('is %s', (_case, given, reason, at) => {
    expect(getConstraint({ ...base, ...given }, NOW)).toEqual({ reason, at });
  });
});
