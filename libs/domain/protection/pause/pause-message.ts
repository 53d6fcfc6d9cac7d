import { type EventData } from '@domain/events';
import { type BounceEvidence, WINDOW_DAYS } from '../rate/bounce-rate';
import { type StopEvidence } from '../schemas/protected-subject.record';
import { type Subject } from '../tally/bounce-tally';

type EventEvidence = NonNullable<EventData<'mailbox.sending_stopped'>['evidence']>;

const OF: Record<Subject['kind'], string> = { campaign: 'this campaign', mailbox: 'this mailbox', domain: '' };

/** Returns the reason of the stop and the remedy, for the person who resumes it. */
export function createPauseMessage({ kind, key }: Subject, { sends, bounces, rate }: BounceEvidence): string {
  const of = kind === 'domain' ? `the sending domain ${key}` : OF[kind];
  const what = kind === 'campaign' ? 'the campaign' : 'the mailbox';
  return (
    `${bounces} of ${sends} emails of ${of} in ${WINDOW_DAYS} days bounced because the address does not exist ` +
    `(${(rate * 100).toFixed(1)} %). Check the source of the addresses, then resume ${what}.`
  );
}

/** Returns the evidence for events, with times as text. */
export function describeEvidence({ sends, bounces, rate, bound, from, to }: StopEvidence): EventEvidence {
  return { sends, bounces, rate, bound, from: from.toISOString(), to: to.toISOString() };
}
